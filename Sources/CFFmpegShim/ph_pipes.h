// What a conversion is made of. Between the files of this shim only.
#ifndef PH_PIPES_H
#define PH_PIPES_H

#include "CFFmpegShim.h"
#include "ph_reading.h"
#include "ph_writing.h"

#include <libavcodec/avcodec.h>
#include <libavutil/audio_fifo.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>

// From HLG and PQ to what a plain screen shows.
typedef struct {
    float light[4096];
    uint16_t signal[16385];
    float matrix[9];
} ph_tone;

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
    ph_tone *tone;
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
} ph_pipe;

typedef struct {
    const ph_conversion_order *order;
    ph_reading reading;
    ph_writing writing;
    AVFormatContext *out;
    ph_pipe *pipes;
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
    ph_conversion_progress progress;
    void *context;
    int isStopped;
    // Why it failed, where we know better than FFmpeg.
    char reason[240];
} ph_work;

// Notes why, and gives the code.
int ph_fail(ph_work *work, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));

// Microseconds of the source, from the source's stream's units.
int64_t ph_microseconds(const ph_pipe *pipe, int64_t time);

// Tells the host how far a track is: what was handed to its encoder, if there is one, and what is
// written. Not 0 when it is to stop.
int ph_advance(ph_work *work, ph_pipe *pipe, int64_t handed, int64_t reached);

// Adds a track of the source to the result, if it belongs there; counts the pictures' ones.
int ph_add_pipe(ph_work *work, ph_pipe *pipe, int *pictures);
int ph_add_chapters(ph_work *work);

int ph_copy_packet(ph_work *work, ph_pipe *pipe, AVPacket *packet);

int ph_open_decoder(ph_work *work, ph_pipe *pipe);
int ph_video_open(ph_work *work, ph_pipe *pipe);
int ph_video_packet(ph_work *work, ph_pipe *pipe, AVPacket *packet);
int ph_audio_open(ph_work *work, ph_pipe *pipe);
int ph_audio_packet(ph_work *work, ph_pipe *pipe, AVPacket *packet);

// Opens the encoder of a track for pictures of a size.
int ph_video_encoder(ph_work *work, ph_pipe *pipe, int width, int height);
// The size that fits, of even sides, never larger than it is.
void ph_fit(const ph_conversion_order *order, int width, int height, int *toWidth, int *toHeight);

AVFrame *ph_picture_make(int format, int width, int height);
// Scales and converts between two frames with their own colours.
int ph_picture_convert(
    struct SwsContext **scaler, const AVFrame *from, int fromMatrix, int isFull, AVFrame *to,
    int toMatrix
);
// Brings a frame to what plain screens show, as 16-bit RGB of a size.
int ph_picture_tone(ph_pipe *pipe, AVFrame *frame, int width, int height);
int ph_picture_matrix(ph_pipe *pipe, const AVFrame *frame);
int ph_picture_is_full(const AVFrame *frame);

// Whether drawn pictures are in Display P3; else in sRGB.
int ph_is_display_p3(const ph_pipe *pipe);
int ph_draw_open(ph_work *work, ph_pipe *pipe);
// Has a frame drawn; `ready` is what is encoded. The first opens the encoder and writes the header.
int ph_draw_frame(
    ph_work *work, ph_pipe *pipe, AVFrame *frame, int64_t time, AVFrame **ready
);
int ph_write_header(ph_work *work);

// Hands a frame, or NULL for the end, to the encoder and writes what it gives.
int ph_encode_frame(ph_work *work, ph_pipe *pipe, AVFrame *frame);

ph_tone *ph_tone_make(int transfer, int primaries);
// Maps rows of 16-bit RGB in place.
void ph_tone_map(const ph_tone *tone, uint8_t *rows, int stride, int width, int height);

#endif
