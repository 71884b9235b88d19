#include "cphotos_pipes.h"

#include <errno.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int cphotos_fail(cphotos_work *work, int code, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(work->reason, sizeof work->reason, format, arguments);
    va_end(arguments);
    return code;
}

int64_t cphotos_microseconds(const cphotos_pipe *pipe, int64_t time) {
    return av_rescale_q(time, pipe->in->time_base, AV_TIME_BASE_Q);
}

static int tell(cphotos_work *work, double done) {
    if (done > 1) done = 1;
    if (done > work->done) work->done = done;
    if (!work->isStopped) work->isStopped = work->progress(work->context, work->done);
    return work->isStopped;
}

int cphotos_advance(cphotos_work *work, cphotos_pipe *pipe, int64_t handed, int64_t reached) {
    if (handed > pipe->handed) pipe->handed = handed;
    if (reached > pipe->reached) pipe->reached = reached;
    double part = 0;
    if (work->wanted > 0) {
        // An encoder consumes many frames before it returns the first.
        part = ((double)pipe->handed / 2 + (double)pipe->reached / 2) / work->wanted;
    } else if (work->reading.bytes.size > 0) {
        part = (double)work->reading.bytes.position / work->reading.bytes.size;
    }
    // Completion is reported only after the file is complete.
    return tell(work, (part < 1 ? part : 1) * 0.999);
}

static int is_stopped(void *context) {
    cphotos_work *work = context;
    return tell(work, work->done);
}

// MARK: - Ranges

static int set_range(cphotos_work *work) {
    AVFormatContext *format = work->reading.format;
    const cphotos_conversion_settings *settings = work->settings;
    int64_t base = format->start_time != AV_NOPTS_VALUE && format->start_time > 0
        ? format->start_time
        : 0;
    int64_t length = format->duration > 0 ? format->duration : 0, longest = 0;
    for (unsigned i = 0; i < work->count; i++) {
        AVStream *stream = work->pipes[i].in;
        if (stream->duration == AV_NOPTS_VALUE || stream->duration <= 0) continue;
        int64_t begin = stream->start_time == AV_NOPTS_VALUE ? 0 : stream->start_time;
        int64_t end = cphotos_microseconds(&work->pipes[i], begin + stream->duration);
        if (end > longest) longest = end;
    }
    // The header's duration is used only as far as the tracks confirm it.
    if (longest > 0 && (length == 0 || longest - base < length)) length = longest - base;
    if (settings->start < 0 || settings->duration <= 0) {
        return cphotos_fail(work, AVERROR(EINVAL), "the range is empty");
    }
    if (length > 0 && settings->start >= length) {
        return cphotos_fail(
            work, AVERROR(EINVAL), "the range begins at %.2f seconds, but it is only %.2f seconds long",
            settings->start / 1e6, length / 1e6
        );
    }
    if (__builtin_add_overflow(base, settings->start, &work->start)) return AVERROR(EINVAL);
    work->end = INT64_MAX;
    if (length > 0) work->wanted = length - settings->start;
    int64_t end;
    if (settings->duration == cphotos_to_the_end
        || __builtin_add_overflow(work->start, settings->duration, &end)) {
        return 0;
    }
    work->end = end;
    if (work->wanted == 0 || settings->duration < work->wanted) work->wanted = settings->duration;
    return 0;
}

static int seek_to_start(cphotos_work *work) {
    if (work->settings->start <= 0) return 0;
    // Seeks to the previous key frame; the frames in between are decoded, or hidden by an edit
    // list.
    int code = avformat_seek_file(work->reading.format, -1, INT64_MIN, work->start, work->start, 0);
    // Without a previous key frame, everything is read.
    return code < 0 ? avformat_seek_file(work->reading.format, -1, INT64_MIN, 0, INT64_MAX, 0) : 0;
}

// MARK: - Packets

