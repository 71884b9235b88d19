// Turning a picture, wherever it comes from, into rows of 8 bits: cropped, scaled, upright. Here since
// all of libvips' calls take variable arguments.
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

/// A picture to render: an encoded file in memory, or pixels. The memory must outlive what is opened.
typedef struct {
    cphotos_loader loader;
    const void *_Nullable bytes;
    size_t length;
    /// For pixels: rows from the top without padding; 1 to 4 bands of 1 or 2 bytes, alpha last.
    int width, height, bands, bytesPerSample;
    int isPremultiplied;
    /// Of a JPEG: whether what is there is decoded when it is cut short, and the rest is grey.
    int isTolerant;
    /// The colour profile, in place of the one that the file has.
    const void *_Nullable profile;
    size_t profileLength;
} cphotos_source;

typedef struct {
    int width, height;
    int hasAlpha;
    /// The profile that `CPHOTOS_SOURCE_COLORS` means; lives as long as the picture.
    const void *_Nullable profile;
    size_t profileLength;
} cphotos_picture_facts;

/// What to make of it. Sizes are pixels; crop and scale come before turning, the canvas after it.
typedef struct {
    int cropLeft, cropTop, cropWidth, cropHeight;
    int width, height;
    /// EXIF's number.
    int orientation;
    /// The result's size, and where in it the turned picture's first pixel comes: beside it there is
    /// nothing (alpha 0, or white). Negative places cut it off.
    int canvasWidth, canvasHeight, canvasLeft, canvasTop;
    /// Whether alpha is kept; otherwise the picture lies on white.
    int keepsAlpha;
    /// 3, or 4 with alpha or 255 (65535 where they are wide) in the last.
    int bands;
    /// Whether the numbers stay as they are stored, whatever they mean as colours, but for grey, which
    /// becomes three bands.
    int keepsNumbers;
    /// Whether rows have 16 bits a sample; only where the numbers are kept.
    int isWide;
    /// Whether the colours wanted are Display P3, not sRGB.
    int isDisplayP3;
} cphotos_plan;

/// In which colours the rows come.
typedef enum { CPHOTOS_WANTED_COLORS = 0, CPHOTOS_SOURCE_COLORS = 1, CPHOTOS_SRGB_COLORS = 2 } cphotos_colors;

/// Takes rows, from the top; they may be changed. Not 0 stops.
typedef int (*cphotos_take_rows)(
    void *_Nullable context, cphotos_colors colors, uint8_t *rows, int width, int height, int bands
);

typedef struct cphotos_picture_source cphotos_picture_source;

/// Opens a picture and reads its header. Null when that fails, with a hint in `error`.
cphotos_picture_source *_Nullable cphotos_source_open(
    const cphotos_source *source, cphotos_picture_facts *facts, char *error, size_t errorLength
);

/// Renders it. 0; -1 when it can't be decoded, with a hint in `error`; 1 when `take` stopped it.
int cphotos_source_render(
    cphotos_picture_source *source,
    const cphotos_plan *plan,
    cphotos_take_rows take,
    void *_Nullable context,
    char *error,
    size_t errorLength
);

void cphotos_source_close(cphotos_picture_source *source);

/// Encodes rows of 8 bits without padding, turned as EXIF's `orientation` says: JPEG for a quality of 1...100, PNG for 0. A profile is
/// written when there is one; alpha is flattened on white for JPEG and must be the fourth band. The
/// result is released by `cphotos_encoded_release`. 0, or -1 with a hint in `error`.
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
