#include "CFFmpegShim.h"
#include "cphotos_reading.h"

#include <libavcodec/avcodec.h>
#include <libavutil/imgutils.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>
#include <string.h>

// The limits of the search for a frame that is not dark, for movies that start dark.
enum { framesToTry = 60, packetsToTry = 2000, darkness = 24 };

typedef struct {
    AVCodecContext *decoder;
    AVFormatContext *format;
    AVStream *stream;
    const cphotos_still *still;
} cphotos_decoding;

static AVStream *picture_stream(AVFormatContext *format) {
    for (unsigned i = 0; i < format->nb_streams; i++) {
        AVStream *stream = format->streams[i];
        if (stream->codecpar->codec_type == AVMEDIA_TYPE_VIDEO
            && !(stream->disposition & AV_DISPOSITION_ATTACHED_PIC)) {
            return stream;
        }
    }
    return NULL;
}

// The first frame of a still is the picture, however dark it is.
static int takes_any(const cphotos_decoding *decoding) { return decoding->still != NULL; }

static int open_decoder(cphotos_decoding *decoding, uint64_t maximumPixels) {
    const AVCodec *codec = avcodec_find_decoder(decoding->stream->codecpar->codec_id);
    if (!codec) return AVERROR_DECODER_NOT_FOUND;
    if (!(decoding->decoder = avcodec_alloc_context3(codec))) return AVERROR(ENOMEM);
    int code = avcodec_parameters_to_context(decoding->decoder, decoding->stream->codecpar);
    if (code < 0) return code;
    decoding->decoder->thread_count = 1;
    decoding->decoder->max_pixels = (int64_t)maximumPixels;
    AVDictionary *options = NULL;
    // libdav1d sets its number of threads by an option of its own.
    av_dict_set(&options, "tilethreads", "1", 0);
    av_dict_set(&options, "framethreads", "1", 0);
    code = avcodec_open2(decoding->decoder, codec, &options);
    av_dict_free(&options);
    return code;
}

// Converts a frame to interleaved RGB, using the frame's own matrix and range.
static int convert(const cphotos_decoding *decoding, AVFrame *from, cphotos_frame *frame) {
    const cphotos_still *still = decoding->still;
    const AVPixFmtDescriptor *kind = av_pix_fmt_desc_get(from->format);
    if (!kind || from->width < 1 || from->height < 1) return AVERROR_INVALIDDATA;
    int isWide = kind->comp[0].depth > 8;
    int hasAlpha = (kind->flags & AV_PIX_FMT_FLAG_ALPHA) != 0 && !(still && still->isOpaque);
    int width = still ? from->width
                      : cphotos_square_width(decoding->format, decoding->stream, from, from->width);
    enum AVPixelFormat to = hasAlpha ? (isWide ? AV_PIX_FMT_RGBA64 : AV_PIX_FMT_RGBA)
                                     : (isWide ? AV_PIX_FMT_RGB48 : AV_PIX_FMT_RGB24);
    // The scaler may write past the end of a row, by up to the width of a vector instruction.
    int stride = FFALIGN(width * (hasAlpha ? 4 : 3) * (isWide ? 2 : 1), 64);
    size_t tight = (size_t)width * (hasAlpha ? 4 : 3) * (isWide ? 2 : 1);
    uint8_t *pixels = av_malloc((size_t)stride * from->height + 64);
    struct SwsContext *scaler = sws_getContext(
        from->width, from->height, from->format, width, from->height, to,
        SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT, NULL, NULL, NULL
    );
    if (!pixels || !scaler) {
        av_free(pixels);
        sws_freeContext(scaler);
        return AVERROR(ENOMEM);
    }
    int isHD = !still && (from->height >= 720 || from->width >= 1280);
    int matrix = from->colorspace == AVCOL_SPC_UNSPECIFIED
        ? (isHD ? SWS_CS_ITU709 : SWS_CS_ITU601)
        : (int)from->colorspace;
    if (!(kind->flags & AV_PIX_FMT_FLAG_RGB)) {
        int isFull = (still && still->isFullRange) || from->color_range == AVCOL_RANGE_JPEG || from->format == AV_PIX_FMT_YUVJ420P
            || from->format == AV_PIX_FMT_YUVJ422P || from->format == AV_PIX_FMT_YUVJ444P;
        sws_setColorspaceDetails(
            scaler, sws_getCoefficients(matrix), isFull, sws_getCoefficients(SWS_CS_DEFAULT), 1, 0,
            1 << 16, 1 << 16
        );
    }
    uint8_t *planes[4] = {pixels};
    int strides[4] = {stride};
    int rows = sws_scale(
        scaler, (const uint8_t *const *)from->data, from->linesize, 0, from->height, planes, strides
    );
    sws_freeContext(scaler);
    if (rows != from->height) {
        av_free(pixels);
        return AVERROR_INVALIDDATA;
    }
    for (int row = 1; row < from->height; row++) {
        memmove(pixels + row * tight, pixels + (size_t)row * stride, tight);
    }
    av_free(frame->pixels);
    frame->pixels = pixels;
    frame->length = tight * from->height;
    frame->width = width;
    frame->height = from->height;
    frame->bands = hasAlpha ? 4 : 3;
    frame->bytesPerSample = isWide ? 2 : 1;
    frame->primaries = from->color_primaries;
    frame->transfer = from->color_trc;
    return 0;
}

