// The tracks that a container declares.
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
    /// A four-character code, the first character in the highest byte; 0 for none.
    uint32_t codec;
    /// The codec's display name, valid as long as the process.
    const char *name;
    /// In units of 1 / `timescale` seconds; `minimumFrame` is 0 if unknown.
    int64_t start, duration, minimumFrame;
    int32_t timescale;
    /// In pixels as stored, scaled to square pixels.
    int width, height;
    /// The rows of the display matrix, a b u c d v x y w, in 16.16 format, and in 2.30 for the
    /// third value of each row.
    int32_t matrix[9];
    double frameRate, dataRate, sampleRate;
    int64_t dataLength;
    /// Three letters, or empty.
    char language[4];
    int isEnabled, channels, isHDR, isDecodable, isProtected;
    /// Whether a QuickTime file can contain the track unchanged.
    int fitsQuickTime;
} cphotos_track;

/// Called for each track in order; the value is valid during the call.
typedef void (*cphotos_track_entry)(void *_Nullable context, const cphotos_track *track);

/// Reads a movie's tracks and metadata entries through `descriptor` only. `format` is FFmpeg's name
/// of the container. `microseconds` is the movie's duration, negative if unknown. Returns 0, or -1
/// with FFmpeg's message in `error`.
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

/// Returns FFmpeg's codec name for these four letters in a QuickTime or MPEG-4 file's video track.
const char *_Nullable cphotos_codec_name(uint32_t letters);

#pragma clang assume_nonnull end

#endif
