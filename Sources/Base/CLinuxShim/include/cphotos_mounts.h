// Shows a folder to others read-only, without privileges. Swift cannot fork.
#ifndef CPHOTOS_MOUNTS_H
#define CPHOTOS_MOUNTS_H

#include <sys/types.h>

#pragma clang assume_nonnull begin

/// Clones the mount of a folder, so that files that are opened below the clone cannot be changed,
/// also not through `/proc/self/fd`. A child process does so in a user namespace and a mount
/// namespace of its own. Returns the descriptor of the clone (close-on-exec), or -1 with errno:
/// EPERM where user namespaces are forbidden, ENOSYS before Linux 5.12, ETIMEDOUT after 5 seconds.
int cphotos_clone_read_only(const char *path);

/// Opens a file below a folder for reading, and neither follows links nor leaves the folder.
/// Returns the descriptor (close-on-exec), or -1 with errno.
int cphotos_open_below(int folder, const char *path);

/// Creates a file without a name in a folder, for reading and writing, which can never get one.
/// Returns the descriptor (close-on-exec), or -1 with errno: EOPNOTSUPP where the file system has
/// no such files.
int cphotos_nameless_file(const char *folder);

#pragma clang assume_nonnull end

#endif
