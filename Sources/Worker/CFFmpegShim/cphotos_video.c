#include "cphotos_pipes.h"

#include <libavutil/dovi_meta.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <stdio.h>
#include <string.h>

enum { smallestSide = 16, highDefinition = 720 };

static int is_hdr(int transfer) {
    return transfer == AVCOL_TRC_SMPTE2084 || transfer == AVCOL_TRC_ARIB_STD_B67;
}

void cphotos_fit(const cphotos_conversion_settings *settings, int width, int height, int *toWidth, int *toHeight) {
    int64_t mostWide = settings->maximumWidth > 0 ? settings->maximumWidth : width;
    int64_t mostHigh = settings->maximumHeight > 0 ? settings->maximumHeight : height;
    if (settings->maximumWidth > 0 && settings->maximumHeight > 0
        && (mostWide > mostHigh) != (width > height) && width != height) {
        FFSWAP(int64_t, mostWide, mostHigh);
    }
    int64_t w = width, h = height;
    if (w > mostWide) h = av_rescale(h, mostWide, w), w = mostWide;
    if (h > mostHigh) w = av_rescale(w, mostHigh, h), h = mostHigh;
    *toWidth = (int)FFMAX(2, w & ~1);
    *toHeight = (int)FFMAX(2, h & ~1);
}

static void set_colors(cphotos_pipe *pipe, AVCodecContext *encoder) {
    AVCodecParameters *from = pipe->in->codecpar;
    encoder->color_range = AVCOL_RANGE_MPEG;
    if (pipe->tone) {
        encoder->color_primaries = AVCOL_PRI_BT709;
        encoder->color_trc = AVCOL_TRC_BT709;
        encoder->colorspace = AVCOL_SPC_BT709;
        return;
    }
    if (pipe->isDrawn) {
        encoder->color_primaries
            = cphotos_is_display_p3(pipe) ? AVCOL_PRI_SMPTE432 : AVCOL_PRI_BT709;
        encoder->color_trc = AVCOL_TRC_BT709;
        encoder->colorspace = AVCOL_SPC_BT709;
        return;
    }
    int isHigh = from->height >= highDefinition || from->width >= 1280;
    encoder->color_primaries = from->color_primaries;
    encoder->color_trc = from->color_trc;
    encoder->colorspace = from->color_space;
    // Otherwise players guess it from the size, which may change here.
    if (from->color_space == AVCOL_SPC_UNSPECIFIED || from->color_space == AVCOL_SPC_RGB
        || from->color_space == AVCOL_SPC_RESERVED) {
        encoder->colorspace = isHigh ? AVCOL_SPC_BT709 : AVCOL_SPC_SMPTE170M;
    }
}

// Formats the HDR10 metadata for displays in x265's syntax.
static void describe_light(AVStream *stream, char *words, size_t length) {
    const AVMasteringDisplayMetadata *screen = (const AVMasteringDisplayMetadata *)
        av_stream_get_side_data(stream, AV_PKT_DATA_MASTERING_DISPLAY_METADATA, NULL);
    const AVContentLightMetadata *light = (const AVContentLightMetadata *)
        av_stream_get_side_data(stream, AV_PKT_DATA_CONTENT_LIGHT_LEVEL, NULL);
    size_t used = strlen(words);
    if (screen && screen->has_primaries && screen->has_luminance) {
#define PART(value, unit) (int)(av_q2d(value) * (unit) + 0.5)
        snprintf(
            words + used, length - used,
            ":master-display=G(%d,%d)B(%d,%d)R(%d,%d)WP(%d,%d)L(%d,%d)",
            PART(screen->display_primaries[1][0], 50000), PART(screen->display_primaries[1][1], 50000),
            PART(screen->display_primaries[2][0], 50000), PART(screen->display_primaries[2][1], 50000),
            PART(screen->display_primaries[0][0], 50000), PART(screen->display_primaries[0][1], 50000),
            PART(screen->white_point[0], 50000), PART(screen->white_point[1], 50000),
            PART(screen->max_luminance, 10000), PART(screen->min_luminance, 10000)
        );
#undef PART
        used = strlen(words);
    }
    if (light) {
        snprintf(words + used, length - used, ":max-cll=%u,%u", light->MaxCLL, light->MaxFALL);
    }
}

