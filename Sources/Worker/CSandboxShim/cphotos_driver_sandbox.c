#define _GNU_SOURCE
#include "CSandboxShim.h"
#include "cphotos_restrictions.h"

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

int cphotos_confine_files_to(const char *const *readable, const char *const *devices) {
    long abi = cphotos_landlock_abi();
    if (abi < 1) return 0;
    int set = cphotos_landlock_rules(abi, right_bind | right_connect);
    if (set < 0) return 0;
    int code = cphotos_landlock_allow(set, readable, right_read | right_list);
    uint64_t rights = right_read | right_list | right_write;
    if (abi >= 5) rights |= right_ioctl;
    if (code == 0) code = cphotos_landlock_allow(set, devices, rights);
    return cphotos_landlock_restrict(set, code, abi);
}

int cphotos_confine_driver_calls(void) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (!filter) return ENOMEM;
    int code = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);
    const int calls[] = {
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
    };
    if (code == 0) code = cphotos_deny(filter, calls, sizeof calls / sizeof calls[0]);
    if (code == 0) code = cphotos_deny_programs(filter);
    // libudev listens for devices at a netlink socket.
    if (code == 0) {
        code = seccomp_rule_add(
            filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(socket), 1,
            SCMP_A0(SCMP_CMP_NE, (scmp_datum_t)AF_NETLINK)
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