static int handle(cphotos_work *work, cphotos_pipe *pipe, AVPacket *packet) {
    if (!pipe->isEncoded) return cphotos_copy_packet(work, pipe, packet);
    if (pipe->in->codecpar->codec_type == AVMEDIA_TYPE_VIDEO) {
        return cphotos_video_packet(work, pipe, packet);
    }
    return cphotos_audio_packet(work, pipe, packet);
}

static int is_whole(cphotos_work *work) {
    for (unsigned i = 0; i < work->count; i++) {
        cphotos_pipe *pipe = &work->pipes[i];
        int type = pipe->in->codecpar->codec_type;
        if (pipe->out && !pipe->isDone
            && (type == AVMEDIA_TYPE_VIDEO || type == AVMEDIA_TYPE_AUDIO)) {
            return 0;
        }
    }
    return 1;
}

// MARK: - Packets that wait for the header

enum { mostKeptBytes = 64 << 20 };

static int keep(cphotos_work *work, AVPacket *packet) {
    work->keptBytes += packet->size + (int64_t)sizeof *packet;
    if (work->keptBytes > mostKeptBytes) {
        return cphotos_fail(work, AVERROR_INVALIDDATA, "its frames begin too late");
    }
    if (work->keptCount == work->keptRoom) {
        unsigned room = work->keptRoom ? work->keptRoom * 2 : 64;
        AVPacket **longer = av_realloc_array(work->kept, room, sizeof *longer);
        if (!longer) return AVERROR(ENOMEM);
        work->kept = longer;
        work->keptRoom = room;
    }
    AVPacket *copy = av_packet_clone(packet);
    if (!copy) return AVERROR(ENOMEM);
    work->kept[work->keptCount++] = copy;
    return 0;
}

static int hand_kept(cphotos_work *work) {
    int code = 0;
    for (unsigned i = 0; i < work->keptCount; i++) {
        cphotos_pipe *pipe = &work->pipes[work->kept[i]->stream_index];
        if (code >= 0 && !pipe->isDone) code = handle(work, pipe, work->kept[i]);
        av_packet_free(&work->kept[i]);
    }
    work->keptCount = 0;
    return code;
}

static int take(cphotos_work *work, cphotos_pipe *pipe, AVPacket *packet) {
    if (work->isAwaited && !pipe->isDrawn) return keep(work, packet);
    int code = handle(work, pipe, packet);
    return code >= 0 && !work->isAwaited && work->keptCount > 0 ? hand_kept(work) : code;
}

// Drains the decoders and encoders.
static int finish(cphotos_work *work) {
    int code = 0;
    // Drawn video comes first, because nothing is written before its first frame.
    for (int isDrawn = 1; isDrawn >= 0; isDrawn--) {
        for (unsigned i = 0; code >= 0 && i < work->count; i++) {
            cphotos_pipe *pipe = &work->pipes[i];
            if (pipe->isEncoded && pipe->isDrawn == isDrawn) code = handle(work, pipe, NULL);
        }
        if (code >= 0 && work->isAwaited) {
            code = cphotos_fail(work, AVERROR_INVALIDDATA, "none of its frames can be decoded");
        }
        if (code >= 0) code = hand_kept(work);
    }
    return code;
}

static int run(cphotos_work *work) {
    AVPacket *packet = av_packet_alloc();
    int code = packet ? 0 : AVERROR(ENOMEM);
    while (code >= 0 && !is_whole(work)) {
        if (tell(work, work->done)) {
            code = AVERROR_EXIT;
            break;
        }
        int read = av_read_frame(work->reading.format, packet);
        if (read == AVERROR_EOF) break;
        if (read < 0) {
            code = cphotos_fail(work, read, "its data ends early or is damaged");
            break;
        }
        cphotos_pipe *pipe = packet->stream_index < (int)work->count
            ? &work->pipes[packet->stream_index]
            : NULL;
        if (pipe && pipe->out && !pipe->isDone) code = take(work, pipe, packet);
        av_packet_unref(packet);
    }
    av_packet_free(&packet);
    return code < 0 ? code : finish(work);
}

