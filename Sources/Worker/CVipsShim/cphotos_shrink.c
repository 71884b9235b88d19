#include "cphotos_load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Pictures are scaled down as by `vips_resize`: with a box filter to at least twice the size, then
// with a Lanczos filter. The filters of libvips are only fast with vector code that is compiled at
// run time, which the worker does not allow. These loops are vectorized when they are compiled.

// MARK: - Images

// Samples in memory, with 1 or 2 bytes each, in rows without padding.
typedef struct {
    const uint8_t *bytes;
    int width, height, bands, isWide;
} samples;

static VipsImage *image_for(int width, int height, int bands, int isWide) {
    VipsImage *image = vips_image_new_memory();
    VipsInterpretation color = isWide ? VIPS_INTERPRETATION_RGB16 : VIPS_INTERPRETATION_sRGB;
    VipsInterpretation gray = isWide ? VIPS_INTERPRETATION_GREY16 : VIPS_INTERPRETATION_B_W;
    vips_image_init_fields(
        image, width, height, bands, isWide ? VIPS_FORMAT_USHORT : VIPS_FORMAT_UCHAR,
        VIPS_CODING_NONE, bands >= 3 ? color : gray, 1, 1
    );
    if (vips_image_pipelinev(image, VIPS_DEMAND_STYLE_ANY, NULL) != 0
        || vips_image_write_prepare(image) != 0) {
        g_clear_object(&image);
        vips_error_clear();
    }
    return image;
}

static samples samples_of(VipsImage *image) {
    samples it = {
        VIPS_IMAGE_ADDR(image, 0, 0),
        vips_image_get_width(image),
        vips_image_get_height(image),
        vips_image_get_bands(image),
        vips_image_get_format(image) == VIPS_FORMAT_USHORT,
    };
    return it;
}

// MARK: - Box filter

// The largest factor; sums of a block's column of bytes have 16 bits.
enum { maximum_factor = 256 };

static void add_bytes(uint16_t *sums, const uint8_t *row, size_t count) {
    for (size_t i = 0; i < count; i++) sums[i] += row[i];
}

static void add_wide(uint32_t *sums, const uint16_t *row, size_t count) {
    for (size_t i = 0; i < count; i++) sums[i] += row[i];
}

// Writes the means of the blocks whose columns were added up. The last block may be narrower.
#define DEFINE_AVERAGE(name, sample, sum)                                                          \
    static void name(                                                                              \
        sample *out, const sum *sums, int width, int bands, int factor, int rows                   \
    ) {                                                                                            \
        for (int x = 0; x < width; x += factor, out += bands) {                                    \
            int columns = VIPS_MIN(factor, width - x);                                             \
            uint64_t area = (uint64_t)columns * (uint64_t)rows;                                    \
            for (int band = 0; band < bands; band++) {                                             \
                const sum *column = sums + (size_t)x * (size_t)bands + band;                       \
                uint64_t total = area / 2;                                                         \
                for (int i = 0; i < columns; i++) total += column[(size_t)i * (size_t)bands];      \
                out[band] = (sample)(total / area);                                                \
            }                                                                                      \
        }                                                                                          \
    }

DEFINE_AVERAGE(average_bytes, uint8_t, uint16_t)
DEFINE_AVERAGE(average_wide, uint16_t, uint32_t)

// Reduces the cropped part of a source by a factor.
static VipsImage *average(const samples *source, const cphotos_plan *plan, int factor) {
    int bands = source->bands, isWide = source->isWide;
    size_t count = (size_t)plan->cropWidth * (size_t)bands;
    size_t length = count * (isWide ? sizeof(uint32_t) : sizeof(uint16_t));
    void *sums = malloc(length);
    VipsImage *image = image_for(
        (plan->cropWidth + factor - 1) / factor, (plan->cropHeight + factor - 1) / factor, bands, isWide
    );
    if (!sums || !image) {
        free(sums);
        g_clear_object(&image);
        return NULL;
    }
    size_t pixel = (size_t)bands * (isWide ? 2 : 1), line = (size_t)source->width * pixel;
    const uint8_t *row =
        source->bytes + (size_t)plan->cropTop * line + (size_t)plan->cropLeft * pixel;
    for (int y = 0; y < plan->cropHeight; y += factor) {
        int rows = VIPS_MIN(factor, plan->cropHeight - y);
        void *out = VIPS_IMAGE_ADDR(image, 0, y / factor);
        memset(sums, 0, length);
        for (int i = 0; i < rows; i++, row += line) {
            if (isWide) {
                add_wide(sums, (const uint16_t *)row, count);
            } else {
                add_bytes(sums, row, count);
            }
        }
        if (isWide) {
            average_wide(out, sums, plan->cropWidth, bands, factor, rows);
        } else {
            average_bytes(out, sums, plan->cropWidth, bands, factor, rows);
        }
    }
    free(sums);
    return image;
}

