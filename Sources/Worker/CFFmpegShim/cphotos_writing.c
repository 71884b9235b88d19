#include "cphotos_writing.h"

#include <errno.h>
#include <unistd.h>

enum { bufferSize = 256 * 1024 };

static int write_piece(void *opaque, uint8_t *bytes, int length) {
    cphotos_writing *writing = opaque;
    if (writing->error) return AVERROR(writing->error);
    if (writing->isStopped(writing->context)) return AVERROR_EXIT;
    if (writing->maximum > 0 && writing->position + length > writing->maximum) {
        writing->error = EFBIG;
        return AVERROR(EFBIG);
    }
    if (lseek(writing->descriptor, writing->position, SEEK_SET) < 0) {
        writing->error = errno;
        return AVERROR(errno);
    }
    int written = 0;
    while (written < length) {
        ssize_t count = write(writing->descriptor, bytes + written, (size_t)(length - written));
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) {
            writing->error = count < 0 ? errno : EIO;
            return AVERROR(writing->error);
        }
        written += (int)count;
    }
    writing->position += length;
    if (writing->position > writing->length) writing->length = writing->position;
    return length;
}

static int64_t seek_written(void *opaque, int64_t offset, int whence) {
    cphotos_writing *writing = opaque;
    int64_t base;
    switch (whence & ~AVSEEK_FORCE) {
    case AVSEEK_SIZE: return writing->length;
    case SEEK_SET: base = 0; break;
    case SEEK_CUR: base = writing->position; break;
    case SEEK_END: base = writing->length; break;
    default: return AVERROR(EINVAL);
    }
    int64_t moved;
    if (__builtin_add_overflow(base, offset, &moved) || moved < 0) return AVERROR(EINVAL);
    return writing->position = moved;
}

// No other file may be opened.
static int open_none(
    AVFormatContext *format, AVIOContext **io, const char *url, int flags, AVDictionary **options
) {
    (void)format, (void)io, (void)url, (void)flags, (void)options;
    return AVERROR(EPERM);
}

int cphotos_writing_open(cphotos_writing *writing, AVFormatContext *format) {
    uint8_t *buffer = av_malloc(bufferSize);
    writing->io = buffer
        ? avio_alloc_context(buffer, bufferSize, 1, writing, NULL, write_piece, seek_written)
        : NULL;
    if (!writing->io) {
        av_free(buffer);
        return AVERROR(ENOMEM);
    }
    format->pb = writing->io;
    format->flags |= AVFMT_FLAG_CUSTOM_IO;
    format->io_open = open_none;
    return 0;
}

void cphotos_writing_close(cphotos_writing *writing) {
    if (!writing->io) return;
    av_freep(&writing->io->buffer);
    avio_context_free(&writing->io);
}
