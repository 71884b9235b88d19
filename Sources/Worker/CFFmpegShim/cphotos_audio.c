#include "cphotos_pipes.h"

enum { patience = 20, longestGap = 600 };

static int best_rate(const AVCodec *codec, int wanted) {
    int best = 0;
    for (const int *rate = codec->supported_samplerates; rate && *rate; rate++) {
        if (*rate == wanted) return wanted;
        // The next higher rate, or the highest.
        if (best == 0 || (*rate > wanted ? best < wanted || *rate < best : *rate > best)) best = *rate;
    }
    return best ? best : 48000;
}

static int open_encoder(cphotos_work *work, cphotos_pipe *pipe, const AVChannelLayout *layout) {
    const AVCodec *codec = avcodec_find_encoder(AV_CODEC_ID_AAC);
    if (!codec) return AVERROR_ENCODER_NOT_FOUND;
    AVCodecContext *encoder = pipe->encoder = avcodec_alloc_context3(codec);
    if (!encoder) return AVERROR(ENOMEM);
    encoder->sample_fmt = AV_SAMPLE_FMT_FLTP;
    encoder->sample_rate = best_rate(codec, pipe->decoder->sample_rate);
    encoder->time_base = (AVRational){1, encoder->sample_rate};
    encoder->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    int code = av_channel_layout_copy(&encoder->ch_layout, layout);
    if (code < 0) return code;
    int64_t rate = work->settings->audioBitRate;
    encoder->bit_rate = rate > 0 ? rate : 64000 * (int64_t)layout->nb_channels;
    code = avcodec_open2(encoder, codec, NULL);
    if (code < 0) avcodec_free_context(&pipe->encoder);
    return code;
}

int cphotos_audio_open(cphotos_work *work, cphotos_pipe *pipe) {
    int code = cphotos_open_decoder(work, pipe);
    if (code < 0) return code;
    if (pipe->decoder->sample_rate < 1 || pipe->decoder->ch_layout.nb_channels < 1) {
        return cphotos_fail(work, AVERROR_INVALIDDATA, "its audio can't be decoded");
    }
    AVChannelLayout layout = {0};
    if (pipe->decoder->ch_layout.order == AV_CHANNEL_ORDER_NATIVE) {
        code = av_channel_layout_copy(&layout, &pipe->decoder->ch_layout);
    } else {
        av_channel_layout_default(&layout, pipe->decoder->ch_layout.nb_channels);
    }
    if (code >= 0) code = layout.nb_channels > 8 ? -1 : open_encoder(work, pipe, &layout);
    av_channel_layout_uninit(&layout);
    if (code < 0) {
        // More channels than AAC supports, or in another order. Stereo plays everywhere.
        av_channel_layout_default(&layout, 2);
        code = open_encoder(work, pipe, &layout);
        av_channel_layout_uninit(&layout);
    }
    if (code < 0) return code;
    AVCodecContext *encoder = pipe->encoder;
    pipe->buffer = av_audio_fifo_alloc(encoder->sample_fmt, encoder->ch_layout.nb_channels, 4096);
    if (!pipe->buffer) return AVERROR(ENOMEM);
    pipe->out->time_base = encoder->time_base;
    pipe->out->avg_frame_rate = (AVRational){0, 1};
    return avcodec_parameters_from_context(pipe->out->codecpar, encoder);
}

static int prepare_resampler(cphotos_pipe *pipe, const AVFrame *frame) {
    AVChannelLayout from = {0};
    int code = 0;
    if (frame->ch_layout.order == AV_CHANNEL_ORDER_UNSPEC) {
        av_channel_layout_default(&from, frame->ch_layout.nb_channels);
    } else {
        code = av_channel_layout_copy(&from, &frame->ch_layout);
    }
    if (code >= 0
        && (!pipe->resampler || pipe->resampledFormat != frame->format
            || pipe->resampledRate != frame->sample_rate
            || av_channel_layout_compare(&pipe->resampledFrom, &from) != 0)) {
        swr_free(&pipe->resampler);
        code = swr_alloc_set_opts2(
            &pipe->resampler, &pipe->encoder->ch_layout, pipe->encoder->sample_fmt,
            pipe->encoder->sample_rate, &from, frame->format, frame->sample_rate, 0, NULL
        );
        if (code >= 0) code = swr_init(pipe->resampler);
        if (code >= 0) code = av_channel_layout_copy(&pipe->resampledFrom, &from);
        pipe->resampledFormat = frame->format;
        pipe->resampledRate = frame->sample_rate;
    }
    av_channel_layout_uninit(&from);
    return code;
}

// Creates a frame for the encoder, with uninitialized samples.
static AVFrame *make_frame(cphotos_pipe *pipe, int samples) {
    AVFrame *frame = av_frame_alloc();
    if (!frame) return NULL;
    frame->format = pipe->encoder->sample_fmt;
    frame->sample_rate = pipe->encoder->sample_rate;
    frame->nb_samples = samples;
    if (av_channel_layout_copy(&frame->ch_layout, &pipe->encoder->ch_layout) < 0
        || av_frame_get_buffer(frame, 0) < 0) {
        av_frame_free(&frame);
    }
    return frame;
}