// MARK: - Lanczos filter

// The samples of a row or column that make each sample of the result, and their weights.
typedef struct {
    int *starts, *counts;
    float *weights;
    int stride;
} windows;

static double lanczos(double x) {
    if (fabs(x) < 1e-9) return 1;
    if (fabs(x) >= 3) return 0;
    return 3 * sin(G_PI * x) * sin(G_PI * x / 3) / (G_PI * G_PI * x * x);
}

static void free_windows(windows *it) {
    free(it->starts);
    free(it->counts);
    free(it->weights);
}

// `size` samples of the result show those from `start` to `start + length`, of `available` ones.
static int make_windows(windows *it, int size, double start, double length, int available) {
    double ratio = length / size, support = 3 * ratio;
    int first = VIPS_MAX(0, (int)floor(start));
    int last = VIPS_MIN(available, (int)ceil(start + length));
    if (first >= last) return -1;
    it->stride = (int)ceil(2 * support) + 2;
    it->starts = malloc((size_t)size * sizeof(int));
    it->counts = malloc((size_t)size * sizeof(int));
    it->weights = malloc((size_t)size * (size_t)it->stride * sizeof(float));
    if (!it->starts || !it->counts || !it->weights) return -1;
    for (int i = 0; i < size; i++) {
        double center = start + (i + 0.5) * ratio;
        int from = VIPS_CLIP(first, (int)floor(center - support), last - 1);
        int to = VIPS_CLIP(from + 1, (int)ceil(center + support), last);
        float *weights = it->weights + (size_t)i * (size_t)it->stride;
        double sum = 0;
        for (int k = from; k < to; k++) sum += lanczos((k + 0.5 - center) / ratio);
        // Only the nearest sample is left where the filter's own are outside.
        int isEmpty = fabs(sum) < 1e-6;
        for (int k = from; k < to; k++) {
            weights[k - from] =
                isEmpty ? (k == from) : (float)(lanczos((k + 0.5 - center) / ratio) / sum);
        }
        it->starts[i] = from;
        it->counts[i] = to - from;
    }
    return 0;
}

#define DEFINE_ADD_ROW(name, sample)                                                               \
    static void name(float *sums, const sample *row, float weight, size_t count) {                 \
        for (size_t i = 0; i < count; i++) sums[i] += weight * (float)row[i];                      \
    }

DEFINE_ADD_ROW(add_weighted_bytes, uint8_t)
DEFINE_ADD_ROW(add_weighted_wide, uint16_t)

static inline float sum_of(const float *values, const float *weights, int count, int bands) {
    float sum = 0;
    for (int k = 0; k < count; k++) sum += weights[k] * values[k * bands];
    return sum;
}

// Scales a row; `bands` is a constant where this is inlined.
static inline void narrow(float *out, const float *row, const windows *across, int size, int bands) {
    for (int x = 0; x < size; x++) {
        const float *values = row + (size_t)across->starts[x] * (size_t)bands;
        const float *weights = across->weights + (size_t)x * (size_t)across->stride;
        for (int band = 0; band < bands; band++) {
            out[x * bands + band] = sum_of(values + band, weights, across->counts[x], bands);
        }
    }
}

static void write_row(void *out, const float *row, size_t count, int isWide) {
    float maximum = isWide ? 65535 : 255;
    for (size_t i = 0; i < count; i++) {
        float value = row[i] + 0.5F;
        value = value < 0 ? 0 : value > maximum ? maximum : value;
        if (isWide) {
            ((uint16_t *)out)[i] = (uint16_t)value;
        } else {
            ((uint8_t *)out)[i] = (uint8_t)value;
        }
    }
}

