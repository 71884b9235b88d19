#include "cphotos_pipes.h"

#include <string.h>

int cphotos_is_display_p3(const cphotos_pipe *pipe) {
    int primaries = pipe->in->codecpar->color_primaries;
    return !pipe->tone && (primaries == AVCOL_PRI_SMPTE431 || primaries == AVCOL_PRI_SMPTE432);
}

int cphotos_draw_open(cphotos_work *work, cphotos_pipe *pipe) {
    cphotos_read_matrix(pipe->in, &pipe->quarterTurns, &pipe->isMirrored);
    AVRational aspect = pipe->in->sample_aspect_ratio;
    if (pipe->quarterTurns % 2 && aspect.num > 0 && aspect.den > 0) {
        pipe->out->sample_aspect_ratio = av_inv_q(aspect);
    }
    work->isAwaited = 1;
    return 0;
}

// Orients pixels of four bytes: rotates them clockwise in quarter turns, then flips them
// horizontally.
static void turn(const cphotos_pipe *pipe, const AVFrame *from, uint8_t *to) {
    const int64_t width = from->width, height = from->height;
    // The position of the first stored pixel, and the offsets of its neighbors.
    int64_t start, right, down;
    int turns = pipe->quarterTurns;
    // The stored rows are flipped instead, which for an odd number of turns needs the opposite one.
    if (pipe->isMirrored && turns % 2) turns = (turns + 2) % 4;
    switch (turns) {
    case 1: start = height - 1, right = height, down = -1; break;
    case 2: start = width * height - 1, right = -1, down = -width; break;
    case 3: start = (width - 1) * height, right = -height, down = 1; break;
    default: start = 0, right = 1, down = width; break;
    }
    if (pipe->isMirrored) start += right * (width - 1), right = -right;
    enum { side = 32 };
    uint32_t *pixels = (uint32_t *)(void *)to;
    for (int64_t top = 0; top < height; top += side) {
        for (int64_t left = 0; left < width; left += side) {
            int64_t bottom = FFMIN(top + side, height), end = FFMIN(left + side, width);
            for (int64_t y = top; y < bottom; y++) {
                const uint32_t *row = (const uint32_t *)(const void *)(
                    from->data[0] + y * from->linesize[0]
                );
                uint32_t *place = pixels + start + y * down;
                for (int64_t x = left; x < end; x++) place[x * right] = row[x];
            }
        }
    }
}

// Converts the frame to 8-bit RGB, upright, in `pipe->upright`.
static int make_upright(cphotos_work *work, cphotos_pipe *pipe, AVFrame *frame, cphotos_drawn *drawn) {
    if ((uint64_t)frame->width * (uint64_t)frame->height > work->settings->maximumPixels) {
        return AVERROR(EINVAL);
    }
    if (!pipe->plain) {
        int width, height;
        cphotos_fit(work->settings, frame->width, frame->height, &width, &height);
        pipe->plain = cphotos_picture_make(AV_PIX_FMT_RGBA, width, height);
        if (pipe->plain) pipe->upright = av_malloc((size_t)width * (size_t)height * 4);
    }
    if (!pipe->upright) return AVERROR(ENOMEM);
    AVFrame *plain = pipe->plain;
    int code;
    if (pipe->tone) {
        code = cphotos_picture_tone(pipe, frame, plain->width, plain->height);
        if (code < 0) return code;
        code = cphotos_picture_convert(
            &pipe->second, pipe->mapped, SWS_CS_DEFAULT, 1, plain, SWS_CS_DEFAULT
        );
    } else {
        code = cphotos_picture_convert(
            &pipe->scaler, frame, cphotos_picture_matrix(pipe, frame), cphotos_picture_is_full(frame), plain,
            SWS_CS_DEFAULT
        );
    }
    if (code < 0) return code;
    turn(pipe, plain, pipe->upright);
    int isAcross = pipe->quarterTurns % 2;
    drawn->pixels = pipe->upright;
    drawn->width = isAcross ? plain->height : plain->width;
    drawn->height = isAcross ? plain->width : plain->height;
    drawn->stride = (size_t)drawn->width * 4;
    return 0;
}

static int open_for(cphotos_work *work, cphotos_pipe *pipe, int width, int height) {
    int code = cphotos_video_encoder(work, pipe, width, height);
    if (code < 0) return code;
    code = avcodec_parameters_from_context(pipe->out->codecpar, pipe->encoder);
    if (code < 0) return code;
    pipe->out->time_base = pipe->encoder->time_base;
    return cphotos_write_header(work);
}

int cphotos_draw_frame(
    cphotos_work *work, cphotos_pipe *pipe, AVFrame *frame, int64_t time, AVFrame **ready
) {
    cphotos_drawn drawn = {0};
    int code = make_upright(work, pipe, frame, &drawn);
    if (code < 0) return code;
    if (work->settings->draw) {
        AVRational units = pipe->in->time_base;
        int isPlain = units.num == 1 && units.den > 0;
        int64_t told = isPlain ? time : av_rescale_q(time, units, AV_TIME_BASE_Q);
        int answer = work->settings->draw(
            work->context, &drawn, cphotos_is_display_p3(pipe), told, isPlain ? units.den : AV_TIME_BASE
        );
        if (answer == cphotos_draw_stop) work->isStopped = 1;
        if (answer) {
            return cphotos_fail(work, AVERROR_EXIT, "there is not enough memory for its drawn frames");
        }
    }
    int width = drawn.width & ~1, height = drawn.height & ~1;
    if (!pipe->encoder && (code = open_for(work, pipe, width, height)) < 0) return code;
    if (width != pipe->encoder->width || height != pipe->encoder->height) {
        return cphotos_fail(
            work, AVERROR(EINVAL), "a frame of %dx%d pixels was drawn after frames of %dx%d", width,
            height, pipe->encoder->width, pipe->encoder->height
        );
    }
    if (!pipe->drawn) pipe->drawn = av_frame_alloc();
    if (!pipe->scaled) pipe->scaled = cphotos_picture_make(pipe->encoder->pix_fmt, width, height);
    if (!pipe->drawn || !pipe->scaled) return AVERROR(ENOMEM);
    // The encoded pixels have no alpha, so the fourth byte is ignored.
    pipe->drawn->format = AV_PIX_FMT_RGBA;
    pipe->drawn->width = width;
    pipe->drawn->height = height;
    // Read only; it has no buffer to release.
    pipe->drawn->data[0] = (uint8_t *)(uintptr_t)drawn.pixels;
    pipe->drawn->linesize[0] = (int)drawn.stride;
    *ready = pipe->scaled;
    return cphotos_picture_convert(
        &pipe->drawing, pipe->drawn, SWS_CS_DEFAULT, 1, pipe->scaled, SWS_CS_ITU709
    );
}
