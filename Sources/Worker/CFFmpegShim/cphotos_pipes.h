// The parts of a conversion. Internal to this shim.
#ifndef CPHOTOS_PIPES_H
#define CPHOTOS_PIPES_H

#include "CFFmpegShim.h"
#include "cphotos_reading.h"
#include "cphotos_writing.h"

#include <libavcodec/avcodec.h>
#include <libavutil/audio_fifo.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>

// A tone mapping from HLG or PQ to SDR.
typedef struct {
    float light[4096];
    uint16_t signal[16385];
    float matrix[9];
} cphotos_tone;

// A track during conversion.
typedef struct {
    AVStream *in;
    // NULL if the track is dropped.
    AVStream *out;
    int isEncoded;
    // Its frames are drawn; the size of the result is known with the first.
    int isDrawn;
    AVCodecContext *decoder, *encoder;
    AVFrame *frame;
    AVPacket *packet;
    // No more of its packets are needed.
    int isDone;
    // The progress in microseconds of the result: of the frames sent to the encoder, and of the
    // packets written.
    int64_t handed, reached;
    int64_t lastTime;
    // For encoded video: the time of the first frame, the first packet's decoding order, and the
    // latest packet, which is held until it is known whether it is the last.
    int64_t firstTime, firstOrder;
    AVPacket *held;
    int64_t frames, errors;
    // For video: the scaler, and a second one for the result of tone mapping.
    struct SwsContext *scaler, *second;
    AVFrame *scaled, *mapped;
    cphotos_tone *tone;
    // For drawn video: the scalers to and from the drawn pixels, the frame as stored and upright,
    // and the frame to encode.
    struct SwsContext *drawing;
    AVFrame *plain, *drawn;
    uint8_t *upright;
    int quarterTurns, isMirrored;
    // The durations of the frames inside the encoder.
    struct { int64_t time, length; } inside[512];
    unsigned entered;
    // For audio: the samples added to the buffer and those sent to the encoder.
    SwrContext *resampler;
    AVChannelLayout resampledFrom;
    int resampledFormat, resampledRate;
    AVAudioFifo *buffer;
    int64_t taken, sent;
} cphotos_pipe;

typedef struct {
    const cphotos_conversion_settings *settings;
    cphotos_reading reading;
    cphotos_writing writing;
    AVFormatContext *out;
    cphotos_pipe *pipes;
    unsigned count;
    // The range in microseconds of the source's own times; INT64_MAX for an open end.
    int64_t start, end;
    // The expected duration of the result in microseconds; 0 if unknown.
    int64_t wanted;
    double done;
    // Set while the first drawn frame is pending and the header is not written; packets of other
    // tracks wait.
    int isAwaited;
    AVPacket **kept;
    unsigned keptCount, keptRoom;
    int64_t keptBytes;
    cphotos_conversion_progress progress;
    void *context;
    int isStopped;
    // The reason for a failure, if it is more precise than FFmpeg's.
    char reason[240];
} cphotos_work;

// Records the reason and returns the code.
int cphotos_fail(cphotos_work *work, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));

// Converts a time from the source stream's units to microseconds.
int64_t cphotos_microseconds(const cphotos_pipe *pipe, int64_t time);

// Reports a track's progress to the host: the frames sent to its encoder, if there is one, and the
// packets written. Returns nonzero if the conversion must stop.
int cphotos_advance(cphotos_work *work, cphotos_pipe *pipe, int64_t handed, int64_t reached);

// Adds a track of the source to the result if it belongs there; counts the video tracks.
int cphotos_add_pipe(cphotos_work *work, cphotos_pipe *pipe, int *pictures);
int cphotos_add_chapters(cphotos_work *work);

int cphotos_copy_packet(cphotos_work *work, cphotos_pipe *pipe, AVPacket *packet);

int cphotos_open_decoder(cphotos_work *work, cphotos_pipe *pipe);
int cphotos_video_open(cphotos_work *work, cphotos_pipe *pipe);
int cphotos_video_packet(cphotos_work *work, cphotos_pipe *pipe, AVPacket *packet);
int cphotos_audio_open(cphotos_work *work, cphotos_pipe *pipe);
int cphotos_audio_packet(cphotos_work *work, cphotos_pipe *pipe, AVPacket *packet);

// Opens the encoder of a video track for frames of a given size.
int cphotos_video_encoder(cphotos_work *work, cphotos_pipe *pipe, int width, int height);
// Calculates the largest size with even sides that fits the bounds and does not exceed the
// original.
void cphotos_fit(const cphotos_conversion_settings *settings, int width, int height, int *toWidth, int *toHeight);

AVFrame *cphotos_picture_make(int format, int width, int height);
// Scales and converts between two frames, each with its own color space.
int cphotos_picture_convert(
    struct SwsContext **scaler, const AVFrame *from, int fromMatrix, int isFull, AVFrame *to,
    int toMatrix
);
// Converts a frame to SDR, as 16-bit RGB of a given size.
int cphotos_picture_tone(cphotos_pipe *pipe, AVFrame *frame, int width, int height);
int cphotos_picture_matrix(cphotos_pipe *pipe, const AVFrame *frame);
int cphotos_picture_is_full(const AVFrame *frame);

// Returns whether drawn frames are in Display P3; otherwise they are in sRGB.
int cphotos_is_display_p3(const cphotos_pipe *pipe);
int cphotos_draw_open(cphotos_work *work, cphotos_pipe *pipe);
// Draws a frame; `ready` is the frame to encode. The first call opens the encoder and writes the
// header.
int cphotos_draw_frame(
    cphotos_work *work, cphotos_pipe *pipe, AVFrame *frame, int64_t time, AVFrame **ready
);
int cphotos_write_header(cphotos_work *work);

// Sends a frame, or NULL for the end, to the encoder and writes the resulting packets.
int cphotos_encode_frame(cphotos_work *work, cphotos_pipe *pipe, AVFrame *frame);

cphotos_tone *cphotos_tone_make(int transfer, int primaries);
// Maps rows of 16-bit RGB in place.
void cphotos_tone_map(const cphotos_tone *tone, uint8_t *rows, int stride, int width, int height);

#endif
