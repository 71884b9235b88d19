#define _GNU_SOURCE
#include "cphotos_mounts.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cphotos_descriptors.h"

// The numbers are the same on every processor, as for all calls since 2019 but on Alpha.
#ifndef SYS_open_tree
#define SYS_open_tree 428
#endif
#ifndef SYS_openat2
#define SYS_openat2 437
#endif
#ifndef SYS_mount_setattr
#define SYS_mount_setattr 442
#endif

// As in <linux/mount.h> and <linux/openat2.h>, which conflict with glibc's headers or are missing.
enum {
    clone_tree = 1,
    attribute_rdonly = 0x1,
    attribute_nosuid = 0x2,
    attribute_nodev = 0x4,
    attribute_noexec = 0x8,
    resolve_no_magiclinks = 0x02,
    resolve_no_symlinks = 0x04,
    resolve_beneath = 0x08,
};

struct mount_attributes {
    uint64_t set, clear, propagation, user_namespace;
};

struct open_way {
    uint64_t flags, mode, resolve;
};

// Runs in the child: only system calls.
static int clone_in_namespaces(const char *path) {
    // The privileged may have no user namespaces, and need none.
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0 && unshare(CLONE_NEWNS) != 0) return -1;
    int tree = (int)syscall(SYS_open_tree, AT_FDCWD, path, clone_tree | O_CLOEXEC);
    if (tree < 0) return -1;
    struct mount_attributes attributes = {
        .set = attribute_rdonly | attribute_nosuid | attribute_nodev | attribute_noexec,
    };
    long result = syscall(
        SYS_mount_setattr,
        tree,
        "",
        AT_EMPTY_PATH,
        &attributes,
        sizeof attributes
    );
    return result == 0 ? tree : -1;
}

int cphotos_clone_read_only(const char *path) {
    int here, there;
    if (cphotos_socket_pair(&here, &there) != 0) return -1;
    struct timeval limit = {.tv_sec = 5};
    setsockopt(here, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    pid_t child = fork();
    if (child == 0) {
        int tree = clone_in_namespaces(path);
        int error = tree < 0 ? errno : 0;
        cphotos_send(there, &error, sizeof error, tree);
        _exit(0);
    }
    int problem = child < 0 ? errno : 0;
    close(there);
    int tree = -1;
    if (child > 0) {
        ssize_t count;
        do count = cphotos_receive(here, &problem, sizeof problem, 1, &tree);
        while (count < 0 && errno == EINTR);
        if (count != sizeof problem) problem = count < 0 ? ETIMEDOUT : ECHILD;
        kill(child, SIGKILL);
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
    }
    close(here);
    if (problem == 0 && tree >= 0) return tree;
    if (tree >= 0) close(tree);
    errno = problem != 0 ? problem : EPROTO;
    return -1;
}

int cphotos_open_below(int folder, const char *path) {
    struct open_way way = {
        .flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY,
        .resolve = resolve_beneath | resolve_no_symlinks | resolve_no_magiclinks,
    };
    return (int)syscall(SYS_openat2, folder, path, &way, sizeof way);
}

int cphotos_nameless_file(const char *folder) {
    return open(folder, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
}
