#include "CFFmpegShim.h"
#include "cphotos_reading.h"

#include <libavcodec/avcodec.h>
#include <libavutil/bswap.h>
#include <math.h>
#include <string.h>

int cphotos_is_protected(AVStream *stream) {
    static const char *const tags[] = {"encv", "enca", "encs", "encm", "drmi", "drms", "drmt"};
    uint32_t tag = stream->codecpar->codec_tag;
    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++) {
        if (tag == MKTAG(tags[i][0], tags[i][1], tags[i][2], tags[i][3])) return 1;
    }
    return av_stream_get_side_data(stream, AV_PKT_DATA_ENCRYPTION_INIT_INFO, NULL) != NULL;
}

static int kind_of(AVStream *stream) {
    uint32_t tag = stream->codecpar->codec_tag;
    switch (stream->codecpar->codec_type) {
    case AVMEDIA_TYPE_VIDEO: return cphotos_track_video;
    case AVMEDIA_TYPE_AUDIO: return cphotos_track_audio;
    case AVMEDIA_TYPE_SUBTITLE: return cphotos_track_subtitle;
    default: break;
    }
    if (tag == MKTAG('t', 'm', 'c', 'd')) return cphotos_track_timecode;
    if (tag == MKTAG('m', 'e', 'b', 'x') || tag == MKTAG('m', 'e', 't', 'a')
        || tag == MKTAG('g', 'p', 'm', 'd')) {
        return cphotos_track_metadata;
    }
    return cphotos_track_other;
}

// Reads the container's own index.
static void read_index(AVStream *stream, int isComplete, cphotos_track *track) {
    int count = avformat_index_get_entries_count(stream);
    int64_t last = AV_NOPTS_VALUE;
    for (int i = 0; i < count; i++) {
        const AVIndexEntry *entry = avformat_index_get_entry(stream, i);
        if (!entry) continue;
        if (entry->size > 0) track->dataLength += entry->size;
        if (last != AV_NOPTS_VALUE && entry->timestamp > last
            && (track->minimumFrame == 0 || entry->timestamp - last < track->minimumFrame)) {
            track->minimumFrame = entry->timestamp - last;
        }
        last = entry->timestamp;
    }
    // Other containers only list the positions to seek to.
    if (!isComplete) track->dataLength = track->minimumFrame = 0;
}

static void read_picture(AVFormatContext *format, AVStream *stream, cphotos_track *track) {
    AVCodecParameters *codec = stream->codecpar;
    track->width = codec->width;
    track->height = codec->height;
    AVRational aspect = av_guess_sample_aspect_ratio(format, stream, NULL);
    if (aspect.num > 0 && aspect.den > 0 && aspect.num != aspect.den && codec->width > 0) {
        int64_t width = av_rescale(codec->width, aspect.num, aspect.den);
        if (width > 0 && width <= 1 << 20) track->width = (int)width;
    }
    track->frameRate = cphotos_frame_rate(format, stream);
    track->isHDR = codec->color_trc == AVCOL_TRC_SMPTE2084
        || codec->color_trc == AVCOL_TRC_ARIB_STD_B67
        || av_stream_get_side_data(stream, AV_PKT_DATA_DOVI_CONF, NULL);
    size_t size = 0;
    const void *matrix = av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
    if (matrix && size >= sizeof track->matrix) {
        memcpy(track->matrix, matrix, sizeof track->matrix);
    }
}

// Returns Apple's four-character code for codecs in containers that use other identifiers.
static uint32_t letters_of(enum AVCodecID codec) {
    switch (codec) {
    case AV_CODEC_ID_H264: return MKBETAG('a', 'v', 'c', '1');
    case AV_CODEC_ID_HEVC: return MKBETAG('h', 'v', 'c', '1');
    case AV_CODEC_ID_MPEG1VIDEO: return MKBETAG('m', 'p', '1', 'v');
    case AV_CODEC_ID_MPEG2VIDEO: return MKBETAG('m', 'p', '2', 'v');
    case AV_CODEC_ID_MPEG4: return MKBETAG('m', 'p', '4', 'v');
    case AV_CODEC_ID_AAC: return MKBETAG('m', 'p', '4', 'a');
    case AV_CODEC_ID_AC3: return MKBETAG('a', 'c', '-', '3');
    case AV_CODEC_ID_EAC3: return MKBETAG('e', 'c', '-', '3');
    case AV_CODEC_ID_MP2: return MKBETAG('.', 'm', 'p', '2');
    case AV_CODEC_ID_MP3: return MKBETAG('.', 'm', 'p', '3');
    default: return 0;
    }
}