static int is_dark(const cphotos_frame *frame) {
    // Sampling some pixels is enough; the second of two bytes is the high one.
    size_t step = frame->bytesPerSample, stride = step * 61, sum = 0, count = 0;
    const uint8_t *bytes = frame->pixels;
    for (size_t at = step - 1; at < frame->length; at += stride, count++) sum += bytes[at];
    return count == 0 || sum / count < darkness;
}

// Receives the decoder's frames. Returns 1 if one of them shows something.
static int take_frames(cphotos_decoding *decoding, AVFrame *frame, int *tried, cphotos_frame *best) {
    for (;;) {
        int code = avcodec_receive_frame(decoding->decoder, frame);
        if (code == AVERROR(EAGAIN) || code == AVERROR_EOF) return 0;
        if (code < 0) return code;
        *tried += 1;
        // A damaged frame is used only if there is no other.
        int isDamaged = frame->decode_error_flags != 0 || (frame->flags & AV_FRAME_FLAG_CORRUPT);
        cphotos_frame candidate = {0};
        code = isDamaged && best->pixels ? 0 : convert(decoding, frame, &candidate);
        av_frame_unref(frame);
        if (code < 0) return code;
        if (!candidate.pixels) continue;
        int isGood = !isDamaged && (takes_any(decoding) || !is_dark(&candidate));
        if (isGood || !best->pixels) {
            av_free(best->pixels);
            *best = candidate;
        } else {
            av_free(candidate.pixels);
        }
        if (isGood) return 1;
    }
}

static int decode(
    AVFormatContext *format,
    cphotos_decoding *decoding,
    cphotos_frame_is_cancelled isCancelled,
    void *context,
    cphotos_frame *best
) {
    AVPacket *packet = av_packet_alloc();
    AVFrame *frame = av_frame_alloc();
    int code = packet && frame ? 0 : AVERROR(ENOMEM), tried = 0, packets = 0, isFound = 0;
    while (code >= 0 && !isFound && tried < framesToTry && packets++ < packetsToTry) {
        if (isCancelled(context)) {
            code = AVERROR_EXIT;
            break;
        }
        int read = av_read_frame(format, packet);
        if (read < 0) {
            (void)avcodec_send_packet(decoding->decoder, NULL);
            int taken = take_frames(decoding, frame, &tried, best);
            if (taken < 0) code = taken;
            if (!best->pixels && code >= 0) code = read == AVERROR_EOF ? AVERROR_INVALIDDATA : read;
            break;
        }
        if (packet->stream_index == decoding->stream->index) {
            // A single damaged packet does not fail the request.
            (void)avcodec_send_packet(decoding->decoder, packet);
            isFound = take_frames(decoding, frame, &tried, best);
            if (isFound < 0) code = isFound, isFound = 0;
        }
        av_packet_unref(packet);
    }
    av_packet_free(&packet);
    av_frame_free(&frame);
    if (code == AVERROR_EXIT) return code;
    return best->pixels ? 0 : code < 0 ? code : AVERROR_INVALIDDATA;
}

// MARK: - By time

// Keeps the last frame that is not later than a time, and reports whether a later one was received.
static int keep_frames(cphotos_decoding *decoding, AVFrame *frame, AVFrame *kept, int64_t time) {
    for (;;) {
        int code = avcodec_receive_frame(decoding->decoder, frame);
        if (code == AVERROR(EAGAIN) || code == AVERROR_EOF) return 0;
        if (code < 0) return code;
        int64_t begin = frame->best_effort_timestamp;
        int isLater = begin != AV_NOPTS_VALUE && begin > time;
        // Before the first frame there is no other, so it stands in for the missing ones.
        if (!isLater || !kept->buf[0]) {
            av_frame_unref(kept);
            av_frame_move_ref(kept, frame);
        } else {
            av_frame_unref(frame);
        }
        if (isLater) return 1;
    }
}

