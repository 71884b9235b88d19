// Per-pixel color operations: applies a chain of operations to a row in one pass.
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
    /// numbers: the amount.
    CPHOTOS_VIBRANCE,
    /// numbers: highlights, shadows, whether values are linear light.
    CPHOTOS_TONES,
    /// numbers: x and y of the center from the image's upper left corner, 1 / radius, intensity.
    CPHOTOS_VIGNETTE,
    CPHOTOS_OPAQUE,
    /// numbers: amount, whether only luminance. The further bands are the blurred picture.
    CPHOTOS_SHARPEN,
    /// As `CPHOTOS_TONES`; the further bands are the blurred picture.
    CPHOTOS_MASKED_TONES,
    /// The further bands are the background picture.
    CPHOTOS_OVER,
} cphotos_point_kind;

typedef struct {
    cphotos_point_kind kind;
    float numbers[20];
    const float *_Nullable curves;
    int curveLength;
} cphotos_point;

typedef enum { CPHOTOS_FLOATS = 0, CPHOTOS_BYTES = 1, CPHOTOS_HALVES = 2 } cphotos_samples;

/// The number of values in a table that converts 0...1 to bytes.
enum { CPHOTOS_ENCODING_LENGTH = 16384 };

/// A program for rows of pixels.
typedef struct {
    /// The bands of a pixel, and the size of each sample: 1, 2, or 4 for floats. The first three
    /// bands, or only the first for gray, are colors; then alpha, if there is any, then further
    /// bands.
    int bands, sampleSize, colorBands;
    int hasAlpha;
    int isBlueFirst;
    /// Whether the input's colors are premultiplied by alpha.
    int isPremultiplied;
    /// Whether samples of 2 bytes are floating-point numbers.
    int isHalf;
    /// For samples of 1 or 2 bytes: four consecutive tables, each with as many values as a sample
    /// has.
    const float *_Nullable decoding;
    const cphotos_point *_Nullable points;
    int count;
    /// Whether operations need premultiplied colors.
    int worksPremultiplied;
    cphotos_samples output;
    /// 3, or 4 with alpha.
    int outputBands;
    int isOutputBlueFirst;
    /// Whether the output's colors are premultiplied by alpha; floats always are.
    int isOutputPremultiplied;
    /// For bytes: a byte of each color for `CPHOTOS_ENCODING_LENGTH` values; null if the values are
    /// already bytes / 255.
    const uint8_t *_Nullable encoding;
} cphotos_program;

/// Runs a program over `width` pixels that start at `x`, `y`.
void cphotos_program_run(
    const cphotos_program *program, const void *input, void *output, int x, int y, int width
);

/// Encodes linear light as an sRGB value, also beyond 0...1.
float cphotos_encoded(float light);

/// Decodes an sRGB value to linear light, also beyond 0...1.
float cphotos_decoded(float signal);

#pragma clang assume_nonnull end

#endif
