// A container that is read through a descriptor only. Internal to this shim.
#ifndef CPHOTOS_READING_H
#define CPHOTOS_READING_H

#include <libavformat/avformat.h>

typedef struct {
    int descriptor;
    int64_t position, size;
} cphotos_bytes;

typedef struct {
    cphotos_bytes bytes;
    AVIOContext *io;
    AVFormatContext *format;
} cphotos_reading;

// Opens a container; on failure it is closed. Returns 0 or FFmpeg's error.
int cphotos_reading_open(cphotos_reading *reading, int descriptor, const char *formatName);

// Probes the streams without starting threads. Returns FFmpeg's result.
int cphotos_find_streams(AVFormatContext *format);

void cphotos_reading_close(cphotos_reading *reading);

// Returns whether a stream is encrypted.
int cphotos_is_protected(AVStream *stream);

// Returns the width of a frame in square pixels. The width of streams and frames is in stored
// pixels in all containers.
int cphotos_square_width(AVFormatContext *format, AVStream *stream, AVFrame *frame, int width);

// Returns the frames per second of a video stream, or 0 if unknown. May read and seek.
double cphotos_frame_rate(AVFormatContext *format, AVStream *stream);

// Reads the rotation and mirroring that display requires.
void cphotos_read_matrix(AVStream *stream, int *quarterTurns, int *isMirrored);

#endif
