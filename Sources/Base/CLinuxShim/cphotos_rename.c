#define _GNU_SOURCE
#include "cphotos_rename.h"

#include <fcntl.h>
#include <stdio.h>

int cphotos_rename_new(const char *from, const char *to)
{
    return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
}

int cphotos_rename_new_at(int fromFolder, const char *from, int toFolder, const char *to)
{
    return renameat2(fromFolder, from, toFolder, to, RENAME_NOREPLACE);
}

int cphotos_rename_exchange(const char *first, const char *second)
{
    return renameat2(AT_FDCWD, first, AT_FDCWD, second, RENAME_EXCHANGE);
}
