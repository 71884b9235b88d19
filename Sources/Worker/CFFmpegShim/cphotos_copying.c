#include "cphotos_pipes.h"

int cphotos_copy_packet(cphotos_work *work, cphotos_pipe *pipe, AVPacket *packet) {
    AVStream *in = pipe->in;
    int isVideo = in->codecpar->codec_type == AVMEDIA_TYPE_VIDEO;
    if (packet->dts == AV_NOPTS_VALUE) packet->dts = packet->pts;
    if (packet->dts == AV_NOPTS_VALUE) {
        packet->dts = pipe->frames == 0 ? 0 : pipe->lastTime + 1;
    }
    if (packet->pts == AV_NOPTS_VALUE) packet->pts = packet->dts;
    int64_t begin = cphotos_microseconds(pipe, packet->pts), order = cphotos_microseconds(pipe, packet->dts);
    int64_t end = cphotos_microseconds(pipe, packet->pts + FFMAX(0, packet->duration));
    if (order >= work->end - 1 || (!isVideo && begin >= work->end - 1)) {
        pipe->isDone = 1;
        return 0;
    }
    if (work->settings->start > 0) {
        if (!isVideo && end <= work->start + 1) return 0;
        if (isVideo && pipe->frames == 0 && !(packet->flags & AV_PKT_FLAG_KEY)) return 0;
    }
    int64_t offset = av_rescale_q(work->start, AV_TIME_BASE_Q, in->time_base);
    packet->pts -= offset;
    packet->dts -= offset;
    if (pipe->frames > 0 && packet->dts <= pipe->lastTime) packet->dts = pipe->lastTime + 1;
    if (packet->pts < packet->dts) packet->pts = packet->dts;
    pipe->lastTime = packet->dts;
    pipe->frames++;
    av_packet_rescale_ts(packet, in->time_base, pipe->out->time_base);
    packet->stream_index = pipe->out->index;
    packet->pos = -1;
    int code = av_interleaved_write_frame(work->out, packet);
    if (code < 0) return code;
    int64_t reached = FFMIN(end, work->end) - work->start;
    return cphotos_advance(work, pipe, reached, reached) ? AVERROR_EXIT : 0;
}