// The result must be about as long as the container declared.
static int check(cphotos_work *work) {
    int64_t reached = 0, frames = 0;
    for (unsigned i = 0; i < work->count; i++) {
        cphotos_pipe *pipe = &work->pipes[i];
        if (!pipe->out) continue;
        frames += pipe->frames;
        if (pipe->reached > reached) reached = pipe->reached;
        if (pipe->isEncoded && pipe->errors > pipe->frames) {
            return cphotos_fail(
                work, AVERROR_INVALIDDATA, "most of its %s can't be decoded",
                pipe->in->codecpar->codec_type == AVMEDIA_TYPE_VIDEO ? "pictures" : "sound"
            );
        }
    }
    if (frames == 0) return cphotos_fail(work, AVERROR_INVALIDDATA, "the range has no content");
    if (work->wanted > 0 && reached + AV_TIME_BASE / 4 < work->wanted - work->wanted / 10) {
        return cphotos_fail(
            work, AVERROR_INVALIDDATA, "it is truncated: it ends after %.1f of %.1f seconds",
            reached / 1e6, work->wanted / 1e6
        );
    }
    return 0;
}

// MARK: - The whole

int cphotos_write_header(cphotos_work *work) {
    const cphotos_conversion_settings *settings = work->settings;
    work->isAwaited = 0;
    AVDictionary *options = NULL;
    if (settings->movieScale > 0) av_dict_set_int(&options, "movie_timescale", settings->movieScale, 0);
    if (settings->brand && settings->brand[0]) av_dict_set(&options, "brand", settings->brand, 0);
    int code = avformat_write_header(work->out, &options);
    av_dict_free(&options);
    if (code == AVERROR(EINVAL) || code == AVERROR_PATCHWELCOME || code == AVERROR_EXPERIMENTAL) {
        return cphotos_fail(work, code, "this file type can't hold its tracks without conversion");
    }
    return code;
}

static int open_output(cphotos_work *work, int output) {
    const cphotos_conversion_settings *settings = work->settings;
    int code = avformat_alloc_output_context2(&work->out, NULL, settings->container, NULL);
    if (code < 0) return code;
    work->out->flags |= AVFMT_FLAG_BITEXACT;
    work->writing.descriptor = output;
    work->writing.maximum = settings->maximumBytes;
    work->writing.isStopped = is_stopped;
    work->writing.context = work;
    code = cphotos_writing_open(&work->writing, work->out);
    if (code < 0) return code;
    int pictures = 0, streams = 0;
    for (unsigned i = 0; i < work->count; i++) {
        cphotos_pipe *pipe = &work->pipes[i];
        code = cphotos_add_pipe(work, pipe, &pictures);
        if (code < 0) return code;
        streams += pipe->out != NULL;
        if (!pipe->out) pipe->in->discard = AVDISCARD_ALL;
    }
    int isEncoded = settings->video == cphotos_encode || settings->video == cphotos_draw;
    if (streams == 0 || (isEncoded && pictures == 0)) {
        return cphotos_fail(
            work, AVERROR_STREAM_NOT_FOUND,
            settings->video == cphotos_drop ? "it has no audio" : "it has no video"
        );
    }
    code = cphotos_add_chapters(work);
    if (code < 0) return code;
    AVDictionaryEntry *date = av_dict_get(work->reading.format->metadata, "creation_time", NULL, 0);
    // FFmpeg reports 1904 and 1970 for an empty date.
    if (date && settings->keepsMetadata && strncmp(date->value, "1904", 4) != 0
        && strncmp(date->value, "1970", 4) != 0) {
        av_dict_set(&work->out->metadata, date->key, date->value, 0);
    }
    return work->isAwaited ? 0 : cphotos_write_header(work);
}

