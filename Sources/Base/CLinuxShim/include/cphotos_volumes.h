// Queries of volumes: statfs is both a function and a struct, which Swift cannot distinguish.
#ifndef CPHOTOS_VOLUMES_H
#define CPHOTOS_VOLUMES_H

#pragma clang assume_nonnull begin

/// Returns the magic number of the file system of `path` (statfs(2)), or 0 if it is unknown.
long cphotos_file_system_type(const char *path);

/// Returns the magic number of the file system of an open file (fstatfs(2)), or 0 if it is unknown.
long cphotos_file_system_type_of(int descriptor);

/// Returns 1 if an open file is on a file system that a program serves through FUSE, otherwise 0.
int cphotos_is_served_by_program(int descriptor);

/// Writes all changes of the file system of the folder `path` to its disk (syncfs(2)), after which
/// the space of removed files is free. Returns 0, or -1 with errno set.
int cphotos_sync_volume(const char *path);

#pragma clang assume_nonnull end

#endif
