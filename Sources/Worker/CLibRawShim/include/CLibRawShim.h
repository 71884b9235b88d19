// Calls into LibRaw, whose structures with unions and callbacks Swift can't import.
#ifndef CPHOTOS_RAW_H
#define CPHOTOS_RAW_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef struct {
    /// Pixels as stored, and as turned by `flip`.
    int width, height, displayWidth, displayHeight;
    /// As an EXIF orientation.
    int orientation;
    char make[64], model[64];
} cphotos_raw_facts;

/// An embedded preview. Released by `cphotos_raw_release`.
typedef struct {
    /// 1: a JPEG; 2: rows of `bands` bytes a pixel.
    int kind;
    int width, height, bands;
    const void *_Nullable bytes;
    size_t length;
    void *_Nullable owner;
} cphotos_raw_preview;

/// Reads the header of a RAW file in memory. 0, or -1 with LibRaw's words in `error`.
int cphotos_raw_read(
    const void *bytes, size_t length, cphotos_raw_facts *facts, char *error, size_t errorLength
);

/// Unpacks the preview that the camera embedded. 0, or -1 when there is none that can be read.
int cphotos_raw_unpack_preview(const void *bytes, size_t length, cphotos_raw_preview *preview);

void cphotos_raw_release(cphotos_raw_preview *preview);

/// A developed picture: rows from the top, 3 bytes a pixel, sRGB, upright. Released by
/// `cphotos_raw_picture_release`.
typedef struct {
    int width, height;
    const void *_Nullable pixels;
    size_t length;
    void *_Nullable owner;
} cphotos_raw_picture;

/// Asked now and then while a picture is developed; not 0 stops it.
typedef int (*cphotos_raw_is_cancelled)(void *_Nullable context);

/// Develops a RAW file in memory, with the camera's white balance; at half the size when that is
/// enough, which takes a fraction of the time. 0; -1 with LibRaw's words in `error`; 1 when it was
/// stopped.
int cphotos_raw_develop(
    const void *bytes,
    size_t length,
    int isHalfSize,
    uint64_t maximumPixels,
    cphotos_raw_is_cancelled isCancelled,
    void *_Nullable context,
    cphotos_raw_picture *picture,
    char *error,
    size_t errorLength
);

void cphotos_raw_picture_release(cphotos_raw_picture *picture);

#pragma clang assume_nonnull end

#endif
