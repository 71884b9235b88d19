// Calls into FFmpeg's libraries: custom reading needs callbacks, its constants are macros.
#ifndef CPHOTOS_FFMPEG_H
#define CPHOTOS_FFMPEG_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef struct {
    /// Seconds; negative when unknown.
    double duration;
    int hasVideo, hasAudio;
    /// Pixels as stored.
    int width, height;
    /// Average frames per second; 0 when unknown.
    double frameRate;
    int64_t frames;
    /// Quarter turns clockwise for display, 0...3, and whether the picture is mirrored first.
    int quarterTurns, isMirrored;
    char videoCodec[32], audioCodec[32];
    /// H.273 transfer characteristics: 16 PQ, 18 HLG.
    int transfer;
    /// Whether pictures or sound lie behind the end of the file.
    int isCutShort;
} cphotos_movie;

/// Called for each entry of the movie's metadata; the text lives as long as the call.
typedef void (*cphotos_movie_entry)(void *_Nullable context, const char *key, const char *value);

/// Takes over FFmpeg's log and opens its tables. Once, first of all.
void cphotos_ffmpeg_start(void);

/// Reads a movie through `descriptor` alone. `format` is FFmpeg's name of the container: nothing
/// else is tried. 0, or -1 with FFmpeg's words in `error`.
int cphotos_movie_read(
    int descriptor,
    const char *format,
    cphotos_movie *movie,
    cphotos_movie_entry entry,
    void *_Nullable context,
    char *error,
    size_t errorLength
);

/// A decoded frame: rows from the top without padding, as stored. Released by `cphotos_frame_release`.
typedef struct {
    int width, height;
    /// 3, or 4 with alpha last; of 1 or 2 bytes.
    int bands, bytesPerSample;
    void *_Nullable pixels;
    size_t length;
    int quarterTurns, isMirrored;
    /// H.273 numbers; 2 for unknown.
    int primaries, transfer;
    /// When it is shown, from the movie's begin, in units of which there are `timescale` in a second;
    /// only of a frame that was asked for by its time.
    int64_t time;
    int timescale;
} cphotos_frame;

/// A movie's frame by its time.
typedef struct {
    /// Microseconds from the movie's begin.
    int64_t time;
} cphotos_moment;

/// What a still's own file says of its pixels.
typedef struct {
    /// Whether a fourth channel is no opacity.
    int isOpaque;
    /// Whether luma uses all numbers.
    int isFullRange;
} cphotos_still;

/// Asked between frames; not 0 stops.
typedef int (*cphotos_frame_is_cancelled)(void *_Nullable context);

/// Decodes a movie's first frame that shows something: of the first frames, one that is not all dark.
/// With `moment` it is the frame that is shown then; after the end the last one. `format` is FFmpeg's
/// name of the container: nothing else is tried. Pixels of a movie are made square; `still` is null for
/// movies. 0; -1 with FFmpeg's words in `error`; 1 when it was stopped;
/// 2 when it has more pixels than `maximumPixels`.
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