static void read_track(AVFormatContext *format, AVStream *stream, cphotos_track *track) {
    AVCodecParameters *codec = stream->codecpar;
    memset(track, 0, sizeof *track);
    track->matrix[0] = track->matrix[4] = 1 << 16;
    track->matrix[8] = 1 << 30;
    track->id = stream->id > 0 ? stream->id : stream->index + 1;
    track->kind = kind_of(stream);
    track->codec = strncmp(format->iformat->name, "mpeg", 4) == 0
        ? letters_of(codec->codec_id)
        : av_bswap32(codec->codec_tag);
    const AVOutputFormat *quickTime = av_guess_format("mov", NULL, NULL);
    // Copies omit audio in an unknown codec.
    track->fitsQuickTime = codec->codec_id == AV_CODEC_ID_NONE
        || (quickTime && avformat_query_codec(quickTime, codec->codec_id, FF_COMPLIANCE_NORMAL) == 1);
    const AVCodecDescriptor *known = avcodec_descriptor_get(codec->codec_id);
    track->name = known ? (known->long_name ? known->long_name : known->name) : "";
    track->isProtected = cphotos_is_protected(stream);
    track->isDecodable = !track->isProtected && avcodec_find_decoder(codec->codec_id) != NULL;

    AVRational units = stream->time_base;
    if (units.num != 1 || units.den < 1) units = (AVRational){1, 90000};
    track->timescale = units.den;
    if (stream->start_time != AV_NOPTS_VALUE) {
        track->start = av_rescale_q(stream->start_time, stream->time_base, units);
    }
    if (stream->duration != AV_NOPTS_VALUE && stream->duration > 0) {
        track->duration = av_rescale_q(stream->duration, stream->time_base, units);
    } else if (format->duration > 0) {
        track->duration = av_rescale_q(format->duration, AV_TIME_BASE_Q, units);
    }
    const char *container = format->iformat->name;
    read_index(stream, strncmp(container, "mov", 3) == 0 || strcmp(container, "avi") == 0, track);
    track->minimumFrame = av_rescale_q(track->minimumFrame, stream->time_base, units);
    if (track->kind == cphotos_track_video) read_picture(format, stream, track);
    else track->minimumFrame = 0;
    if (track->kind == cphotos_track_audio) {
        track->channels = codec->ch_layout.nb_channels;
        track->sampleRate = codec->sample_rate;
    }
    double seconds = (double)track->duration / track->timescale;
    track->dataRate = track->dataLength > 0 && seconds > 0 ? track->dataLength * 8 / seconds
                                                           : (double)codec->bit_rate;
    if (track->dataRate < 0) track->dataRate = 0;
    AVDictionaryEntry *language = av_dict_get(stream->metadata, "language", NULL, 0);
    if (language && strlen(language->value) == 3 && strcmp(language->value, "und") != 0) {
        memcpy(track->language, language->value, 3);
    }
    // Only these containers declare it.
    track->isEnabled = strncmp(container, "mov", 3) != 0
        || (stream->disposition & AV_DISPOSITION_DEFAULT) != 0;
}

int cphotos_movie_tracks(
    int descriptor,
    const char *formatName,
    int64_t *microseconds,
    cphotos_track_entry trackEntry,
    cphotos_movie_entry entry,
    void *context,
    char *error,
    size_t errorLength
) {
    *microseconds = -1;
    cphotos_reading reading;
    int code = cphotos_reading_open(&reading, descriptor, formatName);
    if (code >= 0) {
        AVFormatContext *format = reading.format;
        int found = cphotos_find_streams(format);
        if (found < 0 && format->nb_streams == 0) code = found;
        if (format->duration != AV_NOPTS_VALUE && format->duration >= 0) {
            *microseconds = format->duration;
        }
        AVDictionaryEntry *item = NULL;
        while ((item = av_dict_get(format->metadata, "", item, AV_DICT_IGNORE_SUFFIX))) {
            entry(context, item->key, item->value);
        }
        for (unsigned i = 0; i < format->nb_streams; i++) {
            cphotos_track track;
            AVStream *stream = format->streams[i];
            if (stream->disposition & AV_DISPOSITION_ATTACHED_PIC) continue;
            read_track(format, stream, &track);
            trackEntry(context, &track);
        }
    }
    if (code < 0 && errorLength > 0) av_strerror(code, error, errorLength);
    cphotos_reading_close(&reading);
    return code < 0 ? -1 : 0;
}

const char *cphotos_codec_name(uint32_t letters) {
    const struct AVCodecTag *const tables[] = {avformat_get_mov_video_tags(), NULL};
    enum AVCodecID codec = av_codec_get_id(tables, av_bswap32(letters));
    return codec == AV_CODEC_ID_NONE ? NULL : avcodec_get_name(codec);
}
