#include "cphotos_reading.h"

#include <math.h>
#include <string.h>

// The maximum number of frames of a stream, and of packets of all streams, to examine.
enum { maximumPictures = 120, maximumPackets = 2000 };

// Returns the number of frames divided by the time that they span, or 0 for fewer than two frames.
static double measured_rate(AVFormatContext *format, AVStream *stream) {
    AVPacket *packet = av_packet_alloc();
    if (!packet) return 0;
    int64_t first = INT64_MAX, last = INT64_MIN;
    int pictures = 0;
    for (int i = 0; i < maximumPackets && pictures < maximumPictures; i++) {
        if (av_read_frame(format, packet) < 0) break;
        if (packet->stream_index == stream->index && packet->pts != AV_NOPTS_VALUE) {
            if (packet->pts < first) first = packet->pts;
            if (packet->pts > last) last = packet->pts;
            pictures++;
        }
        av_packet_unref(packet);
    }
    av_packet_free(&packet);
    // Another stream may be measured next; a container that cannot seek then yields less.
    av_seek_frame(format, -1, 0, AVSEEK_FLAG_BACKWARD);
    if (pictures < 2 || last <= first) return 0;
    return (pictures - 1) / (((double)last - (double)first) * av_q2d(stream->time_base));
}

double cphotos_frame_rate(AVFormatContext *format, AVStream *stream) {
    AVRational average = stream->avg_frame_rate, base = stream->r_frame_rate;
    double rate = average.den > 0 ? av_q2d(average) : 0;
    // Matroska stores times in whole milliseconds. If a file declares no frame duration, or a
    // millisecond because its frames are uneven, FFmpeg reports no average rate, or 1000 per
    // second.
    if (strncmp(format->iformat->name, "matroska", 8) == 0 && stream->time_base.num > 0) {
        double ticks = (double)stream->time_base.den / stream->time_base.num;
        int isEven = base.num > 0 && base.den > 0 && av_q2d(base) < ticks / 2;
        int isKnown = isEven && isfinite(rate) && rate > 0 && rate < ticks / 2;
        if (!isKnown) rate = measured_rate(format, stream);
    }
    return isfinite(rate) && rate > 0 ? rate : 0;
}
