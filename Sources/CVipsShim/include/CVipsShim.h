// Calls into libvips, all of which take variable arguments.
#ifndef PH_VIPS_H
#define PH_VIPS_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// What an embedded preview shall become.
typedef struct {
    /// EXIF's number, 1...8, to be applied to the preview.
    int orientation;
    /// The displayed size of the whole picture, for its aspect.
    int width, height;
    /// The longer side of the result at most.
    int side;
    /// More pixels than these are not decoded.
    int64_t maximumPixels;
    /// The colour profile of pixels that carry none themselves; may be null.
    const void *_Nullable profile;
    size_t profileLength;
} ph_preview_request;

/// Pixels: rows from the top, 3 bytes each, no padding. Released by `ph_vips_release`.
typedef struct {
    int width, height;
    void *_Nullable bytes;
    size_t length;
} ph_preview;

/// Starts libvips with one thread, no cache, no vector code and no untrusted loaders. Once, first of
/// all. 0 or -1.
int ph_vips_start(void);

/// Decodes a JPEG, turns and shrinks it, and converts it to sRGB. 0; 1 when it is not of the
/// picture's aspect; -1 when it can't be decoded, with a hint in `error`.
int ph_vips_preview_of_jpeg(
    const void *bytes,
    size_t length,
    const ph_preview_request *request,
    ph_preview *result,
    char *error,
    size_t errorLength
);

/// The same for pixels of `bands` (1 or 3) times 8 bits, rows without padding.
int ph_vips_preview_of_pixels(
    const void *bytes,
    size_t length,
    int width,
    int height,
    int bands,
    const ph_preview_request *request,
    ph_preview *result,
    char *error,
    size_t errorLength
);

void ph_vips_release(ph_preview *preview);

#pragma clang assume_nonnull end

#endif
