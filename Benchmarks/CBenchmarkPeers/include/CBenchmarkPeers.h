// The peers of benchmarks: the simplest C that returns the same result.
#ifndef CBENCHMARKPEERS_H
#define CBENCHMARKPEERS_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Opens the database at `path` for reading, steps `sql`, and keeps column 0 of every row in memory
/// that it allocates and frees. Returns the number of rows, or -1.
int64_t cphotos_peer_step_ids(const char *path, const char *sql);

/// A writer connection: WAL, synchronous=FULL, prepared statements. NULL on failure.
typedef struct cphotos_peer_writer cphotos_peer_writer;
cphotos_peer_writer *_Nullable cphotos_peer_writer_open(const char *path);
void cphotos_peer_writer_close(cphotos_peer_writer *writer);

/// Sets or clears the favorite flag of `count` assets from the row id `first` on, in one
/// transaction that also writes each modification date and journal row. Returns 0, or SQLite's
/// code.
int cphotos_peer_favorites(cphotos_peer_writer *writer, int64_t first, int64_t count, int favorite,
                      double time);

/// A JPEG decoder for one thread, with its memory. NULL on failure.
typedef struct cphotos_peer_decoder cphotos_peer_decoder;
cphotos_peer_decoder *_Nullable cphotos_peer_decoder_open(void);
void cphotos_peer_decoder_close(cphotos_peer_decoder *decoder);

/// Decodes a JPEG to `decodedWidth` x `decodedHeight`, a size to which libjpeg-turbo can shrink it.
/// If `width` x `height` differs, scales the result to it with a cubic filter as wide as the step.
/// Writes four bytes per pixel. Returns a checksum of some of the pixels, or -1.
int64_t cphotos_peer_decode(cphotos_peer_decoder *decoder, const void *jpeg, size_t length, int decodedWidth,
                       int decodedHeight, int width, int height);

#pragma clang assume_nonnull end

#endif