// Returns the bits per second with which the file stays within the size limit, or 0 for the
// default.
static int64_t bit_rate(cphotos_work *work) {
    int64_t rate = work->settings->videoBitRate;
    if (work->settings->maximumBytes <= 0 || work->wanted <= 0) return rate;
    double seconds = work->wanted / 1e6, bits = work->settings->maximumBytes * 8.0 * 0.9;
    for (unsigned i = 0; i < work->count; i++) {
        AVCodecParameters *codec = work->pipes[i].in->codecpar;
        if (codec->codec_type != AVMEDIA_TYPE_AUDIO || work->settings->audio == cphotos_drop) continue;
        int64_t sound = work->settings->audio == cphotos_copy ? codec->bit_rate : work->settings->audioBitRate;
        bits -= (sound > 0 ? sound : 64000 * FFMAX(1, codec->ch_layout.nb_channels)) * seconds;
    }
    // The space for the index, and the minimum for the frames.
    int64_t most = (int64_t)((bits - 65536) / seconds);
    if (most < 16000) most = 16000;
    return rate > 0 && rate < most ? rate : most;
}

int cphotos_video_encoder(cphotos_work *work, cphotos_pipe *pipe, int width, int height) {
    int isHEVC = work->settings->codec == cphotos_codec_hevc;
    const AVCodec *codec = avcodec_find_encoder_by_name(isHEVC ? "libx265" : "libx264");
    if (!codec) {
        return cphotos_fail(
            work, AVERROR_ENCODER_NOT_FOUND, "this FFmpeg has no encoder for %s",
            isHEVC ? "HEVC (libx265)" : "H.264 (libx264)"
        );
    }
    AVCodecContext *encoder = pipe->encoder = avcodec_alloc_context3(codec);
    if (!encoder) return AVERROR(ENOMEM);
    const AVPixFmtDescriptor *kind = av_pix_fmt_desc_get(pipe->decoder->pix_fmt);
    int isDeep = isHEVC && !pipe->isDrawn && kind && kind->comp[0].depth > 8;
    encoder->width = width;
    encoder->height = height;
    encoder->sample_aspect_ratio = pipe->out->sample_aspect_ratio;
    encoder->pix_fmt = isDeep ? AV_PIX_FMT_YUV420P10 : AV_PIX_FMT_YUV420P;
    encoder->time_base = pipe->in->time_base;
    encoder->framerate = pipe->in->avg_frame_rate;
    double rate = encoder->framerate.den > 0 ? av_q2d(encoder->framerate) : 0;
    if (!(rate >= 1 && rate <= 1000)) encoder->framerate = (AVRational){30, 1}, rate = 30;
    // One key frame every two seconds.
    encoder->gop_size = (int)(2 * rate + 0.5);
    encoder->thread_count = work->settings->threads;
    encoder->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    set_colors(pipe, encoder);
    AVDictionary *options = NULL;
    av_dict_set(&options, "preset", isHEVC ? "veryfast" : "faster", 0);
    int64_t bits = bit_rate(work);
    if (bits > 0) {
        encoder->bit_rate = bits;
        encoder->rc_max_rate = work->settings->maximumBytes > 0 ? bits : bits + bits / 2;
        encoder->rc_buffer_size = (int)FFMIN(encoder->rc_max_rate * 2, INT32_MAX);
    } else {
        av_dict_set(&options, "crf", isHEVC ? "24" : "20", 0);
    }
    if (isHEVC) {
        char words[512];
        snprintf(words, sizeof words, "log-level=none:pools=%d", work->settings->threads);
        if (isDeep && is_hdr(encoder->color_trc)) describe_light(pipe->in, words, sizeof words);
        av_dict_set(&options, "x265-params", words, 0);
        // Apple's players accept HEVC only with this tag.
        encoder->codec_tag = MKTAG('h', 'v', 'c', '1');
    }
    int code = avcodec_open2(encoder, codec, &options);
    av_dict_free(&options);
    if (code < 0) {
        return cphotos_fail(
            work, code, "frames of %dx%d pixels can't be encoded as %s", width, height,
            isHEVC ? "HEVC" : "H.264"
        );
    }
    return 0;
}

