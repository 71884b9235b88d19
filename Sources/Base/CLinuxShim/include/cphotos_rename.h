// A rename without replacement, which glibc declares for GNU sources only.
#ifndef CPHOTOS_RENAME_H
#define CPHOTOS_RENAME_H

#pragma clang assume_nonnull begin

/// Renames `from` to `to` unless `to` exists (EEXIST). Returns 0, or -1 with errno.
int cphotos_rename_new(const char *from, const char *to);

#pragma clang assume_nonnull end

#endif
