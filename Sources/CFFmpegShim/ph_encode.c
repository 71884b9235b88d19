#include "ph_pipes.h"

int ph_open_decoder(ph_work *work, ph_pipe *pipe) {
    AVCodecParameters *from = pipe->in->codecpar;
    const AVCodec *codec = avcodec_find_decoder(from->codec_id);
    if (!codec) {
        return ph_fail(
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
    pipe->decoder->max_pixels = (int64_t)work->order->maximumPixels;
    pipe->decoder->thread_count = work->order->threads;
    return avcodec_open2(pipe->decoder, codec, NULL);
}

// How long the frame that begins then is shown; 0 when it is not known.
static int64_t length_at(ph_pipe *pipe, int64_t time) {
    const unsigned count = sizeof pipe->inside / sizeof pipe->inside[0];
    for (unsigned i = 0; i < count && i < pipe->entered; i++) {
        unsigned at = (pipe->entered - 1 - i) % count;
        if (pipe->inside[at].time == time) return pipe->inside[at].length;
    }
    return 0;
}

int ph_encode_frame(ph_work *work, ph_pipe *pipe, AVFrame *frame) {
    AVCodecContext *encoder = pipe->encoder;
    int code = avcodec_send_frame(encoder, frame);
    if (code < 0 && code != AVERROR_EOF) return code;
    if (frame) {
        int64_t handed = av_rescale_q(frame->pts, encoder->time_base, AV_TIME_BASE_Q);
        if (ph_advance(work, pipe, handed, 0)) return AVERROR_EXIT;
    }
    for (;;) {
        code = avcodec_receive_packet(encoder, pipe->packet);
        if (code == AVERROR(EAGAIN) || code == AVERROR_EOF) return 0;
        if (code < 0) return code;
        AVPacket *packet = pipe->packet;
        if (encoder->codec_type == AVMEDIA_TYPE_VIDEO) {
            packet->duration = length_at(pipe, packet->pts);
        }
        int64_t reached = av_rescale_q(
            packet->pts + packet->duration, encoder->time_base, AV_TIME_BASE_Q
        );
        av_packet_rescale_ts(packet, encoder->time_base, pipe->out->time_base);
        packet->stream_index = pipe->out->index;
        code = av_interleaved_write_frame(work->out, packet);
        if (code < 0) return code;
        if (ph_advance(work, pipe, 0, reached)) return AVERROR_EXIT;
    }
}
