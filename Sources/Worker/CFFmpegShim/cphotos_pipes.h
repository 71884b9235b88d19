// What a conversion is made of. Between the files of this shim only.
#ifndef CPHOTOS_PIPES_H
#define CPHOTOS_PIPES_H

#include "CFFmpegShim.h"
#include "cphotos_reading.h"
#include "cphotos_writing.h"

#include <libavcodec/avcodec.h>
#include <libavutil/audio_fifo.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>

// From HLG and PQ to what a plain screen shows.
typedef struct {
    float light[4096];
    uint16_t signal[16385];
    float matrix[9];
} cphotos_tone;

// One track on its way.
typedef struct {
    AVStream *in;
    // NULL: it is left out.
    AVStream *out;
    int isEncoded;
    // Its frames are drawn; the size of what comes is known with the first.
    int isDrawn;
    AVCodecContext *decoder, *encoder;
    AVFrame *frame;
    AVPacket *packet;
    // No more of it is wanted.
    int isDone;
    // How far it is, in microseconds of the result: what was handed to an encoder, and what is written.
    int64_t handed, reached;
    int64_t lastTime;
    // Of encoded pictures: when the first is shown, the first packet's place in the order, and the
    // last packet so far, which waits until it is known to be the last.
    int64_t firstTime, firstOrder;
    AVPacket *held;
    int64_t frames, errors;
    // Of pictures: the scaler, and what a second makes of tone-mapped rows.
    struct SwsContext *scaler, *second;
    AVFrame *scaled, *mapped;
    cphotos_tone *tone;
    // Of drawn pictures: the scaler to and from what is drawn, the frame as it is and upright, and what
    // is encoded.
    struct SwsContext *drawing;
    AVFrame *plain, *drawn;
    uint8_t *upright;
    int quarterTurns, isMirrored;
    // How long the frames within the encoder are shown.
    struct { int64_t time, length; } inside[512];
    unsigned entered;
    // Of sound: samples that came into the buffer and those that went to the encoder.
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
    // The range in microseconds of the source's own times; INT64_MAX for no end.
    int64_t start, end;
    // How long the result should become in microseconds; 0 when that is unknown.
    int64_t wanted;
    double done;
    // The first drawn picture has not come, and the header has not been written; packets of other
    // tracks wait.
    int isAwaited;
    AVPacket **kept;
    unsigned keptCount, keptRoom;
    int64_t keptBytes;
    cphotos_conversion_progress progress;
    void *context;
    int isStopped;
    // Why it failed, where we know better than FFmpeg.
    char reason[240];
} cphotos_work;

// Notes why, and gives the code.
int cphotos_fail(cphotos_work *work, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));

// Microseconds of the source, from the source's stream's units.
int64_t cphotos_microseconds(const cphotos_pipe *pipe, int64_t time);

// Tells the host how far a track is: what was handed to its encoder, if there is one, and what is
// written. Not 0 when it is to stop.
int cphotos_advance(cphotos_work *work, cphotos_pipe *pipe, int64_t handed, int64_t reached);

// Adds a track of the source to the result, if it belongs there; counts the pictures' ones.
int cphotos_add_pipe(cphotos_work *work, cphotos_pipe *pipe, int *pictures);
int cphotos_add_chapters(cphotos_work *work);

int cphotos_copy_packet(cphotos_work *work, cphotos_pipe *pipe, AVPacket *packet);

int cphotos_open_decoder(cphotos_work *work, cphotos_pipe *pipe);
int cphotos_video_open(cphotos_work *work, cphotos_pipe *pipe);
int cphotos_video_packet(cphotos_work *work, cphotos_pipe *pipe, AVPacket *packet);
int cphotos_audio_open(cphotos_work *work, cphotos_pipe *pipe);
int cphotos_audio_packet(cphotos_work *work, cphotos_pipe *pipe, AVPacket *packet);

// Opens the encoder of a track for pictures of a size.
int cphotos_video_encoder(cphotos_work *work, cphotos_pipe *pipe, int width, int height);
// The size that fits, of even sides, never larger than it is.
void cphotos_fit(const cphotos_conversion_settings *settings, int width, int height, int *toWidth, int *toHeight);

AVFrame *cphotos_picture_make(int format, int width, int height);
// Scales and converts between two frames with their own colours.
int cphotos_picture_convert(
    struct SwsContext **scaler, const AVFrame *from, int fromMatrix, int isFull, AVFrame *to,
    int toMatrix
);
// Brings a frame to what plain screens show, as 16-bit RGB of a size.
int cphotos_picture_tone(cphotos_pipe *pipe, AVFrame *frame, int width, int height);
int cphotos_picture_matrix(cphotos_pipe *pipe, const AVFrame *frame);
int cphotos_picture_is_full(const AVFrame *frame);

// Whether drawn pictures are in Display P3; else in sRGB.
int cphotos_is_display_p3(const cphotos_pipe *pipe);
int cphotos_draw_open(cphotos_work *work, cphotos_pipe *pipe);
// Has a frame drawn; `ready` is what is encoded. The first opens the encoder and writes the header.
int cphotos_draw_frame(
    cphotos_work *work, cphotos_pipe *pipe, AVFrame *frame, int64_t time, AVFrame **ready
);
int cphotos_write_header(cphotos_work *work);

// Hands a frame, or NULL for the end, to the encoder and writes what it gives.
int cphotos_encode_frame(cphotos_work *work, cphotos_pipe *pipe, AVFrame *frame);

cphotos_tone *cphotos_tone_make(int transfer, int primaries);
// Maps rows of 16-bit RGB in place.
void cphotos_tone_map(const cphotos_tone *tone, uint8_t *rows, int stride, int width, int height);

#endif
