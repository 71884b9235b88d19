#include "cphotos_recipe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cphotos_load.h"

static VipsImage *vips(cphotos_image *image) { return (VipsImage *)image; }

// Each step takes ownership of the image and returns the next one, or null.
static cphotos_image *keep(VipsImage *before, VipsImage *after, int code) {
    g_object_unref(before);
    return code == 0 ? (cphotos_image *)after : NULL;
}

void cphotos_image_error(char *error, size_t length) {
    if (length > 0) {
        strncpy(error, vips_error_buffer(), length - 1);
        error[length - 1] = 0;
    }
    vips_error_clear();
}

void cphotos_image_set_threads(int threads) { vips_concurrency_set(threads); }


static int is_plain(VipsImage *image) {
    VipsBandFormat format = vips_image_get_format(image);
    if (format != VIPS_FORMAT_UCHAR && format != VIPS_FORMAT_USHORT) return 0;
    if (vips_image_get_coding(image) != VIPS_CODING_NONE) return 0;
    switch (vips_image_get_interpretation(image)) {
    case VIPS_INTERPRETATION_sRGB:
    case VIPS_INTERPRETATION_RGB:
    case VIPS_INTERPRETATION_RGB16:
    case VIPS_INTERPRETATION_B_W:
    case VIPS_INTERPRETATION_GREY16: break;
    default: return 0;
    }
    int colors = vips_image_get_bands(image) - (vips_image_hasalpha(image) ? 1 : 0);
    return colors == 1 || colors == 3;
}

cphotos_image *cphotos_image_load(const cphotos_source *source, int converts, int *isConverted) {
    *isConverted = 0;
    VipsImage *image = cphotos_load(source, 1, 1);
    if (!image) return NULL;
    VipsImage *after = NULL;
    if (source->profile) {
        int code = vips_copy(image, &after, NULL);
        if (!(image = (VipsImage *)keep(image, after, code))) return NULL;
        vips_image_set_blob_copy(image, VIPS_META_ICC_NAME, source->profile, source->profileLength);
        after = NULL;
    }
    if (vips_image_get_page_height(image) < vips_image_get_height(image)) {
        int code = vips_extract_area(
            image, &after, 0, 0, vips_image_get_width(image), vips_image_get_page_height(image), NULL
        );
        if (!(image = (VipsImage *)keep(image, after, code))) return NULL;
        after = NULL;
    }
    if (is_plain(image) && !converts) return (cphotos_image *)image;
    *isConverted = 1;
    if (vips_image_get_typeof(image, VIPS_META_ICC_NAME) != 0) {
        if (vips_icc_transform(
                image, &after, "srgb", "embedded", TRUE, "depth", 8, "intent",
                VIPS_INTENT_PERCEPTUAL, NULL
            ) == 0) {
            return keep(image, after, 0);
        }
        // A profile that cannot be used does not fail the request.
        vips_error_clear();
        after = NULL;
    }
    int code = vips_colourspace(image, &after, VIPS_INTERPRETATION_sRGB, NULL);
    if (!(image = (VipsImage *)keep(image, after, code))) return NULL;
    code = vips_cast(image, &after, VIPS_FORMAT_UCHAR, NULL);
    return keep(image, after, code);
}

cphotos_image_facts cphotos_image_inspect(cphotos_image *image) {
    VipsImage *it = vips(image);
    cphotos_image_facts facts = {
        .width = vips_image_get_width(it),
        .height = vips_image_get_height(it),
        .bands = vips_image_get_bands(it),
        .sampleSize = (int)VIPS_IMAGE_SIZEOF_ELEMENT(it),
        .hasAlpha = vips_image_hasalpha(it),
    };
    return facts;
}

const void *cphotos_image_profile(cphotos_image *image, size_t *length) {
    const void *profile = NULL;
    *length = 0;
    if (vips_image_get_typeof(vips(image), VIPS_META_ICC_NAME) == 0) return NULL;
    if (vips_image_get_blob(vips(image), VIPS_META_ICC_NAME, &profile, length) != 0) {
        vips_error_clear();
        *length = 0;
        return NULL;
    }
    return profile;
}

