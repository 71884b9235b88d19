// Calls on files that Swift cannot make: macros, ioctls, and functions that glibc hides.
#ifndef PH_FILES_H
#define PH_FILES_H

#pragma clang assume_nonnull begin

/// Makes `to` share the blocks of `from` (FICLONE). 0, or -1 with errno.
int ph_clone_file(int to, int from);

#pragma clang assume_nonnull end

#endif