static void close_all(cphotos_work *work) {
    for (unsigned i = 0; i < work->count; i++) {
        cphotos_pipe *pipe = &work->pipes[i];
        avcodec_free_context(&pipe->decoder);
        avcodec_free_context(&pipe->encoder);
        av_frame_free(&pipe->frame);
        av_packet_free(&pipe->packet);
        av_packet_free(&pipe->held);
        sws_freeContext(pipe->scaler);
        sws_freeContext(pipe->second);
        av_frame_free(&pipe->scaled);
        av_frame_free(&pipe->mapped);
        sws_freeContext(pipe->drawing);
        av_frame_free(&pipe->plain);
        av_frame_free(&pipe->drawn);
        av_free(pipe->upright);
        av_free(pipe->tone);
        swr_free(&pipe->resampler);
        av_channel_layout_uninit(&pipe->resampledFrom);
        av_audio_fifo_free(pipe->buffer);
    }
    for (unsigned i = 0; i < work->keptCount; i++) av_packet_free(&work->kept[i]);
    av_free(work->kept);
    av_free(work->pipes);
    avformat_free_context(work->out);
    cphotos_writing_close(&work->writing);
    cphotos_reading_close(&work->reading);
}

static int convert(cphotos_work *work, int input, int output) {
    int code = cphotos_reading_open(&work->reading, input, work->settings->source);
    if (code < 0) return code;
    (void)cphotos_find_streams(work->reading.format);
    work->count = work->reading.format->nb_streams;
    work->pipes = av_calloc(work->count ? work->count : 1, sizeof *work->pipes);
    if (!work->pipes) {
        work->count = 0;
        return AVERROR(ENOMEM);
    }
    for (unsigned i = 0; i < work->count; i++) work->pipes[i].in = work->reading.format->streams[i];
    if ((code = set_range(work)) < 0) return code;
    if ((code = open_output(work, output)) < 0) return code;
    if ((code = seek_to_start(work)) < 0) return code;
    if ((code = run(work)) < 0) return code;
    if ((code = check(work)) < 0) return code;
    if ((code = av_write_trailer(work->out)) < 0) return code;
    avio_flush(work->writing.io);
    return work->writing.io->error;
}

int cphotos_movie_convert(
    int input,
    int output,
    const cphotos_conversion_settings *settings,
    cphotos_conversion_progress progress,
    void *context,
    cphotos_conversion_result *result,
    char *error,
    size_t errorLength
) {
    // Each thread of an encoder may have its own arena, which counts against the limit.
    mallopt(M_ARENA_MAX, 2);
    cphotos_work work = {.settings = settings, .progress = progress, .context = context};
    memset(result, 0, sizeof *result);
    int code = convert(&work, input, output);
    for (unsigned i = 0; i < work.count; i++) {
        cphotos_pipe *pipe = &work.pipes[i];
        if (!pipe->out) continue;
        if (result->trackCount < cphotos_most_tracks) {
            result->sources[result->trackCount++] = pipe->in->id;
        }
        if (pipe->reached > result->duration) result->duration = pipe->reached;
        if (pipe->out->codecpar->codec_type == AVMEDIA_TYPE_VIDEO && !result->videoCodec[0]) {
            const char *name = avcodec_get_name(pipe->out->codecpar->codec_id);
            strncpy(result->videoCodec, name, sizeof result->videoCodec - 1);
        }
    }
    result->bytes = work.writing.length;
    int writeError = work.writing.error, isStopped = work.isStopped;
    if (errorLength > 0 && code < 0) {
        if (writeError == EFBIG && settings->maximumBytes > 0) {
            snprintf(
                error, errorLength, "it would be larger than the %lld bytes allowed",
                (long long)settings->maximumBytes
            );
        } else if (work.reason[0]) {
            snprintf(error, errorLength, "%s", work.reason);
        } else {
            av_strerror(writeError ? AVERROR(writeError) : code, error, errorLength);
        }
    }
    int isTooLarge = writeError == EFBIG && settings->maximumBytes > 0;
    close_all(&work);
    if (code >= 0) return cphotos_converted;
    if (isStopped) return cphotos_stopped;
    return writeError && !isTooLarge ? cphotos_unwritable : cphotos_unreadable;
}
