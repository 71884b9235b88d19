// Questions about volumes: statfs is a function and a struct of one name, which Swift cannot tell apart.
#ifndef CPHOTOS_VOLUMES_H
#define CPHOTOS_VOLUMES_H

#pragma clang assume_nonnull begin

/// The magic number of the file system that holds `path` (statfs(2)); 0 when it cannot be told.
long cphotos_file_system_type(const char *path);

#pragma clang assume_nonnull end

#endif
