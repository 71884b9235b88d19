#define _GNU_SOURCE
#include "cphotos_files.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

int cphotos_clone_file(int to, int from) { return ioctl(to, FICLONE, from); }

ssize_t cphotos_copy_file_range(int from, int to, int64_t offset, size_t length) {
    off64_t in = offset;
    off64_t out = offset;
    return copy_file_range(from, &in, to, &out, length, 0);
}

int cphotos_start_write_back(int descriptor, int64_t offset, int64_t length) {
    return sync_file_range(descriptor, offset, length, SYNC_FILE_RANGE_WRITE);
}

int cphotos_is_open_elsewhere(int descriptor) {
    // Another process may open the file while the lease is held. The signal that reports this must
    // not be SIGIO, which terminates programs.
    if (fcntl(descriptor, F_SETSIG, SIGURG) != 0) return 0;
    if (fcntl(descriptor, F_SETLEASE, F_WRLCK) != 0) return errno == EAGAIN;
    fcntl(descriptor, F_SETLEASE, F_UNLCK);
    return 0;
}

int cphotos_allow_more_files(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= limit.rlim_max) return -1;
    limit.rlim_cur = limit.rlim_max;
    return setrlimit(RLIMIT_NOFILE, &limit);
}
