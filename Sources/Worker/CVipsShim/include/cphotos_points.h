// Changing the colours of pixels one at a time: a chain of operations in one go over a row.
#ifndef CPHOTOS_POINTS_H
#define CPHOTOS_POINTS_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef enum {
    /// numbers: three rows of four.
    CPHOTOS_MATRIX = 0,
    /// numbers: four rows of five.
    CPHOTOS_ALPHA_MATRIX,
    CPHOTOS_ENCODE,
    CPHOTOS_DECODE,
    /// curves: three of `curveLength` values over 0...1.
    CPHOTOS_CURVES,
    /// numbers: the power.
    CPHOTOS_POWER,
    /// numbers: how much.
    CPHOTOS_VIBRANCE,
    /// numbers: highlights, shadows, whether numbers are light.
    CPHOTOS_TONES,
    /// numbers: x and y of the centre from the image's upper left corner, 1 / radius, intensity.
    CPHOTOS_VIGNETTE,
    CPHOTOS_OPAQUE,
    /// numbers: amount, whether only luminance. The further bands are the blurred picture.
    CPHOTOS_SHARPEN,
    /// As `CPHOTOS_TONES`; the further bands are the blurred picture.
    CPHOTOS_MASKED_TONES,
    /// The further bands are the picture below.
    CPHOTOS_OVER,
} cphotos_point_kind;

typedef struct {
    cphotos_point_kind kind;
    float numbers[20];
    const float *_Nullable curves;
    int curveLength;
} cphotos_point;

typedef enum { CPHOTOS_FLOATS = 0, CPHOTOS_BYTES = 1, CPHOTOS_HALVES = 2 } cphotos_samples;

/// Values in a table that turns numbers of 0...1 into bytes.
enum { CPHOTOS_ENCODING_LENGTH = 16384 };

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
    const cphotos_point *_Nullable points;
    int count;
    /// Whether operations need colours that are multiplied with alpha.
    int worksPremultiplied;
    cphotos_samples output;
    /// 3, or 4 with alpha.
    int outputBands;
    int isOutputBlueFirst;
    /// Whether colours leave multiplied with alpha; floats always do.
    int isOutputPremultiplied;
    /// For bytes: `CPHOTOS_ENCODING_LENGTH` times a byte for each colour; null for numbers that are bytes / 255 already.
    const uint8_t *_Nullable encoding;
} cphotos_program;

/// Runs a program over `width` pixels that begin at `x`, `y`.
void cphotos_program_run(
    const cphotos_program *program, const void *input, void *output, int x, int y, int width
);

/// sRGB's signal of light, also beyond 0...1.
float cphotos_encoded(float light);

/// The light of sRGB's signal, also beyond 0...1.
float cphotos_decoded(float signal);

#pragma clang assume_nonnull end

#endif
