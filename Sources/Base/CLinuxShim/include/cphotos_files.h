// Calls on files that Swift cannot make: macros, ioctls, and functions that glibc hides.
#ifndef CPHOTOS_FILES_H
#define CPHOTOS_FILES_H

#include <stdint.h>
#include <sys/types.h>

#pragma clang assume_nonnull begin

/// Makes `to` share the blocks of `from` (FICLONE). 0, or -1 with errno.
int cphotos_clone_file(int to, int from);

/// copy_file_range(2), which glibc declares only for GNU sources. Copies at most `length` bytes
/// at `offset` to the same offset of `to`; the number copied, or -1 with errno.
ssize_t cphotos_copy_file_range(int from, int to, int64_t offset, size_t length);

/// Starts writing a range of dirty pages to the disk, without waiting (sync_file_range(2), hidden
/// likewise). 0, or -1 with errno.
int cphotos_start_write_back(int descriptor, int64_t offset, int64_t length);

/// Whether a file that is open for reading is open a second time, in any process: 1; 0 when it is not,
/// or when the file system or its permissions do not tell.
int cphotos_is_open_elsewhere(int descriptor);

/// Allows this process as many open files as it can allow itself. 0, or -1 when there are no more.
int cphotos_allow_more_files(void);

#pragma clang assume_nonnull end

#endif
