// Renames that replace nothing, which glibc declares for GNU sources only.
#ifndef CPHOTOS_RENAME_H
#define CPHOTOS_RENAME_H

#pragma clang assume_nonnull begin

/// Renames `from` to `to` unless `to` exists (EEXIST). Returns 0, or -1 with errno.
int cphotos_rename_new(const char *from, const char *to);

/// Renames `from` in one folder to `to` in another unless `to` exists (EEXIST).
///
/// Returns 0, or -1 with errno: EINVAL on file systems that cannot do it.
int cphotos_rename_new_at(int fromFolder, const char *from, int toFolder, const char *to);

/// Exchanges the names of two files or folders in one step. Returns 0, or -1 with errno: EINVAL on
/// file systems that cannot do it.
int cphotos_rename_exchange(const char *first, const char *second);

#pragma clang assume_nonnull end

#endif
