#include "cphotos_points.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

// The number of pixels processed at a time: all their numbers fit into the processor's first-level
// cache.
enum { span = 256, curveSteps = 4096 };

typedef struct {
    float color[3][span];
    float alpha[span];
    float further[4][span];
} pixels;

// The encoded signal over the square root of light, and light over the signal: both are smooth.
static float encodeTable[curveSteps + 2], decodeTable[curveSteps + 2];
static pthread_once_t tablesOnce = PTHREAD_ONCE_INIT;

static double exact_encoded(double light) {
    return light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055;
}

static double exact_decoded(double signal) {
    return signal <= 0.04045 ? signal / 12.92 : pow((signal + 0.055) / 1.055, 2.4);
}

static void make_tables(void) {
    for (int step = 0; step < curveSteps + 2; step++) {
        double place = (double)step / curveSteps;
        encodeTable[step] = (float)exact_encoded(place * place);
        decodeTable[step] = (float)exact_decoded(place);
    }
}

static inline float between(const float *table, float place) {
    int step = (int)place;
    float part = place - (float)step;
    return table[step] + part * (table[step + 1] - table[step]);
}

float cphotos_encoded(float light) {
    return light < 0 ? -(float)exact_encoded(-light) : (float)exact_encoded(light);
}

float cphotos_decoded(float signal) {
    return signal < 0 ? -(float)exact_decoded(-signal) : (float)exact_decoded(signal);
}

static inline float clipped(float value) {
    // NaN becomes 0.
    float positive = value > 0 ? value : 0;
    return positive < 1 ? positive : 1;
}

// A square root without errno, so that the compiler can vectorize it.
#if defined(__has_builtin) && __has_builtin(__builtin_elementwise_sqrt)
#define ROOT(value) __builtin_elementwise_sqrt(value)
#else
#define ROOT(value) sqrtf(value)
#endif

// First computes the table indexes, which compilers vectorize by four, then looks the values up.
// The steps are so small that the nearest entry is as good as interpolation: the error is a
// fortieth of a byte's step.
static void encode(float *values, int width) {
    int places[span];
    int beyond = 0;
    for (int i = 0; i < width; i++) {
        float value = fabsf(values[i]), light = clipped(value);
        beyond |= light != value;
        places[i] = (int)(ROOT(light) * curveSteps + 0.5f);
    }
    for (int i = 0; i < width; i++) {
        float value = values[i];
        values[i] = !beyond || fabsf(value) <= 1 ? copysignf(encodeTable[places[i]], value)
                                                 : cphotos_encoded(value);
    }
}

static void decode(float *values, int width) {
    int places[span];
    int beyond = 0;
    for (int i = 0; i < width; i++) {
        float value = fabsf(values[i]), signal = clipped(value);
        beyond |= signal != value;
        places[i] = (int)(signal * curveSteps + 0.5f);
    }
    for (int i = 0; i < width; i++) {
        float value = values[i];
        values[i] = !beyond || fabsf(value) <= 1 ? copysignf(decodeTable[places[i]], value)
                                                 : cphotos_decoded(value);
    }
}

static void matrix(pixels *p, const float *m, int width) {
    float *red = p->color[0], *green = p->color[1], *blue = p->color[2];
    for (int i = 0; i < width; i++) {
        float r = red[i], g = green[i], b = blue[i];
        red[i] = m[0] * r + m[1] * g + m[2] * b + m[3];
        green[i] = m[4] * r + m[5] * g + m[6] * b + m[7];
        blue[i] = m[8] * r + m[9] * g + m[10] * b + m[11];
    }
}

static void alpha_matrix(pixels *p, const float *m, int width) {
    for (int i = 0; i < width; i++) {
        float v[5] = {p->color[0][i], p->color[1][i], p->color[2][i], p->alpha[i], 1};
        float out[4];
        for (int row = 0; row < 4; row++) {
            out[row] = 0;
            for (int column = 0; column < 5; column++) out[row] += m[row * 5 + column] * v[column];
        }
        p->color[0][i] = out[0];
        p->color[1][i] = out[1];
        p->color[2][i] = out[2];
        p->alpha[i] = clipped(out[3]);
    }
}

static void curve(float *values, const float *table, int length, int width) {
    for (int i = 0; i < width; i++) {
        float place = clipped(values[i]) * (float)(length - 1);
        int step = (int)place;
        if (step > length - 2) step = length - 2;
        values[i] = table[step] + (place - (float)step) * (table[step + 1] - table[step]);
    }
}

