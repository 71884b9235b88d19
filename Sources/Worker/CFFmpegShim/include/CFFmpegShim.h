// Calls into FFmpeg's libraries: custom I/O needs callbacks, and constants are macros.
#ifndef CPHOTOS_FFMPEG_H
#define CPHOTOS_FFMPEG_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef struct {
    /// In seconds; negative if unknown.
    double duration;
    int hasVideo, hasAudio;
    /// In pixels as stored.
    int width, height;
    /// The average frames per second; 0 if unknown.
    double frameRate;
    int64_t frames;
    /// Clockwise quarter turns for display, 0...3, and whether a horizontal flip follows.
    int quarterTurns, isMirrored;
    char videoCodec[32], audioCodec[32];
    /// The H.273 transfer characteristics: 16 is PQ, 18 is HLG.
    int transfer;
    /// Whether frames or audio are beyond the end of the file.
    int isCutShort;
} cphotos_movie;

/// Called for each entry of the movie's metadata; the text is valid during the call.
typedef void (*cphotos_movie_entry)(void *_Nullable context, const char *key, const char *value);

/// Silences FFmpeg's log. Call it once, before any other function.
void cphotos_ffmpeg_start(void);

/// Opens and closes the decoders of most movies, without data, so that their tables are computed.
/// Starts no thread.
void cphotos_ffmpeg_warm_up(void);

/// Reads a movie through `descriptor` only. `format` is FFmpeg's name of the container, the only
/// one that is tried. Returns 0, or -1 with FFmpeg's message in `error`.
int cphotos_movie_read(
    int descriptor,
    const char *format,
    cphotos_movie *movie,
    cphotos_movie_entry entry,
    void *_Nullable context,
    char *error,
    size_t errorLength
);

/// A decoded frame: rows from the top without padding, oriented as stored. Release it with
/// `cphotos_frame_release`.
typedef struct {
    int width, height;
    /// 3, or 4 with alpha last; samples of 1 or 2 bytes.
    int bands, bytesPerSample;
    void *_Nullable pixels;
    size_t length;
    int quarterTurns, isMirrored;
    /// H.273 numbers; 2 if unknown.
    int primaries, transfer;
    /// The display time from the movie's start, in units of 1 / `timescale` seconds; only set for a
    /// frame that was requested by its time.
    int64_t time;
    int timescale;
} cphotos_frame;

/// A request for a movie's frame at a time.
typedef struct {
    /// In microseconds from the movie's start.
    int64_t time;
} cphotos_moment;

/// The properties of a still's pixels that its own file declares.
typedef struct {
    /// Whether the fourth channel is not opacity.
    int isOpaque;
    /// Whether luma uses the full range.
    int isFullRange;
} cphotos_still;

/// Called between frames; nonzero stops.
typedef int (*cphotos_frame_is_cancelled)(void *_Nullable context);

/// Decodes a movie's first frame that is not entirely dark, among the first frames of the movie.
/// With `moment`, decodes the frame that is displayed at that time, or the last one if the time is
/// after the end. `format` is FFmpeg's name of the container, the only one that is tried. Movie
/// frames are scaled to square pixels; `still` is null for movies. Returns 0; -1 with FFmpeg's
/// message in `error`; 1 if it was stopped; 2 if the frame has more pixels than `maximumPixels`.
int cphotos_movie_frame(
    int descriptor,
    const char *format,
    uint64_t maximumPixels,
    const cphotos_still *_Nullable still,
    const cphotos_moment *_Nullable moment,
    cphotos_frame_is_cancelled isCancelled,
    void *_Nullable context,
    cphotos_frame *frame,
    char *error,
    size_t errorLength
);

void cphotos_frame_release(cphotos_frame *frame);

#pragma clang assume_nonnull end

#include "cphotos_tracks.h"
#include "cphotos_conversion.h"

#endif
