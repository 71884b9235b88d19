#include "CFFmpegShim.h"

#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { bufferSize = 64 * 1024 };

typedef struct {
    int descriptor;
    int64_t position, size;
} ph_source;

static int read_source(void *opaque, uint8_t *buffer, int length) {
    ph_source *source = opaque;
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
    ph_source *source = opaque;
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

void ph_ffmpeg_start(void) { av_log_set_level(AV_LOG_QUIET); }

static void tell(AVDictionary *metadata, ph_movie_entry entry, void *context) {
    AVDictionaryEntry *item = NULL;
    while ((item = av_dict_get(metadata, "", item, AV_DICT_IGNORE_SUFFIX))) {
        entry(context, item->key, item->value);
    }
}

static void read_matrix(AVStream *stream, ph_movie *movie) {
    size_t size = 0;
    const int32_t *matrix
        = (const int32_t *)av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
    if (!matrix || size < 9 * sizeof(int32_t)) return;
    int32_t copy[9];
    memcpy(copy, matrix, sizeof copy);
    double determinant = (double)copy[0] * copy[4] - (double)copy[1] * copy[3];
    movie->isMirrored = determinant < 0;
    if (movie->isMirrored) av_display_matrix_flip(copy, 1, 0);
    double angle = av_display_rotation_get(copy);
    if (isnan(angle)) return;
    // FFmpeg's angle is anticlockwise.
    int turns = (int)lround(-angle / 90) % 4;
    movie->quarterTurns = turns < 0 ? turns + 4 : turns;
}

static void read_streams(AVFormatContext *format, ph_movie *movie, ph_movie_entry entry,
                         void *context) {
    for (unsigned i = 0; i < format->nb_streams; i++) {
        AVStream *stream = format->streams[i];
        AVCodecParameters *codec = stream->codecpar;
        const char *name = avcodec_get_name(codec->codec_id);
        if (codec->codec_type == AVMEDIA_TYPE_VIDEO && !movie->hasVideo
            && !(stream->disposition & AV_DISPOSITION_ATTACHED_PIC)) {
            movie->hasVideo = 1;
            movie->width = codec->width;
            movie->height = codec->height;
            movie->frames = stream->nb_frames;
            movie->transfer = codec->color_trc;
            double rate = stream->avg_frame_rate.den ? av_q2d(stream->avg_frame_rate) : 0;
            movie->frameRate = isfinite(rate) && rate > 0 ? rate : 0;
            strncpy(movie->videoCodec, name, sizeof movie->videoCodec - 1);
            read_matrix(stream, movie);
            tell(stream->metadata, entry, context);
        } else if (codec->codec_type == AVMEDIA_TYPE_AUDIO && !movie->hasAudio) {
            movie->hasAudio = 1;
            strncpy(movie->audioCodec, name, sizeof movie->audioCodec - 1);
        }
    }
}

int ph_movie_read(
    int descriptor,
    const char *formatName,
    ph_movie *movie,
    ph_movie_entry entry,
    void *context,
    char *error,
    size_t errorLength
) {
    memset(movie, 0, sizeof *movie);
    movie->duration = -1;
    struct stat status;
    if (fstat(descriptor, &status) != 0) return -1;
    ph_source source = {.descriptor = descriptor, .size = status.st_size};
    const AVInputFormat *input = av_find_input_format(formatName);
    AVFormatContext *format = avformat_alloc_context();
    uint8_t *buffer = av_malloc(bufferSize);
    AVIOContext *reading = buffer && format
        ? avio_alloc_context(buffer, bufferSize, 0, &source, read_source, NULL, seek_source)
        : NULL;
    int code = AVERROR(ENOMEM);
    if (reading && input) {
        format->pb = reading;
        format->flags |= AVFMT_FLAG_CUSTOM_IO;
        AVDictionary *options = NULL;
        // No reference to another file or address is followed.
        av_dict_set(&options, "protocol_whitelist", "none", 0);
        av_dict_set(&options, "enable_drefs", "0", 0);
        code = avformat_open_input(&format, NULL, input, &options);
        av_dict_free(&options);
    }
    if (code >= 0) {
        // The decoders that this opens may not start threads.
        AVDictionary **options = av_calloc(format->nb_streams ? format->nb_streams : 1,
                                           sizeof *options);
        unsigned streams = format->nb_streams;
        for (unsigned i = 0; options && i < streams; i++) {
            av_dict_set(&options[i], "threads", "1", 0);
        }
        int found = avformat_find_stream_info(format, options);
        for (unsigned i = 0; options && i < streams; i++) av_dict_free(&options[i]);
        av_free(options);
        tell(format->metadata, entry, context);
        read_streams(format, movie, entry, context);
        if (format->duration != AV_NOPTS_VALUE && format->duration >= 0) {
            movie->duration = (double)format->duration / AV_TIME_BASE;
        }
        if (found < 0 && !movie->hasVideo) code = found;
    }
    if (code < 0 && errorLength > 0) av_strerror(code, error, errorLength);
    if (format) avformat_close_input(&format);
    if (reading) {
        av_freep(&reading->buffer);
        avio_context_free(&reading);
    } else {
        av_free(buffer);
    }
    return code < 0 ? -1 : 0;
}