static inline float luminance(float red, float green, float blue) {
    return 0.2126f * red + 0.7152f * green + 0.0722f * blue;
}

static void vibrance(pixels *p, float amount, int width) {
    for (int i = 0; i < width; i++) {
        float r = p->color[0][i], g = p->color[1][i], b = p->color[2][i];
        float most = fmaxf(r, fmaxf(g, b)), least = fminf(r, fminf(g, b));
        float saturation = most > 0 ? clipped((most - least) / most) : 0;
        float dull = (1 - saturation) * (1 - saturation);
        float factor = 1 + amount * (amount > 0 ? dull : 1 - 0.5f * saturation);
        float y = luminance(r, g, b);
        p->color[0][i] = y + (r - y) * factor;
        p->color[1][i] = y + (g - y) * factor;
        p->color[2][i] = y + (b - y) * factor;
    }
}

// The factor by which a pixel of this luminance is brightened: a smooth lift of the shadows and
// pull of the highlights. Both keep black and white unchanged and are monotonic.
static inline float tone_gain(float y, float highlights, float shadows, int isLight) {
    float light = fmaxf(y, 1e-5f);
    float signal = clipped(isLight ? (light < 1 ? between(encodeTable, sqrtf(light) * curveSteps) : 1)
                                   : light);
    float dark = 1 - signal;
    float toned = signal + (shadows > 0 ? 1.5f : 0.8f) * shadows * signal * dark * dark * dark;
    toned -= 1.2f * highlights * toned * toned * toned * (1 - toned);
    if (isLight) {
        float before = between(decodeTable, signal * curveSteps);
        return between(decodeTable, clipped(toned) * curveSteps) / fmaxf(before, 1e-6f);
    }
    return toned / fmaxf(signal, 1e-5f);
}

static void tones(pixels *p, const float *numbers, int isMasked, int width) {
    for (int i = 0; i < width; i++) {
        float y = isMasked ? luminance(p->further[0][i], p->further[1][i], p->further[2][i])
                           : luminance(p->color[0][i], p->color[1][i], p->color[2][i]);
        float gain = tone_gain(y, numbers[0], numbers[1], numbers[2] != 0);
        for (int band = 0; band < 3; band++) p->color[band][i] *= gain;
    }
}

static void vignette(pixels *p, const float *numbers, int x, int y, int width) {
    float down = ((float)y + 0.5f - numbers[1]) * numbers[2];
    for (int i = 0; i < width; i++) {
        float across = ((float)(x + i) + 0.5f - numbers[0]) * numbers[2];
        float distance = 1 + across * across + down * down;
        // The natural light falloff of a lens: the fourth power of the cosine.
        float factor = 1 + numbers[3] * (1 / (distance * distance) - 1);
        for (int band = 0; band < 3; band++) p->color[band][i] *= factor;
    }
}

static void sharpen(pixels *p, const float *numbers, int width) {
    float amount = numbers[0];
    for (int i = 0; i < width; i++) {
        float r = p->color[0][i] - p->further[0][i], g = p->color[1][i] - p->further[1][i];
        float b = p->color[2][i] - p->further[2][i];
        if (numbers[1] != 0) r = g = b = luminance(r, g, b);
        p->color[0][i] += amount * r;
        p->color[1][i] += amount * g;
        p->color[2][i] += amount * b;
    }
}

static void over(pixels *p, int width) {
    for (int i = 0; i < width; i++) {
        float rest = 1 - p->alpha[i];
        for (int band = 0; band < 3; band++) p->color[band][i] += rest * p->further[band][i];
        p->alpha[i] += rest * p->further[3][i];
    }
}