cphotos_image *cphotos_image_retain(cphotos_image *image) {
    g_object_ref(image);
    return image;
}

void cphotos_image_release(cphotos_image *image) { g_object_unref(image); }

cphotos_image *cphotos_image_in_memory(cphotos_image *image) {
    VipsImage *after = vips_image_copy_memory(vips(image));
    return keep(vips(image), after, after ? 0 : -1);
}

cphotos_image *cphotos_image_crop(cphotos_image *image, int left, int top, int width, int height) {
    VipsImage *it = vips(image), *after = NULL;
    if (left == 0 && top == 0 && width == vips_image_get_width(it)
        && height == vips_image_get_height(it)) {
        return image;
    }
    int code = vips_extract_area(it, &after, left, top, width, height, NULL);
    return keep(it, after, code);
}

cphotos_image *cphotos_image_embed(
    cphotos_image *image, int left, int top, int width, int height, int extendsEdge
) {
    VipsImage *it = vips(image), *after = NULL;
    if (left == 0 && top == 0 && width == vips_image_get_width(it)
        && height == vips_image_get_height(it)) {
        return image;
    }
    int code = vips_embed(
        it, &after, left, top, width, height, "extend",
        extendsEdge ? VIPS_EXTEND_COPY : VIPS_EXTEND_BLACK, NULL
    );
    return keep(it, after, code);
}

cphotos_image *cphotos_image_turn(cphotos_image *image, int orientation) {
    return (cphotos_image *)cphotos_turn(vips(image), orientation);
}

// MARK: - Programs

static int run_region(VipsRegion *out, void *sequence, void *a, void *b, gboolean *stop) {
    (void)a;
    (void)stop;
    VipsRegion *in = sequence;
    const cphotos_program *program = g_object_get_data(G_OBJECT(b), "ph-program");
    if (vips_region_prepare(in, &out->valid) != 0) return -1;
    for (int row = 0; row < out->valid.height; row++) {
        int y = out->valid.top + row;
        cphotos_program_run(
            program, VIPS_REGION_ADDR(in, out->valid.left, y),
            VIPS_REGION_ADDR(out, out->valid.left, y), out->valid.left, y, out->valid.width
        );
    }
    return 0;
}

static void free_program(gpointer pointer) {
    cphotos_program *program = pointer;
    for (int i = 0; i < program->count; i++) free((void *)program->points[i].curves);
    free((void *)program->points);
    free((void *)program->decoding);
    free((void *)program->encoding);
    free(program);
}

static void *copy_of(const void *bytes, size_t length) {
    void *copy = bytes ? malloc(length) : NULL;
    if (copy) memcpy(copy, bytes, length);
    return copy;
}

static cphotos_program *copy_program(const cphotos_program *given, size_t decodingLength) {
    cphotos_program *program = copy_of(given, sizeof *given);
    if (!program) return NULL;
    cphotos_point *points = calloc((size_t)given->count + 1, sizeof *points);
    program->points = points;
    program->decoding = copy_of(given->decoding, decodingLength * sizeof(float));
    program->encoding = copy_of(given->encoding, 3 * CPHOTOS_ENCODING_LENGTH);
    if (!points) program->count = 0;
    for (int i = 0; i < program->count; i++) {
        points[i] = given->points[i];
        points[i].curves =
            copy_of(points[i].curves, 3 * (size_t)points[i].curveLength * sizeof(float));
    }
    int isWhole = points && !program->decoding == !given->decoding
        && !program->encoding == !given->encoding;
    for (int i = 0; i < program->count; i++) {
        isWhole = isWhole && !points[i].curves == !given->points[i].curves;
    }
    if (isWhole) return program;
    free_program(program);
    return NULL;
}

