#define _GNU_SOURCE
#include "ph_rename.h"

#include <fcntl.h>
#include <stdio.h>

int ph_rename_new(const char *from, const char *to)
{
    return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
}
