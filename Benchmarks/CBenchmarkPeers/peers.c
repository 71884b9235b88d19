#include "CBenchmarkPeers.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

int64_t cphotos_peer_step_ids(const char *path, const char *sql) {
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

struct cphotos_peer_writer {
  sqlite3 *database;
  sqlite3_stmt *begin, *commit, *last, *version, *select, *update, *entry;
};

cphotos_peer_writer *cphotos_peer_writer_open(const char *path) {
  cphotos_peer_writer *writer = calloc(1, sizeof *writer);
  if (!writer) return NULL;
  int code = sqlite3_open_v2(path, &writer->database, SQLITE_OPEN_READWRITE, NULL);
  sqlite3 *database = writer->database;
  struct {
    sqlite3_stmt **statement;
    const char *sql;
  } statements[] = {
      {&writer->begin, "BEGIN IMMEDIATE"},
      {&writer->commit, "COMMIT"},
      {&writer->last, "SELECT max(version) FROM journalVersion"},
      {&writer->version, "INSERT INTO journalVersion (version, time, author) VALUES (?, ?, 'peer')"},
      {&writer->select, "SELECT uuid, modificationDate FROM asset WHERE id = ?"},
      {&writer->update, "UPDATE asset SET isFavorite = ?, modificationDate = ? WHERE id = ?"},
      {&writer->entry,
       "INSERT INTO journalEntry (version, kind, objectId, uuid, change, contentChanged, oldValues,"
       " newValues) VALUES (?, 1, ?, ?, 2, 0, ?, ?)"},
  };
  if (code == SQLITE_OK) {
    code = sqlite3_exec(database,
                        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
                        " PRAGMA foreign_keys = ON",
                        NULL, NULL, NULL);
  }
  for (size_t i = 0; code == SQLITE_OK && i < sizeof statements / sizeof *statements; i++) {
    code = sqlite3_prepare_v2(database, statements[i].sql, -1, statements[i].statement, NULL);
  }
  if (code == SQLITE_OK) return writer;
  cphotos_peer_writer_close(writer);
  return NULL;
}

void cphotos_peer_writer_close(cphotos_peer_writer *writer) {
  sqlite3_stmt *statements[] = {writer->begin,  writer->commit, writer->last, writer->version,
                                writer->select, writer->update, writer->entry};
  for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
    sqlite3_finalize(statements[i]);
  }
  sqlite3_close(writer->database);
  free(writer);
}

/// Runs a statement that returns no rows, and resets it.
static int run(sqlite3_stmt *statement) {
  int code = sqlite3_step(statement);
  int reset = sqlite3_reset(statement);
  return code == SQLITE_DONE ? SQLITE_OK : reset ? reset : SQLITE_ERROR;
}

static int favorite(cphotos_peer_writer *writer, int64_t version, int64_t id, int is, double time) {
  sqlite3_bind_int64(writer->select, 1, id);
  if (sqlite3_step(writer->select) != SQLITE_ROW) return SQLITE_NOTFOUND;
  char uuid[40], before[80], after[80];
  snprintf(uuid, sizeof uuid, "%s", (const char *)sqlite3_column_text(writer->select, 0));
  snprintf(before, sizeof before, "{\"modificationDate\":%.17g,\"isFavorite\":%d}",
           sqlite3_column_double(writer->select, 1), !is);
  snprintf(after, sizeof after, "{\"modificationDate\":%.17g,\"isFavorite\":%d}", time, is);
  sqlite3_reset(writer->select);
  sqlite3_bind_int(writer->update, 1, is);
  sqlite3_bind_double(writer->update, 2, time);
  sqlite3_bind_int64(writer->update, 3, id);
  int code = run(writer->update);
  if (code != SQLITE_OK) return code;
  sqlite3_bind_int64(writer->entry, 1, version);
  sqlite3_bind_int64(writer->entry, 2, id);
  sqlite3_bind_text(writer->entry, 3, uuid, -1, SQLITE_TRANSIENT);
  sqlite3_bind_text(writer->entry, 4, before, -1, SQLITE_TRANSIENT);
  sqlite3_bind_text(writer->entry, 5, after, -1, SQLITE_TRANSIENT);
  return run(writer->entry);
}

int cphotos_peer_favorites(cphotos_peer_writer *writer, int64_t first, int64_t count, int is, double time) {
  int code = run(writer->begin);
  if (code != SQLITE_OK) return code;
  int64_t version = 1;
  if (sqlite3_step(writer->last) == SQLITE_ROW) {
    version = sqlite3_column_int64(writer->last, 0) + 1;
  }
  sqlite3_reset(writer->last);
  sqlite3_bind_int64(writer->version, 1, version);
  sqlite3_bind_double(writer->version, 2, time);
  code = run(writer->version);
  for (int64_t id = first; code == SQLITE_OK && id < first + count; id++) {
    code = favorite(writer, version, id, is, time);
  }
  return code == SQLITE_OK ? run(writer->commit) : code;
}
