// What benchmarks compare with: the plainest C that gives the same answer.
#ifndef CBENCHMARKPEERS_H
#define CBENCHMARKPEERS_H

#include <stdint.h>

#pragma clang assume_nonnull begin

/// Opens the database at `path` for reading, steps `sql`, and keeps column 0 of every row in memory
/// that it allocates and frees. Returns the number of rows, or -1.
int64_t ph_peer_step_ids(const char *path, const char *sql);

#pragma clang assume_nonnull end

#endif