static int encode_buffer(cphotos_work *work, cphotos_pipe *pipe, int isEnd) {
    int size = pipe->encoder->frame_size > 0 ? pipe->encoder->frame_size : 1024;
    for (;;) {
        int there = av_audio_fifo_size(pipe->buffer);
        if (there == 0 || (there < size && !isEnd)) return 0;
        int samples = there < size ? there : size;
        AVFrame *frame = make_frame(pipe, samples);
        if (!frame) return AVERROR(ENOMEM);
        int code = av_audio_fifo_read(pipe->buffer, (void **)frame->data, samples) == samples
            ? 0
            : AVERROR(ENOMEM);
        frame->pts = pipe->sent;
        pipe->sent += samples;
        if (code >= 0) code = cphotos_encode_frame(work, pipe, frame);
        av_frame_free(&frame);
        if (code < 0) return code;
    }
}

// Adds samples to the buffer, limited to those in the range.
static int take(cphotos_work *work, cphotos_pipe *pipe, AVFrame *frame, int skipped) {
    int64_t room = INT64_MAX;
    if (work->end != INT64_MAX) {
        room = av_rescale(work->end - work->start, pipe->encoder->sample_rate, AV_TIME_BASE)
            - pipe->taken;
    }
    int64_t samples = frame->nb_samples - skipped;
    if (samples > room) {
        samples = room;
        pipe->isDone = 1;
    }
    if (samples <= 0) return 0;
    uint8_t *planes[8] = {0};
    for (int i = 0; i < pipe->encoder->ch_layout.nb_channels && i < 8; i++) {
        planes[i] = frame->extended_data[i] + (size_t)skipped * sizeof(float);
    }
    if (av_audio_fifo_write(pipe->buffer, (void **)planes, (int)samples) < samples) {
        return AVERROR(ENOMEM);
    }
    pipe->taken += samples;
    return encode_buffer(work, pipe, 0);
}

static int take_silence(cphotos_work *work, cphotos_pipe *pipe, int64_t samples) {
    while (samples > 0 && !pipe->isDone) {
        AVFrame *frame = make_frame(pipe, (int)FFMIN(samples, 4096));
        if (!frame) return AVERROR(ENOMEM);
        av_samples_set_silence(
            frame->extended_data, 0, frame->nb_samples, frame->ch_layout.nb_channels, frame->format
        );
        samples -= frame->nb_samples;
        int code = take(work, pipe, frame, 0);
        av_frame_free(&frame);
        if (code < 0) return code;
    }
    return 0;
}

static void make_quieter(AVFrame *frame, float volume) {
    for (int channel = 0; channel < frame->ch_layout.nb_channels; channel++) {
        float *samples = (float *)(void *)frame->extended_data[channel];
        for (int i = 0; i < frame->nb_samples; i++) samples[i] *= volume;
    }
}

// Resamples a frame, or drains the resampler for NULL, and places the result at its time.
static int take_frame(cphotos_work *work, cphotos_pipe *pipe, const AVFrame *from) {
    int64_t rate = pipe->encoder->sample_rate;
    int64_t skipped = 0, time = from ? from->best_effort_timestamp : AV_NOPTS_VALUE;
    if (from) {
        int code = prepare_resampler(pipe, from);
        if (code < 0) return code;
    } else if (!pipe->resampler) {
        return 0;
    }
    if (time != AV_NOPTS_VALUE) {
        int64_t place
            = av_rescale(cphotos_microseconds(pipe, time) - work->start, rate, AV_TIME_BASE);
        int64_t off = place - pipe->taken - swr_get_delay(pipe->resampler, rate);
        // Small differences are due to rounded times, but the start is exact.
        int64_t tolerance = pipe->frames > 0 ? rate / patience : 0;
        if (off < -tolerance) skipped = -off;
        if (off > tolerance && off < longestGap * rate) {
            int code = take_silence(work, pipe, off);
            if (code < 0) return code;
        }
    }
    int most = swr_get_out_samples(pipe->resampler, from ? from->nb_samples : 0);
    if (most <= 0) return most;
    AVFrame *frame = make_frame(pipe, most);
    if (!frame) return AVERROR(ENOMEM);
    int code = swr_convert(
        pipe->resampler, frame->extended_data, most,
        from ? (const uint8_t **)from->extended_data : NULL, from ? from->nb_samples : 0
    );
    if (code > 0) {
        frame->nb_samples = code;
        if (work->settings->volume != 1) make_quieter(frame, (float)work->settings->volume);
        if (skipped < code) {
            pipe->frames++;
            code = take(work, pipe, frame, (int)skipped);
        }
    }
    av_frame_free(&frame);
    return code < 0 ? code : 0;
}

int cphotos_audio_packet(cphotos_work *work, cphotos_pipe *pipe, AVPacket *packet) {
    int code = avcodec_send_packet(pipe->decoder, packet);
    if (code == AVERROR(ENOMEM)) return code;
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
    if (packet) return 0;
    if (!pipe->isDone && (code = take_frame(work, pipe, NULL)) < 0) return code;
    if ((code = encode_buffer(work, pipe, 1)) < 0) return code;
    return cphotos_encode_frame(work, pipe, NULL);
}
