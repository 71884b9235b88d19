// File calls that Swift cannot make: macros, ioctls, and functions that glibc hides.
#ifndef CPHOTOS_FILES_H
#define CPHOTOS_FILES_H

#include <stdint.h>
#include <sys/types.h>

#pragma clang assume_nonnull begin

/// Makes `to` share the blocks of `from` (FICLONE). Returns 0, or -1 with errno.
int cphotos_clone_file(int to, int from);

/// copy_file_range(2), which glibc declares only for GNU sources. Copies at most `length` bytes at
/// `offset` to the same offset of `to`. Returns the number of bytes copied, or -1 with errno.
ssize_t cphotos_copy_file_range(int from, int to, int64_t offset, size_t length);

/// Starts writing a range of dirty pages to the disk without waiting (sync_file_range(2), which
/// glibc hides as well). Returns 0, or -1 with errno.
int cphotos_start_write_back(int descriptor, int64_t offset, int64_t length);

/// Returns 1 if a file that is open for reading is also open elsewhere, in any process. Returns 0
/// if it is not, or if the file system or the permissions do not reveal it.
int cphotos_is_open_elsewhere(int descriptor);

/// Raises the limit of open files to the maximum that this process may set. Returns 0, or -1 if it
/// cannot be raised.
int cphotos_allow_more_files(void);

#pragma clang assume_nonnull end

#endif
