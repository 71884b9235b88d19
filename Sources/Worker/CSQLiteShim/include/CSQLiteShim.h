// SQLite's file layer and its settings are C structures of callbacks and variadic functions.
#ifndef CPHOTOS_SQLITE_H
#define CPHOTOS_SQLITE_H

#include <sqlite3.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Opens a database and its write-ahead log by their descriptors, read-only, with the settings for
/// untrusted files. The descriptors must stay open as long as the connection.
///
/// A `log` of -1 stands for an empty log. `seconds` limits the time of each statement. At most four
/// connections can be open, all used by one thread.
/// Returns SQLite's code; the connection must be closed with `cphotos_library_close` in any case.
int cphotos_library_open(
    int database, int log, int seconds, sqlite3 *_Nullable *_Nonnull connection
);

/// Restarts the time limit of all statements, so that each has the full time again.
void cphotos_library_restart_time(void);

/// Closes a connection; every statement must be finalized before.
void cphotos_library_close(sqlite3 *_Nullable connection);

/// Binds a text that SQLite copies.
int cphotos_library_bind_text(
    sqlite3_stmt *statement, int index, const char *text, int length
);

#pragma clang assume_nonnull end

#endif