// Copies the rotation and the HDR10 metadata.
static int copy_side_data(cphotos_pipe *pipe) {
    for (int i = 0; i < pipe->in->nb_side_data; i++) {
        const AVPacketSideData *side = &pipe->in->side_data[i];
        int isMatrix = side->type == AV_PKT_DATA_DISPLAYMATRIX;
        int isLight = side->type == AV_PKT_DATA_MASTERING_DISPLAY_METADATA
            || side->type == AV_PKT_DATA_CONTENT_LIGHT_LEVEL;
        if (!isMatrix && !(isLight && is_hdr(pipe->encoder->color_trc))) continue;
        uint8_t *copy = av_stream_new_side_data(pipe->out, side->type, side->size);
        if (!copy) return AVERROR(ENOMEM);
        memcpy(copy, side->data, side->size);
        AVCodecParameters *from = pipe->in->codecpar;
        if (!isMatrix || side->size < 9 * sizeof(int32_t) || from->width < 1 || from->height < 1) {
            continue;
        }
        // The translation is in pixels of the new size. After a rotation, the width is displayed as
        // height.
        int32_t *matrix = (int32_t *)(void *)copy;
        int isAcross = matrix[0] == 0 && matrix[4] == 0;
        int64_t width = pipe->encoder->width, height = pipe->encoder->height;
        matrix[6] = (int32_t)(isAcross ? av_rescale(matrix[6], height, from->height)
                                       : av_rescale(matrix[6], width, from->width));
        matrix[7] = (int32_t)(isAcross ? av_rescale(matrix[7], width, from->width)
                                       : av_rescale(matrix[7], height, from->height));
    }
    return 0;
}

int cphotos_video_open(cphotos_work *work, cphotos_pipe *pipe) {
    AVCodecParameters *from = pipe->in->codecpar;
    if (from->width < smallestSide || from->height < smallestSide) {
        return cphotos_fail(
            work, AVERROR_INVALIDDATA, "its frames of %dx%d pixels can't be encoded", from->width,
            from->height
        );
    }
    if ((uint64_t)from->width * (uint64_t)from->height > work->settings->maximumPixels) {
        return cphotos_fail(
            work, AVERROR(EINVAL), "its frames of %dx%d pixels are over the limit", from->width,
            from->height
        );
    }
    const AVDOVIDecoderConfigurationRecord *vision = (const AVDOVIDecoderConfigurationRecord *)
        av_stream_get_side_data(pipe->in, AV_PKT_DATA_DOVI_CONF, NULL);
    if (vision && vision->dv_profile == 5) {
        return cphotos_fail(
            work, AVERROR(ENOSYS),
            "its frames are in Dolby Vision profile 5, which is not supported"
        );
    }
    int code = cphotos_open_decoder(work, pipe);
    if (code < 0) return code;
    if ((work->settings->codec == cphotos_codec_h264 || pipe->isDrawn) && is_hdr(from->color_trc)) {
        pipe->tone = cphotos_tone_make(from->color_trc, from->color_primaries);
        if (!pipe->tone) return AVERROR(ENOMEM);
    }
    if (pipe->isDrawn) return cphotos_draw_open(work, pipe);
    int width, height;
    cphotos_fit(work->settings, from->width, from->height, &width, &height);
    if ((code = cphotos_video_encoder(work, pipe, width, height)) < 0) return code;
    code = avcodec_parameters_from_context(pipe->out->codecpar, pipe->encoder);
    if (code < 0) return code;
    pipe->out->time_base = pipe->encoder->time_base;
    return copy_side_data(pipe);
}
