#define _GNU_SOURCE
#include "CSandboxShim.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int cphotos_fork_sibling(void) {
#if defined(__x86_64__) || defined(__aarch64__)
    // Only the calling thread exists in the new process. Locks that other threads hold would stay
    // locked there, and the handlers of fork(), which release them, do not run.
    if (cphotos_thread_count() != 1) {
        errno = EBUSY;
        return -1;
    }
    // As fork() does, the kernel writes the new thread's identifier where the C library keeps it,
    // which is the address that the library registered.
    int *identifier = NULL;
    if (prctl(PR_GET_TID_ADDRESS, &identifier, 0, 0, 0) != 0) return -1;
    if (!identifier || *identifier != (int)syscall(SYS_gettid)) {
        errno = ENOSYS;
        return -1;
    }
    const unsigned long flags =
        CLONE_PARENT | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | SIGCHLD;
#if defined(__x86_64__)
    return (int)syscall(SYS_clone, flags, 0, NULL, identifier, 0);
#else
    return (int)syscall(SYS_clone, flags, 0, NULL, 0, identifier);
#endif
#else
    errno = ENOSYS;
    return -1;
#endif
}

void cphotos_name_process(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }
