// Calls into libvips, all of which are variadic.
#ifndef CPHOTOS_VIPS_H
#define CPHOTOS_VIPS_H

#include <stddef.h>
#include <stdint.h>

#include "cphotos_points.h"
#include "cphotos_recipe.h"
#include "cphotos_vips_render.h"

#pragma clang assume_nonnull begin

/// A decoded picture: rows from the top, 3 bytes per pixel, no padding. Release it with
/// `cphotos_vips_release`.
typedef struct {
    int width, height;
    void *_Nullable bytes;
    size_t length;
    /// The color profile of the pixels; null for sRGB or an unknown one.
    void *_Nullable profile;
    size_t profileLength;
} cphotos_picture;

/// Starts libvips with one thread, and without cache, vector code and untrusted loaders. Call it
/// once, before any other function. Returns 0 or -1.
int cphotos_vips_start(void);

/// Decodes a JPEG, shrinking it while loading as long as its longer side stays at least `side`.
/// Returns 0, or -1 with a hint in `error` if it cannot be decoded, is truncated, or has more
/// pixels than `maximumPixels`.
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
