// Turning a picture, wherever it comes from, into rows of 8 bits: cropped, scaled, upright. Here since
// all of libvips' calls take variable arguments.
#ifndef PH_VIPS_RENDER_H
#define PH_VIPS_RENDER_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef enum {
    PH_PIXELS = 0,
    PH_JPEG = 1,
    PH_PNG = 2,
    PH_WEBP = 3,
    PH_TIFF = 4,
    PH_GIF = 5,
    PH_JPEG2000 = 6,
} ph_loader;

/// A picture to render: an encoded file in memory, or pixels. The memory must outlive what is opened.
typedef struct {
    ph_loader loader;
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
} ph_source;

typedef struct {
    int width, height;
    int hasAlpha;
    /// The profile that `PH_SOURCE_COLORS` means; lives as long as the picture.
    const void *_Nullable profile;
    size_t profileLength;
} ph_picture_facts;

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
} ph_plan;

/// In which colours the rows come.
typedef enum { PH_WANTED_COLORS = 0, PH_SOURCE_COLORS = 1, PH_SRGB_COLORS = 2 } ph_colors;

/// Takes rows, from the top; they may be changed. Not 0 stops.
typedef int (*ph_take_rows)(
    void *_Nullable context, ph_colors colors, uint8_t *rows, int width, int height, int bands
);

typedef struct ph_picture_source ph_picture_source;

/// Opens a picture and reads its header. Null when that fails, with a hint in `error`.
ph_picture_source *_Nullable ph_source_open(
    const ph_source *source, ph_picture_facts *facts, char *error, size_t errorLength
);

/// Renders it. 0; -1 when it can't be decoded, with a hint in `error`; 1 when `take` stopped it.
int ph_source_render(
    ph_picture_source *source,
    const ph_plan *plan,
    ph_take_rows take,
    void *_Nullable context,
    char *error,
    size_t errorLength
);

void ph_source_close(ph_picture_source *source);

/// Encodes rows of 8 bits without padding, turned as EXIF's `orientation` says: JPEG for a quality of 1...100, PNG for 0. A profile is
/// written when there is one; alpha is flattened on white for JPEG and must be the fourth band. The
/// result is released by `ph_encoded_release`. 0, or -1 with a hint in `error`.
int ph_encode(
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

void ph_encoded_release(void *_Nullable bytes);

#pragma clang assume_nonnull end

#endif
