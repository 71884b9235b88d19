#define _GNU_SOURCE
#include "ph_files.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <unistd.h>

int ph_clone_file(int to, int from) { return ioctl(to, FICLONE, from); }

ssize_t ph_copy_file_range(int from, int to, int64_t offset, size_t length) {
    off64_t in = offset;
    off64_t out = offset;
    return copy_file_range(from, &in, to, &out, length, 0);
}

int ph_start_write_back(int descriptor, int64_t offset, int64_t length) {
    return sync_file_range(descriptor, offset, length, SYNC_FILE_RANGE_WRITE);
}
