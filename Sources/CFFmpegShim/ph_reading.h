// A container read through a descriptor alone. Between the files of this shim only.
#ifndef PH_READING_H
#define PH_READING_H

#include <libavformat/avformat.h>

typedef struct {
    int descriptor;
    int64_t position, size;
} ph_bytes;

typedef struct {
    ph_bytes bytes;
    AVIOContext *io;
    AVFormatContext *format;
} ph_reading;

// Opens a container; one that failed is closed too. 0 or FFmpeg's error.
int ph_reading_open(ph_reading *reading, int descriptor, const char *formatName);

// Looks into the streams, without starting threads. FFmpeg's result.
int ph_find_streams(AVFormatContext *format);

void ph_reading_close(ph_reading *reading);

// Whether a stream is encrypted.
int ph_is_protected(AVStream *stream);

// The width of a picture in square pixels. QuickTime's and MPEG-4's headers say it themselves.
int ph_square_width(AVFormatContext *format, AVStream *stream, AVFrame *frame, int width);

// Frames per second of a video stream, 0 where that is unknown. May read and seek.
double ph_frame_rate(AVFormatContext *format, AVStream *stream);

// How a stream's picture is turned and mirrored for display.
void ph_read_matrix(AVStream *stream, int *quarterTurns, int *isMirrored);

#endif
