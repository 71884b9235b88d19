// A container read through a descriptor alone. Between the files of this shim only.
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

// Opens a container; one that failed is closed too. 0 or FFmpeg's error.
int cphotos_reading_open(cphotos_reading *reading, int descriptor, const char *formatName);

// Looks into the streams, without starting threads. FFmpeg's result.
int cphotos_find_streams(AVFormatContext *format);

void cphotos_reading_close(cphotos_reading *reading);

// Whether a stream is encrypted.
int cphotos_is_protected(AVStream *stream);

// The width of a picture in square pixels. QuickTime's and MPEG-4's headers say it themselves.
int cphotos_square_width(AVFormatContext *format, AVStream *stream, AVFrame *frame, int width);

// Frames per second of a video stream, 0 where that is unknown. May read and seek.
double cphotos_frame_rate(AVFormatContext *format, AVStream *stream);

// How a stream's picture is turned and mirrored for display.
void cphotos_read_matrix(AVStream *stream, int *quarterTurns, int *isMirrored);

#endif
