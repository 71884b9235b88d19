// Calls into libvips, all of which take variable arguments.
#ifndef PH_VIPS_H
#define PH_VIPS_H

#include <stddef.h>
#include <stdint.h>

#include "ph_points.h"
#include "ph_recipe.h"
#include "ph_vips_render.h"

#pragma clang assume_nonnull begin

/// A decoded picture: rows from the top, 3 bytes a pixel, no padding. Released by
/// `ph_vips_release`.
typedef struct {
    int width, height;
    void *_Nullable bytes;
    size_t length;
    /// The colour profile that the pixels are in; null for sRGB or an unknown one.
    void *_Nullable profile;
    size_t profileLength;
} ph_picture;

/// Starts libvips with one thread, no cache, no vector code and no untrusted loaders. Once, first of
/// all. 0 or -1.
int ph_vips_start(void);

/// Decodes a JPEG, shrunk while loading as long as its longer side stays at least `side`. 0, or -1
/// when it can't be decoded, is cut short, or has more pixels than `maximumPixels`; then a hint is in
/// `error`.
int ph_vips_decode_jpeg(
    const void *bytes,
    size_t length,
    int side,
    int64_t maximumPixels,
    ph_picture *picture,
    char *error,
    size_t errorLength
);

void ph_vips_release(ph_picture *picture);

#pragma clang assume_nonnull end

#endif
