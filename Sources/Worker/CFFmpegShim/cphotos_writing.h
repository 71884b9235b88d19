// A container that is written through a descriptor only. Internal to this shim.
#ifndef CPHOTOS_WRITING_H
#define CPHOTOS_WRITING_H

#include <libavformat/avformat.h>

typedef struct {
    int descriptor;
    int64_t position, length, maximum;
    // The reason for a failed write: an errno, or EFBIG when it exceeded the maximum.
    int error;
    // Called between parts; nonzero stops.
    int (*isStopped)(void *context);
    void *context;
    AVIOContext *io;
} cphotos_writing;

// Opens the output of `format`. Returns 0 or FFmpeg's error.
int cphotos_writing_open(cphotos_writing *writing, AVFormatContext *format);

void cphotos_writing_close(cphotos_writing *writing);

#endif
