// Calls a function of SQLite that Swift cannot call, since its number of arguments varies.
#ifndef CPHOTOS_SQLITE_H
#define CPHOTOS_SQLITE_H

#pragma clang assume_nonnull begin

struct sqlite3;

// As in sqlite3.h, which is not included, since most programs with this module do not link SQLite.
int sqlite3_db_config(struct sqlite3 *connection, int operation, ...);

/// Turns the triggers of a connection on or off, except those of temporary tables
/// (SQLITE_DBCONFIG_ENABLE_TRIGGER). Only programs that link SQLite may call it. Returns a result
/// code of SQLite.
static inline int cphotos_enable_triggers(struct sqlite3 *connection, int isEnabled) {
    return sqlite3_db_config(connection, 1003, isEnabled, (int *)0);
}

#pragma clang assume_nonnull end

#endif
