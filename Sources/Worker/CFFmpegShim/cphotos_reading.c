#include "cphotos_reading.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { bufferSize = 64 * 1024 };

static int read_source(void *opaque, uint8_t *buffer, int length) {
    cphotos_bytes *source = opaque;
    ssize_t count;
    do {
        count = pread(source->descriptor, buffer, (size_t)length, source->position);
    } while (count < 0 && errno == EINTR);
    if (count < 0) return AVERROR(errno);
    if (count == 0) return AVERROR_EOF;
    source->position += count;
    return (int)count;
}

static int64_t seek_source(void *opaque, int64_t offset, int whence) {
    cphotos_bytes *source = opaque;
    int64_t base;
    switch (whence & ~AVSEEK_FORCE) {
    case AVSEEK_SIZE: return source->size;
    case SEEK_SET: base = 0; break;
    case SEEK_CUR: base = source->position; break;
    case SEEK_END: base = source->size; break;
    default: return AVERROR(EINVAL);
    }
    int64_t position;
    if (__builtin_add_overflow(base, offset, &position) || position < 0) return AVERROR(EINVAL);
    source->position = position;
    return position;
}

int cphotos_reading_open(cphotos_reading *reading, int descriptor, const char *formatName) {
    memset(reading, 0, sizeof *reading);
    struct stat status;
    if (fstat(descriptor, &status) != 0) return AVERROR(errno);
    reading->bytes = (cphotos_bytes){.descriptor = descriptor, .size = status.st_size};
    const AVInputFormat *input = av_find_input_format(formatName);
    reading->format = avformat_alloc_context();
    uint8_t *buffer = av_malloc(bufferSize);
    reading->io = buffer && reading->format
        ? avio_alloc_context(
              buffer, bufferSize, 0, &reading->bytes, read_source, NULL, seek_source
          )
        : NULL;
    if (!reading->io || !input) {
        if (!reading->io) av_free(buffer);
        return AVERROR(ENOMEM);
    }
    reading->format->pb = reading->io;
    reading->format->flags |= AVFMT_FLAG_CUSTOM_IO;
    AVDictionary *options = NULL;
    // References to other files or addresses are not followed.
    av_dict_set(&options, "protocol_whitelist", "none", 0);
    av_dict_set(&options, "enable_drefs", "0", 0);
    int code = avformat_open_input(&reading->format, NULL, input, &options);
    av_dict_free(&options);
    return code < 0 ? code : 0;
}

int cphotos_find_streams(AVFormatContext *format) {
    // The decoders that this call opens must not start threads.
    unsigned streams = format->nb_streams;
    AVDictionary **options = av_calloc(streams ? streams : 1, sizeof *options);
    for (unsigned i = 0; options && i < streams; i++) {
        av_dict_set(&options[i], "threads", "1", 0);
    }
    int found = avformat_find_stream_info(format, options);
    for (unsigned i = 0; options && i < streams; i++) av_dict_free(&options[i]);
    av_free(options);
    return found;
}

int cphotos_square_width(AVFormatContext *format, AVStream *stream, AVFrame *frame, int width) {
    AVRational aspect = av_guess_sample_aspect_ratio(format, stream, frame);
    if (aspect.num <= 0 || aspect.den <= 0 || aspect.num == aspect.den) return width;
    int64_t square = av_rescale_rnd(width, aspect.num, aspect.den, AV_ROUND_NEAR_INF);
    // A header that counts other rows than the codec, such as 1080 of 1088, implies nearly square
    // pixels, and so does a movie that was scaled to an even number of rows. The ratios of real
    // formats differ by 6 % or more.
    if (square >= width - width / 25 && square <= width + width / 25) return width;
    // No broadcast or disc format stretches more.
    return square >= (width + 3) / 4 && square <= 4 * (int64_t)width ? (int)square : width;
}

void cphotos_reading_close(cphotos_reading *reading) {
    if (reading->format) avformat_close_input(&reading->format);
    if (reading->io) {
        av_freep(&reading->io->buffer);
        avio_context_free(&reading->io);
    }
}