cphotos_image *cphotos_image_run(cphotos_image *image, const cphotos_program *given, size_t decodingLength) {
    VipsImage *in = vips(image);
    VipsImage *out = vips_image_new();
    if (vips_image_pipelinev(out, VIPS_DEMAND_STYLE_THINSTRIP, in, NULL) != 0) {
        g_object_unref(out);
        g_object_unref(in);
        return NULL;
    }
    // The input stays alive as long as the result.
    vips_object_local(out, in);
    cphotos_program *program = copy_program(given, decodingLength);
    if (!program) {
        g_object_unref(out);
        return NULL;
    }
    g_object_set_data_full(G_OBJECT(out), "ph-program", program, free_program);
    static const VipsBandFormat formats[] = {
        VIPS_FORMAT_FLOAT, VIPS_FORMAT_UCHAR, VIPS_FORMAT_USHORT,
    };
    static const VipsInterpretation spaces[] = {
        VIPS_INTERPRETATION_scRGB, VIPS_INTERPRETATION_sRGB, VIPS_INTERPRETATION_RGB16,
    };
    out->Bands = program->outputBands;
    out->BandFmt = formats[program->output];
    out->Type = spaces[program->output];
    if (vips_image_generate(out, vips_start_one, run_region, vips_stop_one, in, out) != 0) {
        g_object_unref(out);
        return NULL;
    }
    return (cphotos_image *)out;
}

// MARK: - Geometry of floats

cphotos_image *cphotos_image_resize(cphotos_image *image, int width, int height) {
    VipsImage *it = vips(image), *after = NULL;
    int before = vips_image_get_width(it), down = vips_image_get_height(it);
    if (before == width && down == height) return image;
    int code = vips_resize(
        it, &after, (double)width / before, "vscale", (double)height / down, NULL
    );
    image = keep(it, after, code);
    if (!image) return NULL;
    // Corrects sizes that were rounded differently.
    int across = vips_image_get_width(after), high = vips_image_get_height(after);
    if (across == width && high == height) return image;
    image = cphotos_image_crop(image, 0, 0, VIPS_MIN(across, width), VIPS_MIN(high, height));
    return image ? cphotos_image_embed(image, 0, 0, width, height, 1) : NULL;
}

cphotos_image *cphotos_image_affine(
    cphotos_image *image, const double *m, int left, int top, int width, int height
) {
    VipsImage *it = vips(image), *after = NULL;
    int area[] = {left, top, width, height};
    VipsArrayInt *output = vips_array_int_new(area, 4);
    VipsInterpolate *interpolate = vips_interpolate_new("bicubic");
    // libvips' coordinates refer to pixel centers: its 0 is our 0.5.
    double x = m[4] + 0.5 * (m[0] + m[1]) - 0.5, y = m[5] + 0.5 * (m[2] + m[3]) - 0.5;
    int code = vips_affine(
        it, &after, m[0], m[1], m[2], m[3], "interpolate", interpolate, "oarea", output, "odx", x,
        "ody", y, "extend", VIPS_EXTEND_BLACK, "premultiplied", TRUE, NULL
    );
    g_object_unref(interpolate);
    vips_area_unref(VIPS_AREA(output));
    return keep(it, after, code);
}

cphotos_image *cphotos_image_blur(cphotos_image *image, double sigma) {
    VipsImage *it = vips(image), *after = NULL;
    int width = vips_image_get_width(it), height = vips_image_get_height(it);
    // A wide blur is computed on a reduced picture, at the cost of a narrow blur.
    int factor = (int)(sigma / 4);
    if (factor < 2) {
        int code = vips_gaussblur(
            it, &after, sigma, "min_ampl", 0.005, "precision", VIPS_PRECISION_FLOAT, NULL
        );
        return keep(it, after, code);
    }
    int across = (width + factor - 1) / factor * factor;
    int down = (height + factor - 1) / factor * factor;
    image = cphotos_image_embed(image, 0, 0, across, down, 1);
    if (!image) return NULL;
    it = vips(image);
    int code = vips_shrink(it, &after, factor, factor, NULL);
    if (!(image = keep(it, after, code))) return NULL;
    it = after, after = NULL;
    // The box filter of the reduction is itself a blur.
    double box = (factor * factor - 1) / 12.0;
    double rest = sqrt(VIPS_MAX(0.25, sigma * sigma - box)) / factor;
    code = vips_gaussblur(it, &after, rest, "min_ampl", 0.005, "precision", VIPS_PRECISION_FLOAT, NULL);
    if (!(image = keep(it, after, code))) return NULL;
    it = after, after = NULL;
    code = vips_resize(it, &after, factor, "kernel", VIPS_KERNEL_CUBIC, NULL);
    if (!(image = keep(it, after, code))) return NULL;
    return cphotos_image_crop(image, 0, 0, width, height);
}

