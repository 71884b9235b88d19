#include "cphotos_volumes.h"

#include <sys/vfs.h>

long cphotos_file_system_type(const char *path) {
  struct statfs status;
  return statfs(path, &status) == 0 ? (long)status.f_type : 0;
}
