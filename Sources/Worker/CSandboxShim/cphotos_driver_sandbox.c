#define _GNU_SOURCE
#include "CSandboxShim.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// The parts of the kernel's interface that Debian 12's <linux/landlock.h> lacks, as in
// cphotos_sandbox.c.
struct ruleset {
    uint64_t handled_access_fs;
    uint64_t handled_access_net;
    uint64_t scoped;
};
struct path_rule {
    uint64_t allowed_access;
    int32_t parent;
} __attribute__((packed));
enum { version_flag = 1, path_rule_type = 1 };
enum {
    right_execute = 1 << 0,
    right_write = 1 << 1,
    right_read = 1 << 2,
    right_list = 1 << 3,
    right_ioctl = 1 << 15,
};
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#endif
#ifndef SYS_landlock_add_rule
#define SYS_landlock_add_rule 445
#endif
#ifndef SYS_landlock_restrict_self
#define SYS_landlock_restrict_self 446
#endif

static int allow_below(int set, const char *path, uint64_t rights) {
    int parent = open(path, O_PATH | O_CLOEXEC);
    if (parent < 0) return 0;
    struct stat status;
    if (fstat(parent, &status) == 0 && !S_ISDIR(status.st_mode)) rights &= ~(uint64_t)right_list;
    struct path_rule rule = {.allowed_access = rights, .parent = parent};
    long code = syscall(SYS_landlock_add_rule, set, path_rule_type, &rule, 0);
    close(parent);
    return code == 0 ? 0 : -1;
}

int cphotos_confine_files_to(const char *const *readable, const char *const *devices) {
    long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, version_flag);
    if (abi < 1) return 0;
    uint64_t files = (1ULL << 13) - 1;
    if (abi >= 2) files |= 1ULL << 13;
    if (abi >= 3) files |= 1ULL << 14;
    if (abi >= 5) files |= 1ULL << 15;
    struct ruleset rules = {
        .handled_access_fs = files,
        .handled_access_net = abi >= 4 ? 3 : 0,
        .scoped = abi >= 6 ? 3 : 0,
    };
    size_t size = abi >= 6 ? 24 : abi >= 4 ? 16 : 8;
    int set = (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0);
    if (set < 0) return 0;
    int code = 0;
    for (; code == 0 && *readable; readable++) {
        code = allow_below(set, *readable, right_read | right_list);
    }
    for (; code == 0 && *devices; devices++) {
        uint64_t rights = right_read | right_list | right_write;
        if (abi >= 5) rights |= right_ioctl;
        code = allow_below(set, *devices, rights);
    }
    if (code == 0) code = (int)syscall(SYS_landlock_restrict_self, set, 0);
    close(set);
    return code == 0 ? (int)abi : 0;
}