// Scales the part of a source that begins at (`left`, `top`) to the plan's size.
static VipsImage *filter(
    const samples *source, const cphotos_plan *plan, double left, double top, int factor
) {
    int bands = source->bands;
    size_t whole = (size_t)source->width * (size_t)bands;
    size_t width = (size_t)plan->width * (size_t)bands;
    windows across = {0}, down = {0};
    float *sums = malloc(whole * sizeof(float)), *narrowed = malloc(width * sizeof(float));
    VipsImage *image = image_for(plan->width, plan->height, bands, source->isWide);
    double wholeWidth = (double)plan->cropWidth / factor;
    double wholeHeight = (double)plan->cropHeight / factor;
    if (!sums || !narrowed || !image
        || make_windows(&across, plan->width, left, wholeWidth, source->width) != 0
        || make_windows(&down, plan->height, top, wholeHeight, source->height) != 0) {
        g_clear_object(&image);
    }
    // Only the columns that the windows show are added up; the windows then begin with these.
    size_t sample = source->isWide ? 2 : 1, line = whole * sample, lead = 0, count = 0;
    if (image) {
        int first = across.starts[0], last = plan->width - 1;
        lead = (size_t)first * (size_t)bands * sample;
        count = (size_t)(across.starts[last] + across.counts[last] - first) * (size_t)bands;
        for (int x = 0; x < plan->width; x++) across.starts[x] -= first;
    }
    for (int y = 0; image && y < plan->height; y++) {
        memset(sums, 0, count * sizeof(float));
        const float *weights = down.weights + (size_t)y * (size_t)down.stride;
        for (int k = 0; k < down.counts[y]; k++) {
            const uint8_t *row = source->bytes + (size_t)(down.starts[y] + k) * line + lead;
            if (source->isWide) {
                add_weighted_wide(sums, (const uint16_t *)row, weights[k], count);
            } else {
                add_weighted_bytes(sums, row, weights[k], count);
            }
        }
        if (bands == 3) {
            narrow(narrowed, sums, &across, plan->width, 3);
        } else if (bands == 4) {
            narrow(narrowed, sums, &across, plan->width, 4);
        } else {
            narrow(narrowed, sums, &across, plan->width, bands);
        }
        write_row(VIPS_IMAGE_ADDR(image, 0, y), narrowed, width, source->isWide);
    }
    free_windows(&across);
    free_windows(&down);
    free(sums);
    free(narrowed);
    return image;
}

// MARK: - Both

VipsImage *cphotos_shrink_pixels(const cphotos_source *source, const cphotos_plan *plan) {
    int hasAlpha = source->bands == 2 || source->bands == 4;
    if (source->loader != CPHOTOS_PIXELS || (hasAlpha && !source->isPremultiplied)) return NULL;
    if (plan->cropLeft < 0 || plan->cropTop < 0 || plan->cropWidth < plan->width
        || plan->cropHeight < plan->height
        || (plan->cropWidth == plan->width && plan->cropHeight == plan->height)
        || plan->cropWidth > source->width - plan->cropLeft
        || plan->cropHeight > source->height - plan->cropTop) {
        return NULL;
    }
    samples pixels = {
        source->bytes, source->width, source->height, source->bands, source->bytesPerSample == 2,
    };
    int factor = VIPS_MIN(plan->cropWidth / plan->width, plan->cropHeight / plan->height) / 2;
    factor = VIPS_MIN(factor, maximum_factor);
    if (factor < 2) return filter(&pixels, plan, plan->cropLeft, plan->cropTop, 1);
    VipsImage *averages = average(&pixels, plan, factor);
    if (!averages) return NULL;
    samples averaged = samples_of(averages);
    VipsImage *image = filter(&averaged, plan, 0, 0, factor);
    g_object_unref(averages);
    return image;
}

int cphotos_reduce(VipsImage **image, const cphotos_plan *plan, int factor) {
    if (plan->cropWidth / factor < plan->width || plan->cropHeight / factor < plan->height
        || plan->cropLeft < 0 || plan->cropTop < 0) {
        return 0;
    }
    samples pixels = samples_of(*image);
    VipsImage *scaled =
        filter(&pixels, plan, (double)plan->cropLeft / factor, (double)plan->cropTop / factor, factor);
    if (!scaled) return 0;
    g_object_unref(*image);
    *image = scaled;
    return 1;
}
