// Calls into LibRaw, whose structures with unions and callbacks Swift cannot import.
#ifndef CPHOTOS_RAW_H
#define CPHOTOS_RAW_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    /// In pixels as stored, and after applying `flip`.
    int width, height, displayWidth, displayHeight;
    /// An EXIF orientation.
    int orientation;
    char make[64], model[64];
} cphotos_raw_facts;

/// An embedded preview. Release it with `cphotos_raw_release`.
typedef struct {
    /// 1 for a JPEG, 2 for rows of `bands` bytes per pixel.
    int kind;
    int width, height, bands;
    const void *_Nullable bytes;
    size_t length;
    void *_Nullable owner;
} cphotos_raw_preview;

/// Reads the header of a RAW file in memory. Returns 0, or -1 with LibRaw's message in `error`.
int cphotos_raw_read(
    const void *bytes, size_t length, cphotos_raw_facts *facts, char *error, size_t errorLength
);

/// Unpacks the preview that the camera embedded. Returns 0, or -1 if no preview can be read.
int cphotos_raw_unpack_preview(const void *bytes, size_t length, cphotos_raw_preview *preview);

void cphotos_raw_release(cphotos_raw_preview *preview);

/// A developed picture: upright rows from the top, 3 bytes per pixel, sRGB. Release it with
/// `cphotos_raw_picture_release`.
typedef struct {
    int width, height;
    const void *_Nullable pixels;
    size_t length;
    void *_Nullable owner;
} cphotos_raw_picture;

/// Called occasionally while a picture is developed; nonzero stops.
typedef int (*cphotos_raw_is_cancelled)(void *_Nullable context);

/// Develops a RAW file in memory with the camera's white balance. With `isHalfSize`, the result
/// has half the size, which takes a fraction of the time. Returns 0; -1 with LibRaw's message in
/// `error`; 1 if it was stopped.
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

#ifdef __cplusplus
}
#endif

#pragma clang assume_nonnull end

#endif
