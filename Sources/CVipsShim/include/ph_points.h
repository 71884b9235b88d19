// Changing the colours of pixels one at a time: a chain of operations in one go over a row.
#ifndef PH_POINTS_H
#define PH_POINTS_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef enum {
    /// numbers: three rows of four.
    PH_MATRIX = 0,
    /// numbers: four rows of five.
    PH_ALPHA_MATRIX,
    PH_ENCODE,
    PH_DECODE,
    /// curves: three of `curveLength` values over 0...1.
    PH_CURVES,
    /// numbers: the power.
    PH_POWER,
    /// numbers: how much.
    PH_VIBRANCE,
    /// numbers: highlights, shadows, whether numbers are light.
    PH_TONES,
    /// numbers: x and y of the centre from the image's upper left corner, 1 / radius, intensity.
    PH_VIGNETTE,
    PH_OPAQUE,
    /// numbers: amount, whether only luminance. The further bands are the blurred picture.
    PH_SHARPEN,
    /// As `PH_TONES`; the further bands are the blurred picture.
    PH_MASKED_TONES,
    /// The further bands are the picture below.
    PH_OVER,
} ph_point_kind;

typedef struct {
    ph_point_kind kind;
    float numbers[20];
    const float *_Nullable curves;
    int curveLength;
} ph_point;

typedef enum { PH_FLOATS = 0, PH_BYTES = 1, PH_HALVES = 2 } ph_samples;

/// Values in a table that turns numbers of 0...1 into bytes.
enum { PH_ENCODING_LENGTH = 16384 };

/// What becomes of a row.
typedef struct {
    /// Samples of a pixel, and the size of each: 1, 2, or 4 for floats. The first three are colours, or the
    /// first alone for grey; then alpha, if there is any, then further bands.
    int bands, sampleSize, colorBands;
    int hasAlpha;
    int isBlueFirst;
    /// Whether colours come multiplied with alpha.
    int isPremultiplied;
    /// Whether samples of 2 bytes are floating-point numbers.
    int isHalf;
    /// For samples of 1 or 2 bytes: four tables one after another, of as many values as there are samples.
    const float *_Nullable decoding;
    const ph_point *_Nullable points;
    int count;
    /// Whether operations need colours that are multiplied with alpha.
    int worksPremultiplied;
    ph_samples output;
    /// 3, or 4 with alpha.
    int outputBands;
    int isOutputBlueFirst;
    /// Whether colours leave multiplied with alpha; floats always do.
    int isOutputPremultiplied;
    /// For bytes: `PH_ENCODING_LENGTH` times a byte for each colour; null for numbers that are bytes / 255 already.
    const uint8_t *_Nullable encoding;
} ph_program;

/// Runs a program over `width` pixels that begin at `x`, `y`.
void ph_program_run(
    const ph_program *program, const void *input, void *output, int x, int y, int width
);

/// sRGB's signal of light, also beyond 0...1.
float ph_encoded(float light);

/// The light of sRGB's signal, also beyond 0...1.
float ph_decoded(float signal);

#pragma clang assume_nonnull end

#endif
