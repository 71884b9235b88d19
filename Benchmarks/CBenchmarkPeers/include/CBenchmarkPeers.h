// What benchmarks compare with: the plainest C that gives the same answer.
#ifndef CBENCHMARKPEERS_H
#define CBENCHMARKPEERS_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Opens the database at `path` for reading, steps `sql`, and keeps column 0 of every row in memory
/// that it allocates and frees. Returns the number of rows, or -1.
int64_t cphotos_peer_step_ids(const char *path, const char *sql);

/// A connection that writes: WAL, synchronous=FULL, statements prepared. NULL when it cannot be had.
typedef struct cphotos_peer_writer cphotos_peer_writer;
cphotos_peer_writer *_Nullable cphotos_peer_writer_open(const char *path);
void cphotos_peer_writer_close(cphotos_peer_writer *writer);

/// Makes `count` assets from the row id `first` on favourites, or none, in one transaction: each row
/// with its modification date, and what the journal says of it. Returns 0, or SQLite's code.
int cphotos_peer_favorites(cphotos_peer_writer *writer, int64_t first, int64_t count, int favorite,
                      double time);

/// A decoder of JPEGs with the memory that it needs, for one thread. NULL when it cannot be had.
typedef struct cphotos_peer_decoder cphotos_peer_decoder;
cphotos_peer_decoder *_Nullable cphotos_peer_decoder_open(void);
void cphotos_peer_decoder_close(cphotos_peer_decoder *decoder);

/// Decodes a JPEG to `decodedWidth` x `decodedHeight`, a size to which libjpeg-turbo can shrink it, and
/// scales that to `width` x `height` by a cubic filter as wide as the step, where they differ. Four bytes
/// a pixel. Returns a sum of some of the pixels, or -1.
int64_t cphotos_peer_decode(cphotos_peer_decoder *decoder, const void *jpeg, size_t length, int decodedWidth,
                       int decodedHeight, int width, int height);

#pragma clang assume_nonnull end

#endif