static void apply(pixels *p, const cphotos_point *point, int x, int y, int width) {
    switch (point->kind) {
    case CPHOTOS_MATRIX: matrix(p, point->numbers, width); break;
    case CPHOTOS_ALPHA_MATRIX: alpha_matrix(p, point->numbers, width); break;
    case CPHOTOS_ENCODE:
        for (int band = 0; band < 3; band++) encode(p->color[band], width);
        break;
    case CPHOTOS_DECODE:
        for (int band = 0; band < 3; band++) decode(p->color[band], width);
        break;
    case CPHOTOS_CURVES:
        for (int band = 0; band < 3; band++) {
            const float *table = point->curves + band * point->curveLength;
            curve(p->color[band], table, point->curveLength, width);
        }
        break;
    case CPHOTOS_POWER:
        for (int band = 0; band < 3; band++) {
            for (int i = 0; i < width; i++) {
                float value = p->color[band][i];
                p->color[band][i] = value > 0 ? powf(value, point->numbers[0]) : 0;
            }
        }
        break;
    case CPHOTOS_VIBRANCE: vibrance(p, point->numbers[0], width); break;
    case CPHOTOS_TONES: tones(p, point->numbers, 0, width); break;
    case CPHOTOS_MASKED_TONES: tones(p, point->numbers, 1, width); break;
    case CPHOTOS_VIGNETTE: vignette(p, point->numbers, x, y, width); break;
    case CPHOTOS_OPAQUE:
        for (int i = 0; i < width; i++) p->alpha[i] = 1;
        break;
    case CPHOTOS_SHARPEN: sharpen(p, point->numbers, width); break;
    case CPHOTOS_OVER: over(p, width); break;
    }
}

// MARK: - Reading and writing

// Bytes and words were premultiplied as encoded values, so alpha is divided out before they are
// converted to light.
static inline int straight(int value, int alpha, int most) {
    if (alpha == 0) return 0;
    int64_t whole = ((int64_t)value * most + alpha / 2) / alpha;
    return whole < most ? (int)whole : most;
}

static void take_multiplied(
    const cphotos_program *program, const uint8_t *input, float *color, int band, int place, int width
) {
    int bands = program->bands, alpha = program->colorBands;
    if (program->sampleSize == 1) {
        const float *table = program->decoding + band * 256;
        for (int i = 0; i < width; i++) {
            const uint8_t *sample = input + i * bands;
            color[i] = table[straight(sample[place], sample[alpha], 255)];
        }
    } else {
        const float *table = program->decoding + band * 65536;
        for (int i = 0; i < width; i++) {
            const uint16_t *sample = (const uint16_t *)input + i * bands;
            color[i] = table[straight(sample[place], sample[alpha], 65535)];
        }
    }
}

static inline int is_signal_multiplied(const cphotos_program *program) {
    return program->hasAlpha && program->isPremultiplied && program->sampleSize < 4
        && !program->isHalf;
}

static void take(const cphotos_program *program, const uint8_t *input, pixels *p, int width) {
    int bands = program->bands;
    int places[3] = {0, 1, 2};
    if (program->isBlueFirst) places[0] = 2, places[2] = 0;
    if (program->colorBands == 1) places[1] = places[2] = 0;
    int alphaBand = program->colorBands;
    for (int band = 0; band < 3; band++) {
        float *color = p->color[band];
        int place = places[band];
        if (is_signal_multiplied(program)) {
            take_multiplied(program, input, color, band, place, width);
        } else if (program->sampleSize == 1) {
            const float *table = program->decoding + band * 256;
            const uint8_t *samples = input + place;
            for (int i = 0; i < width; i++) color[i] = table[samples[i * bands]];
        } else if (program->sampleSize == 2) {
            const float *table = program->decoding + band * 65536;
            const uint16_t *samples = (const uint16_t *)input + place;
            for (int i = 0; i < width; i++) color[i] = table[samples[i * bands]];
        } else {
            const float *samples = (const float *)input + place;
            for (int i = 0; i < width; i++) color[i] = samples[i * bands];
        }
    }
    if (!program->hasAlpha) {
        for (int i = 0; i < width; i++) p->alpha[i] = 1;
    } else if (program->sampleSize == 1) {
        const float *table = program->decoding + 3 * 256;
        for (int i = 0; i < width; i++) p->alpha[i] = table[input[i * bands + alphaBand]];
    } else if (program->sampleSize == 2) {
        const float *table = program->decoding + 3 * 65536;
        const uint16_t *samples = (const uint16_t *)input + alphaBand;
        for (int i = 0; i < width; i++) p->alpha[i] = table[samples[i * bands]];
    } else {
        const float *samples = (const float *)input + alphaBand;
        for (int i = 0; i < width; i++) p->alpha[i] = samples[i * bands];
    }
    int first = program->colorBands + (program->hasAlpha ? 1 : 0);
    if (program->sampleSize < 4) return;
    for (int band = first; band < bands && band < first + 4; band++) {
        const float *samples = (const float *)input + band;
        float *further = p->further[band - first];
        for (int i = 0; i < width; i++) further[i] = samples[i * bands];
    }
}

