#define _GNU_SOURCE
#include "cphotos_volumes.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

long cphotos_file_system_type(const char *path) {
  struct statfs status;
  return statfs(path, &status) == 0 ? (long)status.f_type : 0;
}

long cphotos_file_system_type_of(int descriptor) {
  struct statfs status;
  return fstatfs(descriptor, &status) == 0 ? (long)status.f_type : 0;
}

int cphotos_is_served_by_program(int descriptor) {
  return cphotos_file_system_type_of(descriptor) == FUSE_SUPER_MAGIC;
}

int cphotos_sync_volume(const char *path) {
  int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return -1;
  int result = syncfs(folder);
  close(folder);
  return result;
}
