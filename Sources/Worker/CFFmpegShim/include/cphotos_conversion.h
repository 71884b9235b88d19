// Converts a movie to another movie.
#ifndef CPHOTOS_CONVERSION_H
#define CPHOTOS_CONVERSION_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

enum { cphotos_drop, cphotos_copy, cphotos_encode, cphotos_draw };
enum { cphotos_codec_h264, cphotos_codec_hevc };

/// Upright rows from the top, with red, green, blue and an unused byte per pixel.
typedef struct {
    const uint8_t *_Nullable pixels;
    int width, height;
    /// The number of bytes from one row to the next.
    size_t stride;
} cphotos_drawn;

/// Receives a frame before it is encoded; `time` is in units of 1 / `timescale` seconds. The
/// function may replace the frame. All replacements must have even sides and the same size, and
/// the pixels must remain valid until the next call. Returns 0 to continue; `cphotos_draw_stop` or
/// `cphotos_draw_fail` ends the conversion.
typedef int (*cphotos_conversion_draw)(
    void *_Nullable context, cphotos_drawn *drawn, int isDisplayP3, int64_t time, int32_t timescale
);
enum { cphotos_draw_stop = 1, cphotos_draw_fail };

static const int64_t cphotos_to_the_end = INT64_MAX;

typedef struct {
    /// FFmpeg's name of the source container, the only one that is tried.
    const char *_Nullable source;
    /// FFmpeg's name of the result's container, and its brand of four letters, or empty.
    const char *_Nullable container;
    const char *_Nullable brand;
    /// `cphotos_drop`, `cphotos_copy` or `cphotos_encode`. For video also `cphotos_draw`, which
    /// rotates frames upright, converts them to 8-bit RGB and passes them to `draw` before
    /// encoding.
    int video, audio;
    int codec;
    /// The bounds of the picture as stored, rotated with the picture; 0 for no bounds.
    int maximumWidth, maximumHeight;
    /// In bits per second; 0 for the default.
    int64_t videoBitRate, audioBitRate;
    /// In microseconds from the movie's start. `start` must not be negative; `duration` must be
    /// positive, and is `cphotos_to_the_end` for the rest of the movie.
    int64_t start, duration;
    /// Whether to keep the header's date, the tracks' names and dates, and the chapters.
    int keepsMetadata;
    /// 0 for no limit.
    int64_t maximumBytes;
    uint64_t maximumPixels;
    int threads;
    /// The number of time units per second in the movie's header; 0 for the default.
    int movieScale;
    /// The factor by which samples of encoded audio are multiplied.
    double volume;
    /// Receives the same context as `progress`.
    cphotos_conversion_draw _Nullable draw;
} cphotos_conversion_settings;

enum { cphotos_most_tracks = 64 };

typedef struct {
    /// In microseconds.
    int64_t duration;
    int64_t bytes;
    /// FFmpeg's name; empty without video.
    char videoCodec[32];
    /// The source's track number of each resulting track, in the order of the result.
    int32_t sources[cphotos_most_tracks];
    int trackCount;
} cphotos_conversion_result;

/// Receives the progress, 0...1, often and never decreasing; nonzero stops.
typedef int (*cphotos_conversion_progress)(void *_Nullable context, double done);

enum { cphotos_converted, cphotos_stopped, cphotos_unreadable, cphotos_unwritable };

/// Converts the movie of `input` into the empty file `output`. The index is written last, with the
/// header's date and no other metadata of the movie. Unless the result is `cphotos_converted` or
/// `cphotos_stopped`, `error` contains the reason as a clause for users.
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
