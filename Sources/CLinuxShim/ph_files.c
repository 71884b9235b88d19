#define _GNU_SOURCE
#include "ph_files.h"

#include <linux/fs.h>
#include <sys/ioctl.h>

int ph_clone_file(int to, int from) { return ioctl(to, FICLONE, from); }
