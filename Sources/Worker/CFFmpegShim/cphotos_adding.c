#include "cphotos_pipes.h"

#include <string.h>

static const char *name_of(const cphotos_pipe *pipe) {
    return avcodec_get_name(pipe->in->codecpar->codec_id);
}

static int add_stream(cphotos_work *work, cphotos_pipe *pipe) {
    AVStream *in = pipe->in, *out = avformat_new_stream(work->out, NULL);
    if (!out) return AVERROR(ENOMEM);
    pipe->out = out;
    out->time_base = in->time_base;
    out->disposition = in->disposition;
    out->sample_aspect_ratio = in->sample_aspect_ratio;
    out->avg_frame_rate = in->avg_frame_rate;
    out->r_frame_rate = in->r_frame_rate;
    static const char *const always[] = {"language", "timecode"};
    static const char *const kept[] = {"handler_name", "creation_time"};
    for (int i = 0; i < 2; i++) {
        AVDictionaryEntry *item = av_dict_get(in->metadata, always[i], NULL, 0);
        if (item) av_dict_set(&out->metadata, item->key, item->value, 0);
        item = work->settings->keepsMetadata ? av_dict_get(in->metadata, kept[i], NULL, 0) : NULL;
        if (item) av_dict_set(&out->metadata, item->key, item->value, 0);
    }
    return 0;
}

static int add_copy(cphotos_work *work, cphotos_pipe *pipe) {
    int code = add_stream(work, pipe);
    if (code < 0) return code;
    AVCodecParameters *from = pipe->in->codecpar, *to = pipe->out->codecpar;
    code = avcodec_parameters_copy(to, from);
    if (code < 0) return code;
    const struct AVCodecTag *const *tags = work->out->oformat->codec_tag;
    unsigned tag = 0;
    if (tags && av_codec_get_id(tags, from->codec_tag) != from->codec_id
        && av_codec_get_tag2(tags, from->codec_id, &tag)) {
        // Apple's players accept HEVC only with this tag.
        to->codec_tag = from->codec_id == AV_CODEC_ID_HEVC ? MKTAG('h', 'v', 'c', '1') : 0;
    }
    for (int i = 0; i < pipe->in->nb_side_data; i++) {
        const AVPacketSideData *side = &pipe->in->side_data[i];
        uint8_t *copy = av_stream_new_side_data(pipe->out, side->type, side->size);
        if (!copy) return AVERROR(ENOMEM);
        memcpy(copy, side->data, side->size);
    }
    return 0;
}

static int can_hold(cphotos_work *work, cphotos_pipe *pipe) {
    return avformat_query_codec(
               work->out->oformat, pipe->in->codecpar->codec_id, FF_COMPLIANCE_NORMAL
           ) == 1;
}

int cphotos_add_pipe(cphotos_work *work, cphotos_pipe *pipe, int *pictures) {
    AVCodecParameters *codec = pipe->in->codecpar;
    int isVideo = codec->codec_type == AVMEDIA_TYPE_VIDEO;
    int isAudio = codec->codec_type == AVMEDIA_TYPE_AUDIO;
    int treatment = isVideo ? work->settings->video : isAudio ? work->settings->audio : cphotos_copy;
    if (treatment == cphotos_drop || (pipe->in->disposition & AV_DISPOSITION_ATTACHED_PIC)) return 0;
    if (!isVideo && !isAudio) {
        int isCamera = codec->codec_tag == MKTAG('g', 'p', 'm', 'd');
        int isText = codec->codec_type == AVMEDIA_TYPE_SUBTITLE;
        // Tracks that the container cannot hold are dropped; they are neither visible nor audible.
        // Timecodes are written from the video track's own entry.
        if (work->settings->video == cphotos_drop || !(isCamera || isText) || !can_hold(work, pipe)) return 0;
        return add_copy(work, pipe);
    }
    if (cphotos_is_protected(pipe->in)) {
        return cphotos_fail(work, AVERROR(EPERM), "it is copy-protected");
    }
    if (treatment == cphotos_copy) {
        // Audio in an unknown codec accompanies a track in a known one (Apple's spatial audio).
        if (codec->codec_id == AV_CODEC_ID_NONE) return 0;
        if (!can_hold(work, pipe)) {
            return cphotos_fail(work, AVERROR(EINVAL), "this file type can't hold %s without conversion", name_of(pipe));
        }
        *pictures += isVideo;
        return add_copy(work, pipe);
    }
    // Only the first video track is encoded; others are depth maps and the like.
    if (isVideo && (*pictures)++ > 0) return 0;
    if (isAudio && !avcodec_find_decoder(codec->codec_id)) return 0;
    pipe->isEncoded = 1;
    pipe->isDrawn = treatment == cphotos_draw;
    int code = add_stream(work, pipe);
    if (code < 0) return code;
    return isVideo ? cphotos_video_open(work, pipe) : cphotos_audio_open(work, pipe);
}

int cphotos_add_chapters(cphotos_work *work) {
    AVFormatContext *in = work->reading.format, *out = work->out;
    if (!work->settings->keepsMetadata || in->nb_chapters == 0) return 0;
    out->chapters = av_calloc(in->nb_chapters, sizeof *out->chapters);
    if (!out->chapters) return AVERROR(ENOMEM);
    for (unsigned i = 0; i < in->nb_chapters; i++) {
        const AVChapter *from = in->chapters[i];
        AVChapter *to = av_mallocz(sizeof *to);
        if (!to) return AVERROR(ENOMEM);
        int64_t start = av_rescale_q(from->start, from->time_base, AV_TIME_BASE_Q);
        int64_t end = av_rescale_q(from->end, from->time_base, AV_TIME_BASE_Q);
        if (end <= work->start || start >= work->end) {
            av_free(to);
            continue;
        }
        to->id = from->id;
        to->time_base = AV_TIME_BASE_Q;
        to->start = FFMAX(0, start - work->start);
        to->end = FFMIN(end, work->end) - work->start;
        av_dict_copy(&to->metadata, from->metadata, 0);
        out->chapters[out->nb_chapters++] = to;
    }
    return 0;
}
