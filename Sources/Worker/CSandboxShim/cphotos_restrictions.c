#define _GNU_SOURCE
#include "cphotos_restrictions.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
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
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#endif
#ifndef SYS_landlock_add_rule
#define SYS_landlock_add_rule 445
#endif
#ifndef SYS_landlock_restrict_self
#define SYS_landlock_restrict_self 446
#endif

long cphotos_landlock_abi(void) {
    long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, version_flag);
    return abi < 1 ? 0 : abi;
}

int cphotos_landlock_rules(long abi, uint64_t networks) {
    uint64_t files = (1ULL << 13) - 1;
    if (abi >= 2) files |= right_refer;
    if (abi >= 3) files |= right_truncate;
    if (abi >= 5) files |= right_ioctl;
    struct ruleset rules = {
        .handled_access_fs = files,
        .handled_access_net = abi >= 4 ? networks : 0,
        .scoped = abi >= 6 ? 3 : 0,
    };
    size_t size = abi >= 6 ? 24 : abi >= 4 ? 16 : 8;
    return (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0);
}

static int allow_below(int set, const char *path, uint64_t rights) {
    int parent = open(path, O_PATH | O_CLOEXEC);
    if (parent < 0) return 0;
    struct stat status;
    if (fstat(parent, &status) == 0 && !S_ISDIR(status.st_mode)) {
        rights &= right_execute | right_write | right_read | right_truncate | right_ioctl;
    }
    struct path_rule rule = {.allowed_access = rights, .parent = parent};
    long code = syscall(SYS_landlock_add_rule, set, path_rule_type, &rule, 0);
    close(parent);
    return code == 0 ? 0 : -1;
}

int cphotos_landlock_allow(int set, const char *const *paths, uint64_t rights) {
    int code = 0;
    for (; code == 0 && *paths; paths++) code = allow_below(set, *paths, rights);
    return code;
}

int cphotos_landlock_restrict(int set, int code, long abi) {
    if (code == 0) code = (int)syscall(SYS_landlock_restrict_self, set, 0);
    close(set);
    return code == 0 ? (int)abi : 0;
}

int cphotos_deny(scmp_filter_ctx filter, const int *calls, size_t count) {
    int code = 0;
    for (size_t i = 0; code == 0 && i < count; i++) {
        if (calls[i] == __NR_SCMP_ERROR) continue;
        code = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), calls[i], 0);
    }
    return code;
}

int cphotos_deny_programs(scmp_filter_ctx filter) {
    const int calls[] = {
        // Other programs and processes.
        SCMP_SYS(execve), SCMP_SYS(execveat), SCMP_SYS(fork), SCMP_SYS(vfork), SCMP_SYS(ptrace),
        SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev), SCMP_SYS(pidfd_open),
        SCMP_SYS(pidfd_getfd), SCMP_SYS(pidfd_send_signal), SCMP_SYS(kill), SCMP_SYS(tkill),
        SCMP_SYS(rt_sigqueueinfo), SCMP_SYS(rt_tgsigqueueinfo), SCMP_SYS(kcmp),
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
    int code = cphotos_deny(filter, calls, sizeof calls / sizeof calls[0]);
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
    return code;
}
