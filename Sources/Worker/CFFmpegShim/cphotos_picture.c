#include "cphotos_pipes.h"

int cphotos_picture_is_full(const AVFrame *frame) {
    return frame->color_range == AVCOL_RANGE_JPEG || frame->format == AV_PIX_FMT_YUVJ420P
        || frame->format == AV_PIX_FMT_YUVJ422P || frame->format == AV_PIX_FMT_YUVJ444P
        || frame->format == AV_PIX_FMT_YUVJ440P;
}

AVFrame *cphotos_picture_make(int format, int width, int height) {
    AVFrame *frame = av_frame_alloc();
    if (!frame) return NULL;
    frame->format = format;
    frame->width = width;
    frame->height = height;
    if (av_frame_get_buffer(frame, 0) < 0) av_frame_free(&frame);
    return frame;
}

// Returns the non-J name of a pixel format, which scalers keep; the range is tracked separately.
static int plain_format(int format) {
    switch (format) {
    case AV_PIX_FMT_YUVJ420P: return AV_PIX_FMT_YUV420P;
    case AV_PIX_FMT_YUVJ422P: return AV_PIX_FMT_YUV422P;
    case AV_PIX_FMT_YUVJ444P: return AV_PIX_FMT_YUV444P;
    case AV_PIX_FMT_YUVJ440P: return AV_PIX_FMT_YUV440P;
    default: return format;
    }
}

int cphotos_picture_convert(
    struct SwsContext **scaler, const AVFrame *from, int fromMatrix, int isFull, AVFrame *to,
    int toMatrix
) {
    // This is the cheapest filter that preserves edges when sides are reduced to half or less.
    int isSame = from->width == to->width && from->height == to->height;
    int flags = (isSame ? SWS_BILINEAR : SWS_BICUBIC) | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT;
    *scaler = sws_getCachedContext(
        *scaler, from->width, from->height, plain_format(from->format), to->width, to->height,
        to->format, flags, NULL, NULL, NULL
    );
    if (!*scaler) return AVERROR(EINVAL);
    // Set every time, because a new scaler may have the address of the last one. Repeating known
    // values costs nothing.
    sws_setColorspaceDetails(
        *scaler, sws_getCoefficients(fromMatrix), isFull, sws_getCoefficients(toMatrix), 0, 0, 1 << 16,
        1 << 16
    );
    int code = av_frame_make_writable(to);
    if (code < 0) return code;
    int rows = sws_scale(
        *scaler, (const uint8_t *const *)from->data, from->linesize, 0, from->height, to->data,
        to->linesize
    );
    return rows == to->height ? 0 : AVERROR_INVALIDDATA;
}

int cphotos_picture_matrix(cphotos_pipe *pipe, const AVFrame *frame) {
    if (frame->colorspace != AVCOL_SPC_UNSPECIFIED && frame->colorspace != AVCOL_SPC_RGB) {
        return frame->colorspace;
    }
    if (pipe->tone) return SWS_CS_BT2020;
    if (!pipe->isDrawn) return pipe->encoder->colorspace;
    return frame->height >= 720 || frame->width >= 1280 ? SWS_CS_ITU709 : SWS_CS_ITU601;
}

int cphotos_picture_tone(cphotos_pipe *pipe, AVFrame *frame, int width, int height) {
    if (!pipe->mapped) pipe->mapped = cphotos_picture_make(AV_PIX_FMT_RGB48, width, height);
    if (!pipe->mapped) return AVERROR(ENOMEM);
    int code = cphotos_picture_convert(
        &pipe->scaler, frame, cphotos_picture_matrix(pipe, frame), cphotos_picture_is_full(frame), pipe->mapped,
        SWS_CS_DEFAULT
    );
    if (code < 0) return code;
    cphotos_tone_map(pipe->tone, pipe->mapped->data[0], pipe->mapped->linesize[0], width, height);
    return 0;
}

