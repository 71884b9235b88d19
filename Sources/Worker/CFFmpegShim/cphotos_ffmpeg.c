#include "CFFmpegShim.h"
#include "cphotos_reading.h"

#include <libavcodec/avcodec.h>
#include <libavutil/display.h>
#include <math.h>
#include <string.h>

void cphotos_ffmpeg_start(void) { av_log_set_level(AV_LOG_QUIET); }

void cphotos_ffmpeg_warm_up(void) {
    const enum AVCodecID codecs[] = {AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_AAC};
    for (size_t i = 0; i < sizeof codecs / sizeof codecs[0]; i++) {
        const AVCodec *codec = avcodec_find_decoder(codecs[i]);
        AVCodecContext *context = codec ? avcodec_alloc_context3(codec) : NULL;
        if (!context) continue;
        context->thread_count = 1;
        if (codec->type == AVMEDIA_TYPE_AUDIO) {
            context->sample_rate = 44100;
            av_channel_layout_default(&context->ch_layout, 2);
        }
        // A decoder that cannot be opened without data is only slower at first.
        avcodec_open2(context, codec, NULL);
        avcodec_free_context(&context);
    }
}

static void tell(AVDictionary *metadata, cphotos_movie_entry entry, void *context) {
    AVDictionaryEntry *item = NULL;
    while ((item = av_dict_get(metadata, "", item, AV_DICT_IGNORE_SUFFIX))) {
        entry(context, item->key, item->value);
    }
}

void cphotos_read_matrix(AVStream *stream, int *quarterTurns, int *isMirrored) {
    size_t size = 0;
    const int32_t *matrix
        = (const int32_t *)av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
    if (!matrix || size < 9 * sizeof(int32_t)) return;
    int32_t copy[9];
    memcpy(copy, matrix, sizeof copy);
    double determinant = (double)copy[0] * copy[4] - (double)copy[1] * copy[3];
    *isMirrored = determinant < 0;
    if (*isMirrored) av_display_matrix_flip(copy, 1, 0);
    double angle = av_display_rotation_get(copy);
    if (isnan(angle)) return;
    // FFmpeg's angle is counterclockwise.
    int turns = (int)lround(-angle / 90) % 4;
    *quarterTurns = turns < 0 ? turns + 4 : turns;
}

// Returns whether part of a stream is beyond the end of the file, as far as the index shows.
static int is_cut_short(AVStream *stream, int64_t size) {
    int count = avformat_index_get_entries_count(stream);
    for (int i = 0; i < count; i++) {
        const AVIndexEntry *entry = avformat_index_get_entry(stream, i);
        if (entry && (entry->pos > size || entry->size > size - entry->pos)) return 1;
    }
    return 0;
}

static void read_streams(AVFormatContext *format, cphotos_movie *movie, cphotos_movie_entry entry,
                         void *context) {
    for (unsigned i = 0; i < format->nb_streams; i++) {
        AVStream *stream = format->streams[i];
        AVCodecParameters *codec = stream->codecpar;
        const char *name = avcodec_get_name(codec->codec_id);
        if (codec->codec_type == AVMEDIA_TYPE_VIDEO && !movie->hasVideo
            && !(stream->disposition & AV_DISPOSITION_ATTACHED_PIC)) {
            movie->hasVideo = 1;
            movie->width = cphotos_square_width(format, stream, NULL, codec->width);
            movie->height = codec->height;
            movie->frames = stream->nb_frames;
            movie->transfer = codec->color_trc;
            movie->frameRate = cphotos_frame_rate(format, stream);
            strncpy(movie->videoCodec, name, sizeof movie->videoCodec - 1);
            cphotos_read_matrix(stream, &movie->quarterTurns, &movie->isMirrored);
            tell(stream->metadata, entry, context);
        } else if (codec->codec_type == AVMEDIA_TYPE_AUDIO && !movie->hasAudio) {
            movie->hasAudio = 1;
            strncpy(movie->audioCodec, name, sizeof movie->audioCodec - 1);
        }
    }
}

int cphotos_movie_read(
    int descriptor,
    const char *formatName,
    cphotos_movie *movie,
    cphotos_movie_entry entry,
    void *context,
    char *error,
    size_t errorLength
) {
    memset(movie, 0, sizeof *movie);
    movie->duration = -1;
    cphotos_reading reading;
    int code = cphotos_reading_open(&reading, descriptor, formatName);
    AVFormatContext *format = reading.format;
    if (code >= 0) {
        int found = cphotos_find_streams(format);
        tell(format->metadata, entry, context);
        for (unsigned i = 0; i < format->nb_streams && !movie->isCutShort; i++) {
            movie->isCutShort = is_cut_short(format->streams[i], reading.bytes.size);
        }
        read_streams(format, movie, entry, context);
        if (format->duration != AV_NOPTS_VALUE && format->duration >= 0) {
            movie->duration = (double)format->duration / AV_TIME_BASE;
        }
        if (found < 0 && !movie->hasVideo) code = found;
    }
    if (code < 0 && errorLength > 0) av_strerror(code, error, errorLength);
    cphotos_reading_close(&reading);
    return code < 0 ? -1 : 0;
}
