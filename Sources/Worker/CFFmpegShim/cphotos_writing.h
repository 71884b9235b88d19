// A container written through a descriptor alone. Between the files of this shim only.
#ifndef CPHOTOS_WRITING_H
#define CPHOTOS_WRITING_H

#include <libavformat/avformat.h>

typedef struct {
    int descriptor;
    int64_t position, length, maximum;
    // Why a write failed: an errno, or EFBIG when it came to the maximum.
    int error;
    // Asked between pieces: not 0 stops.
    int (*isStopped)(void *context);
    void *context;
    AVIOContext *io;
} cphotos_writing;

// Gives `format` a file to write. 0 or FFmpeg's error.
int cphotos_writing_open(cphotos_writing *writing, AVFormatContext *format);

void cphotos_writing_close(cphotos_writing *writing);

#endif