static int decode_moment(
    AVFormatContext *format,
    cphotos_decoding *decoding,
    const cphotos_moment *moment,
    cphotos_frame_is_cancelled isCancelled,
    void *context,
    cphotos_frame *best
) {
    AVStream *stream = decoding->stream;
    AVRational units = stream->time_base;
    int64_t base = format->start_time != AV_NOPTS_VALUE && format->start_time > 0
        ? format->start_time
        : 0;
    int64_t sum;
    if (moment->time < 0 || __builtin_add_overflow(base, moment->time, &sum)) return AVERROR(EINVAL);
    // Half a microsecond of tolerance for a time that was rounded.
    int64_t time = av_rescale_q_rnd(sum, AV_TIME_BASE_Q, units, AV_ROUND_NEAR_INF);
    if (moment->time > 0 && avformat_seek_file(format, stream->index, INT64_MIN, time, time, 0) < 0) {
        // Without a previous key frame, everything is read.
        (void)avformat_seek_file(format, -1, INT64_MIN, 0, INT64_MAX, 0);
    }
    AVPacket *packet = av_packet_alloc();
    AVFrame *frame = av_frame_alloc(), *kept = av_frame_alloc();
    int code = packet && frame && kept ? 0 : AVERROR(ENOMEM), isFound = 0;
    while (code >= 0 && !isFound) {
        if (isCancelled(context)) {
            code = AVERROR_EXIT;
            break;
        }
        if (av_read_frame(format, packet) < 0) {
            (void)avcodec_send_packet(decoding->decoder, NULL);
            int taken = keep_frames(decoding, frame, kept, time);
            if (taken < 0) code = taken;
            break;
        }
        if (packet->stream_index == stream->index) {
            // A single damaged packet does not fail the request.
            (void)avcodec_send_packet(decoding->decoder, packet);
            isFound = keep_frames(decoding, frame, kept, time);
            if (isFound < 0) isFound = 0;
        }
        av_packet_unref(packet);
    }
    if (code >= 0) code = kept->buf[0] ? convert(decoding, kept, best) : AVERROR_INVALIDDATA;
    if (code >= 0 && kept->best_effort_timestamp != AV_NOPTS_VALUE) {
        int64_t begin =
            kept->best_effort_timestamp - av_rescale_q(base, AV_TIME_BASE_Q, units);
        int isWhole = units.num == 1;
        best->time = isWhole ? begin : av_rescale_q(begin, units, AV_TIME_BASE_Q);
        best->timescale = isWhole ? units.den : AV_TIME_BASE;
    }
    av_packet_free(&packet);
    av_frame_free(&frame);
    av_frame_free(&kept);
    return code;
}

int cphotos_movie_frame(
    int descriptor,
    const char *formatName,
    uint64_t maximumPixels,
    const cphotos_still *still,
    const cphotos_moment *moment,
    cphotos_frame_is_cancelled isCancelled,
    void *context,
    cphotos_frame *frame,
    char *error,
    size_t errorLength
) {
    memset(frame, 0, sizeof *frame);
    cphotos_reading reading;
    cphotos_decoding decoding = {.still = still};
    int isTooLarge = 0;
    int code = cphotos_reading_open(&reading, descriptor, formatName);
    if (code >= 0) {
        (void)cphotos_find_streams(reading.format);
        decoding.format = reading.format;
        decoding.stream = picture_stream(reading.format);
        code = decoding.stream ? 0 : AVERROR_STREAM_NOT_FOUND;
    }
    if (code >= 0) {
        AVCodecParameters *size = decoding.stream->codecpar;
        isTooLarge = size->width > 0 && size->height > 0
            && (uint64_t)size->width * (uint64_t)size->height > maximumPixels;
        if (!isTooLarge) code = open_decoder(&decoding, maximumPixels);
    }
    if (code >= 0 && !isTooLarge) {
        code = moment
            ? decode_moment(reading.format, &decoding, moment, isCancelled, context, frame)
            : decode(reading.format, &decoding, isCancelled, context, frame);
        cphotos_read_matrix(decoding.stream, &frame->quarterTurns, &frame->isMirrored);
    }
    avcodec_free_context(&decoding.decoder);
    cphotos_reading_close(&reading);
    if (isTooLarge) return 2;
    if (code >= 0) return 0;
    cphotos_frame_release(frame);
    if (code == AVERROR_EXIT) return 1;
    if (errorLength > 0) av_strerror(code, error, errorLength);
    return -1;
}

void cphotos_frame_release(cphotos_frame *frame) {
    av_free(frame->pixels);
    memset(frame, 0, sizeof *frame);
}
