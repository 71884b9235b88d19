#include "cphotos_pipes.h"

#include <math.h>

// The curves of the profiles that stills and poster frames use (ColorProfile).

static double from_pq(double signal) {
    const double m1 = 2610.0 / 16384, m2 = 2523.0 / 4096 * 128;
    const double c1 = 3424.0 / 4096, c2 = 2413.0 / 4096 * 32, c3 = 2392.0 / 4096 * 32;
    double power = pow(signal, 1 / m2);
    return 10000 * pow(fmax(0, power - c1) / (c2 - c3 * power), 1 / m1);
}

static double from_hlg(double signal) {
    const double a = 0.17883277, b = 0.28466892, c = 0.55991073;
    double scene = signal <= 0.5 ? signal * signal / 3 : (exp((signal - c) / a) + b) / 12;
    return 1000 * pow(scene, 1.2);
}

static double compressed(double light) {
    const double knee = 0.8;
    if (light <= knee) return light;
    double excess = (light - knee) / (1 - knee);
    return knee + (1 - knee) * excess / (1 + excess);
}

static double to_srgb(double light) {
    return light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055;
}

cphotos_tone *cphotos_tone_make(int transfer, int primaries) {
    cphotos_tone *tone = av_mallocz(sizeof *tone);
    if (!tone) return NULL;
    for (int i = 0; i < 4096; i++) {
        double signal = i / 4095.0;
        double light = transfer == AVCOL_TRC_SMPTE2084 ? from_pq(signal) : from_hlg(signal);
        tone->light[i] = (float)compressed(light / 203);
    }
    for (int i = 0; i <= 16384; i++) {
        tone->signal[i] = (uint16_t)lround(fmin(1, to_srgb(i / 16384.0)) * 65535);
    }
    // ITU-R BT.2087, and the corresponding matrix for P3's primaries.
    static const float wide[9] = {
        1.6605f, -0.5876f, -0.0728f, -0.1246f, 1.1329f, -0.0083f, -0.0182f, -0.1006f, 1.1187f
    };
    static const float p3[9] = {
        1.2249f, -0.2247f, 0, -0.0420f, 1.0419f, 0, -0.0197f, -0.0786f, 1.0979f
    };
    static const float same[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const float *matrix = primaries == AVCOL_PRI_BT709 ? same
        : primaries == AVCOL_PRI_SMPTE431 || primaries == AVCOL_PRI_SMPTE432 ? p3
                                                                             : wide;
    for (int i = 0; i < 9; i++) tone->matrix[i] = matrix[i];
    return tone;
}

static uint16_t signal_of(const cphotos_tone *tone, float light) {
    if (!(light > 0)) return 0;
    return tone->signal[light >= 1 ? 16384 : (int)(light * 16384 + 0.5f)];
}

void cphotos_tone_map(const cphotos_tone *tone, uint8_t *rows, int stride, int width, int height) {
    const float *m = tone->matrix;
    for (int y = 0; y < height; y++) {
        uint16_t *pixel = (uint16_t *)(void *)(rows + (size_t)y * stride);
        for (int x = 0; x < width; x++, pixel += 3) {
            float r = tone->light[pixel[0] >> 4], g = tone->light[pixel[1] >> 4],
                  b = tone->light[pixel[2] >> 4];
            pixel[0] = signal_of(tone, m[0] * r + m[1] * g + m[2] * b);
            pixel[1] = signal_of(tone, m[3] * r + m[4] * g + m[5] * b);
            pixel[2] = signal_of(tone, m[6] * r + m[7] * g + m[8] * b);
        }
    }
}