cphotos_image *cphotos_image_join(cphotos_image *image, cphotos_image *other) {
    VipsImage *after = NULL;
    int code = vips_bandjoin2(vips(image), vips(other), &after, NULL);
    g_object_unref(other);
    return keep(vips(image), after, code);
}

cphotos_image *cphotos_image_constant(int width, int height, const double *color, int bands) {
    VipsImage *black = NULL, *after = NULL;
    if (vips_black(&black, width, height, "bands", bands, NULL) != 0) return NULL;
    double ones[] = {1, 1, 1, 1};
    int code = vips_linear(black, &after, ones, (double *)color, bands, NULL);
    g_object_unref(black);
    if (code != 0) return NULL;
    black = after, after = NULL;
    code = vips_copy(black, &after, "interpretation", VIPS_INTERPRETATION_scRGB, NULL);
    return keep(black, after, code);
}

// MARK: - Ends

typedef struct {
    cphotos_take_strip take;
    void *context;
    int isStopped;
} delivery;

static int deliver_region(VipsRegion *region, VipsRect *area, void *pointer) {
    delivery *it = pointer;
    size_t line = VIPS_REGION_SIZEOF_LINE(region);
    for (int row = 0; row < area->height; row++) {
        if (it->take(it->context, VIPS_REGION_ADDR(region, area->left, area->top + row), line) != 0) {
            it->isStopped = 1;
            return -1;
        }
    }
    return 0;
}

int cphotos_image_deliver(cphotos_image *image, cphotos_take_strip take, void *context) {
    delivery it = {take, context, 0};
    if (vips_sink_disc(vips(image), deliver_region, &it) == 0) return 0;
    return it.isStopped ? 1 : -1;
}

typedef struct {
    cphotos_is_cancelled isCancelled;
    void *context;
    int isStopped;
} watch;

static void look(VipsImage *image, VipsProgress *progress, watch *it) {
    (void)progress;
    if (it->isStopped || it->isCancelled(it->context) == 0) return;
    it->isStopped = 1;
    vips_image_set_kill(image, TRUE);
}

static gint64 deliver_part(VipsTargetCustom *target, const void *bytes, gint64 length, delivery *it) {
    (void)target;
    if (it->isStopped) return -1;
    it->isStopped = it->take(it->context, bytes, (size_t)length) != 0;
    return it->isStopped ? -1 : length;
}

int cphotos_image_encode(
    cphotos_image *image,
    int quality,
    const void *profile,
    size_t profileLength,
    cphotos_is_cancelled isCancelled,
    cphotos_take_strip take,
    void *context
) {
    VipsImage *plain = NULL;
    if (vips_copy(vips(image), &plain, NULL) != 0) return -1;
    // None of the file's own metadata is carried over automatically.
    gchar **fields = vips_image_get_fields(plain);
    for (gchar **field = fields; field && *field; field++) vips_image_remove(plain, *field);
    g_strfreev(fields);
    if (profile) vips_image_set_blob_copy(plain, VIPS_META_ICC_NAME, profile, profileLength);
    watch it = {isCancelled, context, 0};
    vips_image_set_progress(plain, TRUE);
    g_signal_connect(plain, "eval", G_CALLBACK(look), &it);
    // A buffer would hold the whole file, and twice as much while it grows.
    delivery parts = {take, context, 0};
    VipsTargetCustom *custom = vips_target_custom_new();
    g_signal_connect(custom, "write", G_CALLBACK(deliver_part), &parts);
    VipsTarget *target = VIPS_TARGET(custom);
    int code = quality > 0
        ? vips_jpegsave_target(
              plain, target, "Q", quality, "subsample_mode",
              quality < 95 ? VIPS_FOREIGN_SUBSAMPLE_ON : VIPS_FOREIGN_SUBSAMPLE_OFF, "strip", !profile,
              NULL
          )
        : vips_pngsave_target(plain, target, "compression", 6, "strip", !profile, NULL);
    g_object_unref(target);
    g_object_unref(plain);
    return it.isStopped || parts.isStopped ? 1 : code;
}