int cphotos_confine_driver_calls(void) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (!filter) return ENOMEM;
    int code = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);
    const int calls[] = {
        // Other programs and processes.
        SCMP_SYS(execve), SCMP_SYS(execveat), SCMP_SYS(fork), SCMP_SYS(vfork), SCMP_SYS(ptrace),
        SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev), SCMP_SYS(pidfd_open),
        SCMP_SYS(pidfd_getfd), SCMP_SYS(pidfd_send_signal), SCMP_SYS(kill), SCMP_SYS(tkill),
        SCMP_SYS(rt_sigqueueinfo), SCMP_SYS(rt_tgsigqueueinfo), SCMP_SYS(kcmp),
        // Networks. A socket of libudev is bound and never connected.
        SCMP_SYS(connect), SCMP_SYS(listen), SCMP_SYS(accept), SCMP_SYS(accept4),
        SCMP_SYS(socketpair),
        // Names, modes and times of files.
        SCMP_SYS(unlink), SCMP_SYS(unlinkat), SCMP_SYS(rmdir), SCMP_SYS(rename),
        SCMP_SYS(renameat), SCMP_SYS(renameat2), SCMP_SYS(mkdir), SCMP_SYS(mkdirat),
        SCMP_SYS(mknod), SCMP_SYS(mknodat), SCMP_SYS(link), SCMP_SYS(linkat), SCMP_SYS(symlink),
        SCMP_SYS(symlinkat), SCMP_SYS(truncate), SCMP_SYS(chmod), SCMP_SYS(fchmod),
        SCMP_SYS(fchmodat), SCMP_SYS(chown), SCMP_SYS(fchown), SCMP_SYS(lchown),
        SCMP_SYS(fchownat), SCMP_SYS(utime), SCMP_SYS(utimes), SCMP_SYS(utimensat),
        SCMP_SYS(futimesat), SCMP_SYS(setxattr), SCMP_SYS(lsetxattr), SCMP_SYS(fsetxattr),
        SCMP_SYS(removexattr), SCMP_SYS(lremovexattr), SCMP_SYS(fremovexattr),
        SCMP_SYS(open_by_handle_at), SCMP_SYS(name_to_handle_at),
        // The system.
        SCMP_SYS(mount), SCMP_SYS(umount2), SCMP_SYS(pivot_root), SCMP_SYS(chroot),
        SCMP_SYS(unshare), SCMP_SYS(setns), SCMP_SYS(bpf), SCMP_SYS(perf_event_open),
        SCMP_SYS(io_uring_setup), SCMP_SYS(io_uring_enter), SCMP_SYS(io_uring_register),
        SCMP_SYS(keyctl), SCMP_SYS(add_key), SCMP_SYS(request_key), SCMP_SYS(userfaultfd),
        SCMP_SYS(kexec_load), SCMP_SYS(kexec_file_load), SCMP_SYS(init_module),
        SCMP_SYS(finit_module), SCMP_SYS(delete_module), SCMP_SYS(reboot), SCMP_SYS(swapon),
        SCMP_SYS(swapoff), SCMP_SYS(acct), SCMP_SYS(sethostname), SCMP_SYS(setdomainname),
        SCMP_SYS(fsopen), SCMP_SYS(fsmount), SCMP_SYS(fsconfig), SCMP_SYS(move_mount),
        SCMP_SYS(open_tree), SCMP_SYS(fanotify_init), SCMP_SYS(quotactl), SCMP_SYS(personality),
        // Calls that older headers lack, with equal numbers on all architectures: mount_setattr,
        // quotactl_fd, fchmodat2, setxattrat, removexattrat, file_setattr.
        442, 443, 452, 463, 466, 469,
    };
    for (size_t i = 0; code == 0 && i < sizeof calls / sizeof calls[0]; i++) {
        if (calls[i] == __NR_SCMP_ERROR) continue;
        code = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), calls[i], 0);
    }
    // libudev listens for devices at a netlink socket.
    if (code == 0) {
        code = seccomp_rule_add(
            filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(socket), 1,
            SCMP_A0(SCMP_CMP_NE, (scmp_datum_t)AF_NETLINK)
        );
    }
    // Threads, but no processes; clone3 hides its flags in memory.
    if (code == 0) {
        code = seccomp_rule_add(
            filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
            SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0)
        );
    }
    if (code == 0) code = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
    if (code == 0) {
        code = seccomp_rule_add(
            filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(tgkill), 1,
            SCMP_A0(SCMP_CMP_NE, (scmp_datum_t)getpid())
        );
    }
    if (code == 0) code = seccomp_load(filter);
    seccomp_release(filter);
    return -code;
}

void cphotos_try_forbidden_to_drivers(const char *home, char *possible, size_t length) {
    if (length == 0) return;
    possible[0] = 0;
#define TRY(name, call)                                                              \
    do {                                                                             \
        if ((call) >= 0) strncat(possible, name " ", length - strlen(possible) - 1); \
    } while (0)
    char path[4096];
    snprintf(path, sizeof path, "%s/photos-device-was-here", home);
    TRY("create", open(path, O_RDWR | O_CREAT | O_EXCL, 0600));
    TRY("list-home", open(home, O_RDONLY | O_DIRECTORY));
    TRY("write", open("/etc/passwd", O_WRONLY));
    TRY("mkdir", mkdir(path, 0700));
    TRY("unlink", unlink("/tmp/photos-device-never-was-here") == 0 || errno == ENOENT ? 0 : -1);
    TRY("chmod", chmod(home, 0700));
    TRY("fchmodat2", syscall(452, AT_FDCWD, home, 0700, 0));
    TRY("socket", socket(AF_INET, SOCK_STREAM, 0));
    TRY("socket6", socket(AF_INET6, SOCK_DGRAM, 0));
    TRY("unix-socket", socket(AF_UNIX, SOCK_STREAM, 0));
    long child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (child == 0) _exit(0);
    TRY("fork", child);
    TRY("kill", kill(getppid(), 0));
    TRY("namespace", syscall(SYS_unshare, CLONE_NEWUTS));
    char *const arguments[] = {"/bin/true", NULL}, *const environment[] = {NULL};
    TRY("execve", execve("/bin/true", arguments, environment));
#undef TRY
}
