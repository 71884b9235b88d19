#include "CBenchmarkPeers.h"

#include <sqlite3.h>
#include <stdlib.h>

int64_t ph_peer_step_ids(const char *path, const char *sql) {
  sqlite3 *database = NULL;
  sqlite3_stmt *statement = NULL;
  int64_t count = -1, capacity = 1024;
  int64_t *ids = malloc(sizeof(int64_t) * (size_t)capacity);
  if (ids && sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK &&
      sqlite3_prepare_v2(database, sql, -1, &statement, NULL) == SQLITE_OK) {
    count = 0;
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
      if (count == capacity) {
        capacity *= 2;
        int64_t *more = realloc(ids, sizeof(int64_t) * (size_t)capacity);
        if (!more) break;
        ids = more;
      }
      ids[count++] = sqlite3_column_int64(statement, 0);
    }
    if (code != SQLITE_DONE) count = -1;
  }
  sqlite3_finalize(statement);
  sqlite3_close(database);
  free(ids);
  return count;
}
