// Making a movie of a movie.
#ifndef CPHOTOS_CONVERSION_H
#define CPHOTOS_CONVERSION_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

enum { cphotos_drop, cphotos_copy, cphotos_encode, cphotos_draw };
enum { cphotos_codec_h264, cphotos_codec_hevc };

/// Rows of red, green, blue and one byte more, from the top and upright.
typedef struct {
    const uint8_t *_Nullable pixels;
    int width, height;
    /// Bytes from row to row.
    size_t stride;
} cphotos_drawn;

/// Shown a frame before it is encoded; `time` is in units of which there are `timescale` in a second.
/// May put another picture in its place, of even sides and as large as all others, whose pixels must
/// stay until the next call. Else than 0, `cphotos_draw_stop` and `cphotos_draw_fail` end the conversion.
typedef int (*cphotos_conversion_draw)(
    void *_Nullable context, cphotos_drawn *drawn, int isDisplayP3, int64_t time, int32_t timescale
);
enum { cphotos_draw_stop = 1, cphotos_draw_fail };

typedef struct {
    /// FFmpeg's name of the container that is read: nothing else is tried.
    const char *_Nullable source;
    /// FFmpeg's name of the container that is written, and its brand of four letters or empty.
    const char *_Nullable container;
    const char *_Nullable brand;
    /// `cphotos_drop`, `cphotos_copy` or `cphotos_encode`; of pictures also `cphotos_draw`: turned upright, in plain colours
    /// and drawn by `draw` before they are encoded.
    int video, audio;
    int codec;
    /// Bounds of the picture as stored, turned where the picture is; 0 for none.
    int maximumWidth, maximumHeight;
    /// Bits per second; 0 for what is right.
    int64_t videoBitRate, audioBitRate;
    /// Microseconds from the movie's begin; a negative `duration` goes on to the end.
    int64_t start, duration;
    /// Whether the header's date, the tracks' names and dates and the chapters are kept.
    int keepsMetadata;
    /// 0 for any number.
    int64_t maximumBytes;
    uint64_t maximumPixels;
    int threads;
    /// Units of the movie's own times in a second; 0 for what is usual.
    int movieScale;
    /// What sound that is encoded is multiplied with.
    double volume;
    /// Gets the same context as `progress`.
    cphotos_conversion_draw _Nullable draw;
} cphotos_conversion_settings;

enum { cphotos_most_tracks = 64 };

typedef struct {
    /// Microseconds.
    int64_t duration;
    int64_t bytes;
    /// FFmpeg's name; empty without pictures.
    char videoCodec[32];
    /// The source's own number of each track that was made, in order.
    int32_t sources[cphotos_most_tracks];
    int trackCount;
} cphotos_conversion_result;

/// Told how far it is, 0...1, never less than before, often; not 0 stops.
typedef int (*cphotos_conversion_progress)(void *_Nullable context, double done);

enum { cphotos_converted, cphotos_stopped, cphotos_unreadable, cphotos_unwritable };

/// Converts the movie behind `input` into the empty file behind `output`; the index comes last, with
/// the header's date and nothing else that is said of the movie. Else than for
/// `cphotos_converted` and `cphotos_stopped`, `error` says why: a clause for people.
int cphotos_movie_convert(
    int input,
    int output,
    const cphotos_conversion_settings *settings,
    cphotos_conversion_progress progress,
    void *_Nullable context,
    cphotos_conversion_result *result,
    char *error,
    size_t errorLength
);

#pragma clang assume_nonnull end

#endif
