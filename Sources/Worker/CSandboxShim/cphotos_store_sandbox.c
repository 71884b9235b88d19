#define _GNU_SOURCE
#include "CSandboxShim.h"
#include "cphotos_restrictions.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sched.h>
#include <unistd.h>

int cphotos_confine_store_files(
    const char *const *readable,
    const char *const *writable,
    int hasNetwork
) {
    long abi = cphotos_landlock_abi();
    // The first ABI denies every rename between folders.
    if (abi < 1 || (*writable && abi < 2)) return 0;
    int set = cphotos_landlock_rules(abi, right_bind | (hasNetwork ? 0 : right_connect));
    if (set < 0) return 0;
    int code = cphotos_landlock_allow(set, readable, right_read | right_list);
    // Dispatch reads the state of its own threads there, by their numbers, and crashes if it
    // cannot. Landlock itself denies the memory, the environment and the files of other processes.
    const char *const processes[] = {"/proc", NULL};
    if (code == 0) code = cphotos_landlock_allow(set, processes, right_read);
    uint64_t rights = right_read | right_list | right_write | right_remove_file
        | right_make_directory | right_make_file | right_refer;
    if (abi >= 3) rights |= right_truncate;
    if (code == 0) code = cphotos_landlock_allow(set, writable, rights);
    return cphotos_landlock_restrict(set, code, abi);
}

int cphotos_confine_store_calls(int hasNetwork) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (!filter) return ENOMEM;
    int code = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);
    const int calls[] = {
        // Servers.
        SCMP_SYS(listen), SCMP_SYS(accept), SCMP_SYS(accept4), SCMP_SYS(socketpair),
        // Modes, owners, times and kinds of files.
        SCMP_SYS(mknod), SCMP_SYS(mknodat), SCMP_SYS(symlink), SCMP_SYS(symlinkat),
        SCMP_SYS(chmod), SCMP_SYS(fchmod), SCMP_SYS(fchmodat), SCMP_SYS(chown), SCMP_SYS(fchown),
        SCMP_SYS(lchown), SCMP_SYS(fchownat), SCMP_SYS(utime), SCMP_SYS(utimes),
        SCMP_SYS(utimensat), SCMP_SYS(futimesat), SCMP_SYS(setxattr), SCMP_SYS(lsetxattr),
        SCMP_SYS(fsetxattr), SCMP_SYS(removexattr), SCMP_SYS(lremovexattr),
        SCMP_SYS(fremovexattr),
    };
    const int offline[] = {SCMP_SYS(socket), SCMP_SYS(connect), SCMP_SYS(bind)};
    // A store in a bucket writes no file.
    const int online[] = {
        SCMP_SYS(unlink), SCMP_SYS(unlinkat), SCMP_SYS(rmdir), SCMP_SYS(rename),
        SCMP_SYS(renameat), SCMP_SYS(renameat2), SCMP_SYS(mkdir), SCMP_SYS(mkdirat),
        SCMP_SYS(link), SCMP_SYS(linkat), SCMP_SYS(truncate),
    };
    if (code == 0) code = cphotos_deny(filter, calls, sizeof calls / sizeof calls[0]);
    if (code == 0) code = cphotos_deny_programs(filter);
    if (code == 0 && !hasNetwork) {
        code = cphotos_deny(filter, offline, sizeof offline / sizeof offline[0]);
    }
    if (code == 0 && hasNetwork) {
        code = cphotos_deny(filter, online, sizeof online / sizeof online[0]);
    }
    // Sockets of this computer lead to other programs, such as the session's bus. The resolver
    // needs netlink to sort addresses.
    for (int family = 0; code == 0 && hasNetwork && family <= AF_NETLINK; family++) {
        if (family == AF_INET || family == AF_INET6 || family == AF_NETLINK) continue;
        code = seccomp_rule_add(
            filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(socket), 1,
            SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)family)
        );
    }
    if (code == 0 && hasNetwork) {
        code = seccomp_rule_add(
            filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(socket), 1,
            SCMP_A0(SCMP_CMP_GT, (scmp_datum_t)AF_NETLINK)
        );
    }
    if (code == 0) code = seccomp_load(filter);
    seccomp_release(filter);
    return -code;
}

void cphotos_try_forbidden_to_stores(
    const char *folder,
    int hasNetwork,
    char *possible,
    size_t length
) {
    if (length == 0) return;
    possible[0] = 0;
#define TRY(name, call)                                                              \
    do {                                                                             \
        if ((call) >= 0) strncat(possible, name " ", length - strlen(possible) - 1); \
    } while (0)
    char path[4096];
    snprintf(path, sizeof path, "%s/photos-cloud-was-here", folder);
    TRY("list-folder", open(folder, O_RDONLY | O_DIRECTORY));
    TRY("create", open(path, O_RDWR | O_CREAT | O_EXCL, 0600));
    TRY("mkdir", mkdir(path, 0700));
    TRY("rename", rename(folder, path));
    TRY("read", open("/etc/passwd", O_RDONLY));
    TRY("write", open("/etc/hosts", O_WRONLY));
    TRY("chmod", chmod(folder, 0700));
    TRY("fchmodat2", syscall(452, AT_FDCWD, folder, 0700, 0));
    TRY("list-processes", open("/proc", O_RDONLY | O_DIRECTORY));
    TRY("memory", open("/proc/self/mem", O_RDWR));
    snprintf(path, sizeof path, "/proc/%d/environ", (int)getppid());
    TRY("environment-of-others", open(path, O_RDONLY));
    snprintf(path, sizeof path, "/proc/%d/mem", (int)getppid());
    TRY("memory-of-others", open(path, O_RDONLY));
    snprintf(path, sizeof path, "/proc/%d/root/etc/passwd", (int)getppid());
    TRY("files-of-others", open(path, O_RDONLY));
    snprintf(path, sizeof path, "/proc/self/cwd/photos-cloud-was-here");
    TRY("create-here", open(path, O_RDWR | O_CREAT | O_EXCL, 0600));
    TRY("unix-socket", socket(AF_UNIX, SOCK_STREAM, 0));
    TRY("packet-socket", socket(17 /* AF_PACKET */, SOCK_DGRAM, 0));
    TRY("vsock", socket(40 /* AF_VSOCK */, SOCK_STREAM, 0));
    if (!hasNetwork) {
        TRY("socket", socket(AF_INET, SOCK_STREAM, 0));
        TRY("socket6", socket(AF_INET6, SOCK_DGRAM, 0));
    } else {
        TRY("listen", listen(socket(AF_INET, SOCK_STREAM, 0), 1));
    }
    long child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (child == 0) _exit(0);
    TRY("fork", child);
    TRY("kill", kill(getppid(), 0));
    TRY("namespace", syscall(SYS_unshare, CLONE_NEWUTS));
    TRY("io_uring", syscall(425 /* io_uring_setup */, 1, NULL));
    // Only root can give them up, and others cannot use them.
    TRY("capabilities", geteuid() == 0 && prctl(PR_CAPBSET_READ, 0, 0, 0, 0) == 1 ? 0 : -1);
    char *const arguments[] = {"/bin/true", NULL}, *const environment[] = {NULL};
    TRY("execve", execve("/bin/true", arguments, environment));
#undef TRY
}