static void multiply(pixels *p, int width) {
    for (int band = 0; band < 3; band++) {
        for (int i = 0; i < width; i++) p->color[band][i] *= p->alpha[i];
    }
}

static void divide(pixels *p, int width) {
    for (int i = 0; i < width; i++) {
        float factor = p->alpha[i] > 0 ? 1 / p->alpha[i] : 0;
        for (int band = 0; band < 3; band++) p->color[band][i] *= factor;
    }
}

static void give(const cphotos_program *program, pixels *p, uint8_t *output, int width) {
    int bands = program->outputBands;
    for (int band = 0; band < 3; band++) {
        const float *color = p->color[band];
        int place = program->isOutputBlueFirst ? 2 - band : band;
        if (program->output == CPHOTOS_FLOATS) {
            float *samples = (float *)output + place;
            for (int i = 0; i < width; i++) samples[i * bands] = color[i];
        } else if (program->output == CPHOTOS_HALVES) {
            _Float16 *samples = (_Float16 *)output + place;
            for (int i = 0; i < width; i++) {
                samples[i * bands] = (_Float16)fminf(fmaxf(color[i], -60000), 60000);
            }
        } else if (program->encoding) {
            const uint8_t *table = program->encoding + band;
            int steps[span];
            for (int i = 0; i < width; i++) {
                steps[i] = (int)(clipped(color[i]) * (CPHOTOS_ENCODING_LENGTH - 1) + 0.5f);
            }
            for (int i = 0; i < width; i++) output[i * bands + place] = table[steps[i] * 3];
        } else {
            for (int i = 0; i < width; i++) {
                output[i * bands + place] = (uint8_t)(clipped(color[i]) * 255 + 0.5f);
            }
        }
    }
    if (bands < 4) return;
    for (int i = 0; i < width; i++) {
        switch (program->output) {
        case CPHOTOS_FLOATS: ((float *)output)[i * 4 + 3] = p->alpha[i]; break;
        case CPHOTOS_HALVES: ((_Float16 *)output)[i * 4 + 3] = (_Float16)p->alpha[i]; break;
        case CPHOTOS_BYTES: output[i * 4 + 3] = (uint8_t)(clipped(p->alpha[i]) * 255 + 0.5f); break;
        }
    }
}

// Bytes are premultiplied as encoded values.
static void multiply_bytes(uint8_t *output, int width) {
    for (int i = 0; i < width; i++, output += 4) {
        for (int band = 0; band < 3; band++) {
            output[band] = (uint8_t)((output[band] * output[3] + 127) / 255);
        }
    }
}

void cphotos_program_run(
    const cphotos_program *program, const void *input, void *output, int x, int y, int width
) {
    pthread_once(&tablesOnce, make_tables);
    static const int sizes[] = {sizeof(float), 1, sizeof(_Float16)};
    int isByteMultiplied =
        program->output == CPHOTOS_BYTES && program->isOutputPremultiplied && program->outputBands == 4;
    // Without alpha, the result is composited over black.
    int leavesPremultiplied = program->outputBands == 3 || program->output == CPHOTOS_FLOATS
        || (program->output == CPHOTOS_HALVES && program->isOutputPremultiplied);
    int mayHaveAlpha = program->hasAlpha;
    for (int i = 0; i < program->count; i++) {
        mayHaveAlpha = mayHaveAlpha || program->points[i].kind == CPHOTOS_ALPHA_MATRIX;
    }
    const uint8_t *from = input;
    uint8_t *to = output;
    pixels p;
    while (width > 0) {
        int count = width < span ? width : span;
        take(program, from, &p, count);
        int isMultiplied = program->isPremultiplied && !is_signal_multiplied(program);
        if (program->hasAlpha && isMultiplied != program->worksPremultiplied) {
            if (isMultiplied) divide(&p, count); else multiply(&p, count);
        }
        isMultiplied = program->worksPremultiplied;
        for (int i = 0; i < program->count; i++) apply(&p, &program->points[i], x, y, count);
        if (mayHaveAlpha && isMultiplied != leavesPremultiplied) {
            if (isMultiplied) divide(&p, count); else multiply(&p, count);
        }
        give(program, &p, to, count);
        if (isByteMultiplied) multiply_bytes(to, count);
        from += (size_t)count * program->bands * program->sampleSize;
        to += (size_t)count * program->outputBands * sizes[program->output];
        x += count;
        width -= count;
    }
}
