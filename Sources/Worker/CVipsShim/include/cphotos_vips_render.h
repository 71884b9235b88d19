// Renders a picture from any source to rows of 8 bits: cropped, scaled and upright. It is in C
// because all of libvips' calls are variadic.
#ifndef CPHOTOS_VIPS_RENDER_H
#define CPHOTOS_VIPS_RENDER_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef enum {
    CPHOTOS_PIXELS = 0,
    CPHOTOS_JPEG = 1,
    CPHOTOS_PNG = 2,
    CPHOTOS_WEBP = 3,
    CPHOTOS_TIFF = 4,
    CPHOTOS_GIF = 5,
    CPHOTOS_JPEG2000 = 6,
} cphotos_loader;

/// A picture to render: an encoded file in memory, or pixels. The memory must outlive the opened
/// source.
typedef struct {
    cphotos_loader loader;
    const void *_Nullable bytes;
    size_t length;
    /// For pixels: rows from the top without padding; 1 to 4 bands of 1 or 2 bytes, alpha last.
    int width, height, bands, bytesPerSample;
    int isPremultiplied;
    /// For a JPEG: whether a truncated file is decoded as far as possible, with the rest in gray.
    int isTolerant;
    /// The color profile, which replaces the file's own.
    const void *_Nullable profile;
    size_t profileLength;
} cphotos_source;

typedef struct {
    int width, height;
    int hasAlpha;
    /// The profile that `CPHOTOS_SOURCE_COLORS` refers to; valid as long as the picture.
    const void *_Nullable profile;
    size_t profileLength;
} cphotos_picture_facts;

/// The output of a rendering. Sizes are in pixels; crop and scale are applied before the rotation,
/// the canvas after it.
typedef struct {
    int cropLeft, cropTop, cropWidth, cropHeight;
    int width, height;
    /// An EXIF orientation.
    int orientation;
    /// The result's size, and the position of the rotated picture's first pixel in it. The area
    /// outside of the picture is empty (alpha 0, or white). Negative positions crop it.
    int canvasWidth, canvasHeight, canvasLeft, canvasTop;
    /// Whether to keep alpha; otherwise the picture is composited over white.
    int keepsAlpha;
    /// 3, or 4 with alpha or 255 (65535 for wide samples) in the last.
    int bands;
    /// Whether to keep the values as stored, whatever colors they represent, except for gray, which
    /// becomes three bands.
    int keepsNumbers;
    /// Whether samples have 16 bits; only if values are kept.
    int isWide;
    /// Whether the target color space is Display P3, not sRGB.
    int isDisplayP3;
} cphotos_plan;

/// The color space of the delivered rows.
typedef enum { CPHOTOS_WANTED_COLORS = 0, CPHOTOS_SOURCE_COLORS = 1, CPHOTOS_SRGB_COLORS = 2 } cphotos_colors;

/// Receives rows from the top, which it may modify. Nonzero stops.
typedef int (*cphotos_take_rows)(
    void *_Nullable context, cphotos_colors colors, uint8_t *rows, int width, int height, int bands
);

typedef struct cphotos_picture_source cphotos_picture_source;

/// Opens a picture and reads its header. Returns null with a hint in `error` on failure.
cphotos_picture_source *_Nullable cphotos_source_open(
    const cphotos_source *source, cphotos_picture_facts *facts, char *error, size_t errorLength
);

/// Renders a picture as a plan specifies. Returns 0; -1 with a hint in `error` if it cannot be
/// decoded; 1 if `take` stopped it.
int cphotos_source_render(
    cphotos_picture_source *source,
    const cphotos_plan *plan,
    cphotos_take_rows take,
    void *_Nullable context,
    char *error,
    size_t errorLength
);

void cphotos_source_close(cphotos_picture_source *source);

/// Encodes rows of 8 bits without padding, rotated by the EXIF `orientation`: JPEG for a quality of
/// 1...100, PNG for 0. Writes a profile if there is one. Alpha must be the fourth band and is
/// composited over white for JPEG. Release the result with `cphotos_encoded_release`. Returns 0, or
/// -1 with a hint in `error`.
int cphotos_encode(
    const void *rows,
    int width,
    int height,
    int bands,
    int hasAlpha,
    int orientation,
    int quality,
    const void *_Nullable profile,
    size_t profileLength,
    void *_Nullable *_Nonnull bytes,
    size_t *length,
    char *error,
    size_t errorLength
);

void cphotos_encoded_release(void *_Nullable bytes);

#pragma clang assume_nonnull end

#endif
