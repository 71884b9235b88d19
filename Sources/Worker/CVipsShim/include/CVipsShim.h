// Calls into libvips, all of which take variable arguments.
#ifndef CPHOTOS_VIPS_H
#define CPHOTOS_VIPS_H

#include <stddef.h>
#include <stdint.h>

#include "cphotos_points.h"
#include "cphotos_recipe.h"
#include "cphotos_vips_render.h"

#pragma clang assume_nonnull begin

/// A decoded picture: rows from the top, 3 bytes a pixel, no padding. Released by
/// `cphotos_vips_release`.
typedef struct {
    int width, height;
    void *_Nullable bytes;
    size_t length;
    /// The colour profile that the pixels are in; null for sRGB or an unknown one.
    void *_Nullable profile;
    size_t profileLength;
} cphotos_picture;

/// Starts libvips with one thread, no cache, no vector code and no untrusted loaders. Once, first of
/// all. 0 or -1.
int cphotos_vips_start(void);

/// Decodes a JPEG, shrunk while loading as long as its longer side stays at least `side`. 0, or -1
/// when it can't be decoded, is cut short, or has more pixels than `maximumPixels`; then a hint is in
/// `error`.
int cphotos_vips_decode_jpeg(
    const void *bytes,
    size_t length,
    int side,
    int64_t maximumPixels,
    cphotos_picture *picture,
    char *error,
    size_t errorLength
);

void cphotos_vips_release(cphotos_picture *picture);

#pragma clang assume_nonnull end

#endif
