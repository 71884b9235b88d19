// What a container says of its tracks.
#ifndef CPHOTOS_TRACKS_H
#define CPHOTOS_TRACKS_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

enum {
    cphotos_track_video, cphotos_track_audio, cphotos_track_metadata, cphotos_track_subtitle, cphotos_track_timecode,
    cphotos_track_other
};

typedef struct {
    int32_t id;
    int kind;
    /// Four letters, the first in the highest byte; 0 for none.
    uint32_t codec;
    /// The codec's name for people; it lives as long as the process.
    const char *name;
    /// In units of which there are `timescale` in a second; `minimumFrame` 0 when unknown.
    int64_t start, duration, minimumFrame;
    int32_t timescale;
    /// Pixels as stored, made square.
    int width, height;
    /// Rows of the display matrix: a b u c d v x y w, 16.16 and for the third of each row 2.30.
    int32_t matrix[9];
    double frameRate, dataRate, sampleRate;
    int64_t dataLength;
    /// Three letters, or empty.
    char language[4];
    int isEnabled, channels, isHDR, isDecodable, isProtected;
    /// Whether a QuickTime file can hold it as it is.
    int fitsQuickTime;
} cphotos_track;

/// Called for each track in order; the value lives as long as the call.
typedef void (*cphotos_track_entry)(void *_Nullable context, const cphotos_track *track);

/// Reads a movie's tracks and entries through `descriptor` alone. `format` is FFmpeg's name of the
/// container. `microseconds` is the movie's length, negative when unknown. 0, or -1 with FFmpeg's
/// words in `error`.
int cphotos_movie_tracks(
    int descriptor,
    const char *format,
    int64_t *microseconds,
    cphotos_track_entry trackEntry,
    void (*entry)(void *_Nullable context, const char *key, const char *value),
    void *_Nullable context,
    char *error,
    size_t errorLength
);

/// FFmpeg's name of the codec of a QuickTime or MPEG-4 file's picture with these four letters.
const char *_Nullable cphotos_codec_name(uint32_t letters);

#pragma clang assume_nonnull end

#endif