// Prepares the frame for encoding; returns `frame` itself if nothing has to be done.
static int prepare(cphotos_work *work, cphotos_pipe *pipe, AVFrame *frame, AVFrame **ready) {
    AVCodecContext *encoder = pipe->encoder;
    if ((uint64_t)frame->width * (uint64_t)frame->height > work->settings->maximumPixels) {
        return AVERROR(EINVAL);
    }
    if (!pipe->tone && frame->format == encoder->pix_fmt && frame->width == encoder->width
        && frame->height == encoder->height && !cphotos_picture_is_full(frame)) {
        *ready = frame;
        return 0;
    }
    if (!pipe->scaled) {
        pipe->scaled = cphotos_picture_make(encoder->pix_fmt, encoder->width, encoder->height);
    }
    if (!pipe->scaled) return AVERROR(ENOMEM);
    *ready = pipe->scaled;
    if (!pipe->tone) {
        return cphotos_picture_convert(
            &pipe->scaler, frame, cphotos_picture_matrix(pipe, frame), cphotos_picture_is_full(frame),
            pipe->scaled, encoder->colorspace
        );
    }
    int code = cphotos_picture_tone(pipe, frame, encoder->width, encoder->height);
    if (code < 0) return code;
    return cphotos_picture_convert(&pipe->second, pipe->mapped, SWS_CS_DEFAULT, 1, pipe->scaled, SWS_CS_ITU709);
}

// The encoder's rate, or the rate that it would have.
static AVRational frame_rate(cphotos_pipe *pipe) {
    AVRational rate = pipe->encoder ? pipe->encoder->framerate : pipe->in->avg_frame_rate;
    return rate.num > 0 && rate.den > 0 ? rate : (AVRational){30, 1};
}

// Places a frame in the range: its time and duration in the track's own units. Returns 0 if it is
// outside.
static int place(cphotos_work *work, cphotos_pipe *pipe, const AVFrame *frame, int64_t *time, int64_t *length) {
    AVRational units = pipe->in->time_base;
    int64_t begin = frame->best_effort_timestamp;
    if (begin == AV_NOPTS_VALUE) begin = pipe->lastTime + 1;
    *length = frame->pkt_duration > 0 ? frame->pkt_duration
                                      : av_rescale_q(1, av_inv_q(frame_rate(pipe)), units);
    if (*length < 1) *length = 1;
    int64_t from = cphotos_microseconds(pipe, begin), to = cphotos_microseconds(pipe, begin + *length);
    if (to <= work->start + 1) return 0;
    if (from >= work->end - 1) {
        pipe->isDone = 1;
        return 0;
    }
    *time = begin - av_rescale_q(work->start, AV_TIME_BASE_Q, units);
    if (work->end != INT64_MAX && to > work->end) {
        *length = av_rescale_q(work->end, AV_TIME_BASE_Q, units) - begin;
    }
    if (*time < 0) {
        *length += *time;
        *time = 0;
    }
    if (*length < 1) *length = 1;
    return 1;
}

static int take_frame(cphotos_work *work, cphotos_pipe *pipe, AVFrame *frame) {
    int64_t time, length;
    if (!place(work, pipe, frame, &time, &length)) return 0;
    // Of two frames with the same time, the second would never be seen.
    if (pipe->frames > 0 && time <= pipe->lastTime) return 0;
    AVFrame *ready;
    int code = pipe->isDrawn ? cphotos_draw_frame(work, pipe, frame, time, &ready)
                             : prepare(work, pipe, frame, &ready);
    if (code < 0) return code;
    if (pipe->frames == 0) pipe->firstTime = time;
    pipe->lastTime = time;
    pipe->frames++;
    unsigned at = pipe->entered++ % (sizeof pipe->inside / sizeof pipe->inside[0]);
    pipe->inside[at].time = time;
    pipe->inside[at].length = length;
    ready->pts = time;
    ready->pict_type = AV_PICTURE_TYPE_NONE;
    ready->color_range = AVCOL_RANGE_MPEG;
    ready->color_primaries = pipe->encoder->color_primaries;
    ready->color_trc = pipe->encoder->color_trc;
    ready->colorspace = pipe->encoder->colorspace;
    return cphotos_encode_frame(work, pipe, ready);
}

int cphotos_video_packet(cphotos_work *work, cphotos_pipe *pipe, AVPacket *packet) {
    int code = avcodec_send_packet(pipe->decoder, packet);
    if (code == AVERROR(ENOMEM)) return code;
    // A single damaged packet does not fail the conversion.
    if (code < 0 && code != AVERROR_EOF) pipe->errors++;
    while (!pipe->isDone) {
        code = avcodec_receive_frame(pipe->decoder, pipe->frame);
        if (code == AVERROR(EAGAIN) || code == AVERROR_EOF) break;
        if (code == AVERROR(ENOMEM)) return code;
        if (code < 0) {
            pipe->errors++;
            break;
        }
        code = take_frame(work, pipe, pipe->frame);
        av_frame_unref(pipe->frame);
        if (code < 0) return code;
    }
    // A track without frames has not opened an encoder.
    return packet || !pipe->encoder ? 0 : cphotos_encode_frame(work, pipe, NULL);
}
