#include "cphotos_pipes.h"

int cphotos_open_decoder(cphotos_work *work, cphotos_pipe *pipe) {
    AVCodecParameters *from = pipe->in->codecpar;
    const AVCodec *codec = avcodec_find_decoder(from->codec_id);
    if (!codec) {
        return cphotos_fail(
            work, AVERROR_DECODER_NOT_FOUND, "there is no decoder for %s",
            avcodec_get_name(from->codec_id)
        );
    }
    pipe->decoder = avcodec_alloc_context3(codec);
    pipe->frame = av_frame_alloc();
    pipe->packet = av_packet_alloc();
    if (!pipe->decoder || !pipe->frame || !pipe->packet) return AVERROR(ENOMEM);
    int code = avcodec_parameters_to_context(pipe->decoder, from);
    if (code < 0) return code;
    pipe->decoder->pkt_timebase = pipe->in->time_base;
    pipe->decoder->max_pixels = (int64_t)work->settings->maximumPixels;
    pipe->decoder->thread_count = work->settings->threads;
    return avcodec_open2(pipe->decoder, codec, NULL);
}

// Returns the duration of the frame that starts at `time`, or 0 if it is unknown.
static int64_t length_at(cphotos_pipe *pipe, int64_t time) {
    const unsigned count = sizeof pipe->inside / sizeof pipe->inside[0];
    for (unsigned i = 0; i < count && i < pipe->entered; i++) {
        unsigned at = (pipe->entered - 1 - i) % count;
        if (pipe->inside[at].time == time) return pipe->inside[at].length;
    }
    return 0;
}

static int write_packet(cphotos_work *work, cphotos_pipe *pipe, AVPacket *packet) {
    AVCodecContext *encoder = pipe->encoder;
    int64_t reached = av_rescale_q(
        packet->pts + packet->duration, encoder->time_base, AV_TIME_BASE_Q
    );
    av_packet_rescale_ts(packet, encoder->time_base, pipe->out->time_base);
    packet->stream_index = pipe->out->index;
    int code = av_interleaved_write_frame(work->out, packet);
    if (code < 0) return code;
    return cphotos_advance(work, pipe, 0, reached) ? AVERROR_EXIT : 0;
}

// Extends a packet to the track's end if the end is known and plausible; `begin` is relative to the
// first frame.
static void last_until_end(cphotos_work *work, cphotos_pipe *pipe, AVPacket *packet, int64_t begin) {
    AVStream *in = pipe->in;
    if (in->duration == AV_NOPTS_VALUE || in->duration <= 0) return;
    int64_t start = in->start_time == AV_NOPTS_VALUE ? 0 : in->start_time;
    int64_t end = cphotos_microseconds(pipe, start + in->duration);
    end = FFMIN(end, work->end) - work->start;
    if (work->wanted > 0 && end > work->wanted) end = work->wanted;
    AVRational units = pipe->encoder->time_base;
    int64_t length = av_rescale_q(end, AV_TIME_BASE_Q, units) - pipe->firstTime - begin;
    int64_t more = length - packet->duration, second = av_rescale(1, units.den, units.num);
    // A smaller difference is rounding; a larger one means that the track's duration does not
    // describe its frames.
    if (more > FFMAX(2, second / 1000) && more < second) packet->duration = length;
}

// Sets the decoding times that x265 3.5 reads from uninitialized memory: it learns the delay of its
// B frames from the third frame. Fewer frames have no B frames, so they are decoded as displayed.
static void repair_order(cphotos_pipe *pipe) {
    if (pipe->encoder->codec_id == AV_CODEC_ID_HEVC && pipe->entered < 3) {
        pipe->packet->dts = pipe->packet->pts;
    }
}

// Writes the previous packet and holds this one.
static int hold(cphotos_work *work, cphotos_pipe *pipe, int isLastShown) {
    if (!pipe->held && !(pipe->held = av_packet_alloc())) return AVERROR(ENOMEM);
    repair_order(pipe);
    AVPacket *packet = pipe->packet;
    packet->duration = length_at(pipe, packet->pts);
    if (isLastShown) last_until_end(work, pipe, packet, packet->pts - pipe->firstTime);
    int code = 0;
    if (pipe->held->data) {
        code = write_packet(work, pipe, pipe->held);
    } else {
        pipe->firstOrder = pipe->packet->dts;
    }
    av_packet_unref(pipe->held);
    av_packet_move_ref(pipe->held, pipe->packet);
    return code;
}

// The last frame is shown until the end of the track. Some files declare this for the last frame in
// display order, others for the last in decoding order.
static int write_last(cphotos_work *work, cphotos_pipe *pipe) {
    if (!pipe->held || !pipe->held->data) return 0;
    last_until_end(work, pipe, pipe->held, pipe->held->dts - pipe->firstOrder);
    int code = write_packet(work, pipe, pipe->held);
    av_packet_unref(pipe->held);
    return code;
}

int cphotos_encode_frame(cphotos_work *work, cphotos_pipe *pipe, AVFrame *frame) {
    AVCodecContext *encoder = pipe->encoder;
    int isVideo = encoder->codec_type == AVMEDIA_TYPE_VIDEO;
    int code = avcodec_send_frame(encoder, frame);
    if (code < 0 && code != AVERROR_EOF) return code;
    if (frame) {
        int64_t handed = av_rescale_q(frame->pts, encoder->time_base, AV_TIME_BASE_Q);
        if (cphotos_advance(work, pipe, handed, 0)) return AVERROR_EXIT;
    }
    for (;;) {
        code = avcodec_receive_packet(encoder, pipe->packet);
        if (code == AVERROR(EAGAIN)) return 0;
        if (code == AVERROR_EOF) return isVideo ? write_last(work, pipe) : 0;
        if (code < 0) return code;
        int isLastShown = !frame && pipe->packet->pts == pipe->lastTime;
        code = isVideo ? hold(work, pipe, isLastShown) : write_packet(work, pipe, pipe->packet);
        if (code < 0) return code;
    }
}
