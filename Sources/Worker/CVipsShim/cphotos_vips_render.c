#include "cphotos_vips_render.h"

#include "cphotos_load.h"

#include <stdlib.h>
#include <string.h>
#include <vips/vips.h>

struct cphotos_picture_source {
    cphotos_source source;
    VipsImage *header;
};

static void copy_error(char *error, size_t length) {
    if (length > 0) {
        strncpy(error, vips_error_buffer(), length - 1);
        error[length - 1] = 0;
    }
    vips_error_clear();
}

VipsImage *cphotos_load(const cphotos_source *source, int shrink, double scale) {
    VipsImage *image = NULL;
    void *bytes = (void *)source->bytes;
    size_t length = source->length;
    int code = -1;
    switch (source->loader) {
    case CPHOTOS_PIXELS: {
        VipsImage *plain = vips_image_new_from_memory(
            bytes, length, source->width, source->height, source->bands,
            source->bytesPerSample == 2 ? VIPS_FORMAT_USHORT : VIPS_FORMAT_UCHAR
        );
        if (!plain) return NULL;
        int isColor = source->bands >= 3, isWide = source->bytesPerSample == 2;
        code = vips_copy(
            plain, &image, "interpretation",
            isColor ? (isWide ? VIPS_INTERPRETATION_RGB16 : VIPS_INTERPRETATION_sRGB)
                    : (isWide ? VIPS_INTERPRETATION_GREY16 : VIPS_INTERPRETATION_B_W),
            NULL
        );
        g_object_unref(plain);
        break;
    }
    case CPHOTOS_JPEG:
        code = vips_jpegload_buffer(
            bytes, length, &image, "shrink", shrink, "fail_on",
            source->isTolerant ? VIPS_FAIL_ON_NONE : VIPS_FAIL_ON_TRUNCATED, "access",
            VIPS_ACCESS_SEQUENTIAL, NULL
        );
        break;
    case CPHOTOS_PNG:
        code = vips_pngload_buffer(
            bytes, length, &image, "fail_on", VIPS_FAIL_ON_TRUNCATED, "access",
            VIPS_ACCESS_SEQUENTIAL, NULL
        );
        break;
    case CPHOTOS_WEBP:
        code = vips_webpload_buffer(
            bytes, length, &image, "scale", scale, "fail_on", VIPS_FAIL_ON_TRUNCATED, "access",
            VIPS_ACCESS_SEQUENTIAL, NULL
        );
        break;
    case CPHOTOS_TIFF:
        code = vips_tiffload_buffer(
            bytes, length, &image, "fail_on", VIPS_FAIL_ON_TRUNCATED, "access",
            VIPS_ACCESS_SEQUENTIAL, NULL
        );
        break;
    case CPHOTOS_GIF:
        code = vips_gifload_buffer(
            bytes, length, &image, "fail_on", VIPS_FAIL_ON_TRUNCATED, "access",
            VIPS_ACCESS_SEQUENTIAL, NULL
        );
        break;
    case CPHOTOS_JPEG2000:
        code = vips_jp2kload_buffer(
            bytes, length, &image, "fail_on", VIPS_FAIL_ON_TRUNCATED, "access",
            VIPS_ACCESS_SEQUENTIAL, NULL
        );
        break;
    }
    return code == 0 ? image : NULL;
}

static const void *profile_of(const cphotos_picture_source *picture, size_t *length) {
    const void *profile = NULL;
    *length = 0;
    if (picture->source.profile) {
        *length = picture->source.profileLength;
        return picture->source.profile;
    }
    if (vips_image_get_typeof(picture->header, VIPS_META_ICC_NAME) == 0
        || vips_image_get_blob(picture->header, VIPS_META_ICC_NAME, &profile, length) != 0) {
        *length = 0;
        return NULL;
    }
    return profile;
}

cphotos_picture_source *cphotos_source_open(
    const cphotos_source *source, cphotos_picture_facts *facts, char *error, size_t errorLength
) {
    memset(facts, 0, sizeof *facts);
    cphotos_picture_source *picture = calloc(1, sizeof *picture);
    if (!picture) return NULL;
    picture->source = *source;
    picture->header = cphotos_load(source, 1, 1);
    if (!picture->header) {
        copy_error(error, errorLength);
        free(picture);
        return NULL;
    }
    facts->width = vips_image_get_width(picture->header);
    facts->height = vips_image_get_page_height(picture->header);
    facts->hasAlpha = vips_image_hasalpha(picture->header);
    facts->profile = profile_of(picture, &facts->profileLength);
    return picture;
}

void cphotos_source_close(cphotos_picture_source *picture) {
    g_object_unref(picture->header);
    free(picture);
}

// Each step takes ownership of the image and returns the next one, or null.
typedef VipsImage *step;

static step keep(VipsImage *before, VipsImage *after, int code) {
    g_object_unref(before);
    return code == 0 ? after : NULL;
}

static step crop(VipsImage *image, const cphotos_plan *plan, int fullWidth, int fullHeight) {
    int width = vips_image_get_width(image), height = vips_image_get_height(image);
    double x = (double)width / fullWidth, y = (double)height / fullHeight;
    int left = (int)(plan->cropLeft * x + 0.5), top = (int)(plan->cropTop * y + 0.5);
    int across = (int)(plan->cropWidth * x + 0.5), down = (int)(plan->cropHeight * y + 0.5);
    left = VIPS_CLIP(0, left, width - 1);
    top = VIPS_CLIP(0, top, height - 1);
    across = VIPS_CLIP(1, across, width - left);
    down = VIPS_CLIP(1, down, height - top);
    if (left == 0 && top == 0 && across == width && down == height) return image;
    VipsImage *after = NULL;
    int code = vips_extract_area(image, &after, left, top, across, down, NULL);
    return keep(image, after, code);
}

// Converts color spaces that cannot be scaled as stored.
static step to_plain(VipsImage *image) {
    switch (vips_image_get_interpretation(image)) {
    case VIPS_INTERPRETATION_sRGB:
    case VIPS_INTERPRETATION_RGB:
    case VIPS_INTERPRETATION_RGB16:
    case VIPS_INTERPRETATION_B_W:
    case VIPS_INTERPRETATION_GREY16:
    case VIPS_INTERPRETATION_CMYK:
        if (vips_image_get_coding(image) == VIPS_CODING_NONE) return image;
        break;
    default: break;
    }
    VipsImage *after = NULL;
    int code = vips_colourspace(image, &after, VIPS_INTERPRETATION_sRGB, NULL);
    return keep(image, after, code);
}

static step scale(VipsImage *image, const cphotos_plan *plan, int isPremultiplied) {
    int width = vips_image_get_width(image), height = vips_image_get_height(image);
    int isSame = width == plan->width && height == plan->height;
    int hasAlpha = vips_image_hasalpha(image);
    if (isSame && !(hasAlpha && isPremultiplied)) return image;
    VipsBandFormat format = vips_image_get_format(image);
    VipsImage *after = NULL;
    if (hasAlpha && !isPremultiplied) {
        int code = vips_premultiply(image, &after, NULL);
        if (!(image = keep(image, after, code))) return NULL;
    }
    if (!isSame) {
        int code = vips_resize(
            image, &after, (double)plan->width / width, "vscale", (double)plan->height / height, NULL
        );
        if (!(image = keep(image, after, code))) return NULL;
    }
    if (hasAlpha) {
        int code = vips_unpremultiply(image, &after, NULL);
        if (!(image = keep(image, after, code))) return NULL;
        code = vips_cast(image, &after, format, NULL);
        image = keep(image, after, code);
    }
    return image;
}

// Converts the values to three bands with the wanted bit depth, without color management.
static step to_numbers(VipsImage *image, const cphotos_plan *plan) {
    VipsImage *after = NULL;
    int bands = vips_image_get_bands(image), code;
    if (bands < 3) {
        VipsImage *grey = NULL, *alpha = NULL;
        code = vips_extract_band(image, &grey, 0, NULL);
        if (code == 0 && bands == 2) code = vips_extract_band(image, &alpha, 1, NULL);
        VipsImage *all[] = {grey, grey, grey, alpha};
        if (code == 0) code = vips_bandjoin(all, &after, bands == 2 ? 4 : 3, NULL);
        if (grey) g_object_unref(grey);
        if (alpha) g_object_unref(alpha);
        if (!(image = keep(image, after, code))) return NULL;
    }
    int isWide = vips_image_get_format(image) == VIPS_FORMAT_USHORT;
    if (isWide != plan->isWide) {
        code = vips_linear1(image, &after, plan->isWide ? 257.0 : 1 / 257.0, 0.5, NULL);
        if (!(image = keep(image, after, code))) return NULL;
        code = vips_cast(
            image, &after, plan->isWide ? VIPS_FORMAT_USHORT : VIPS_FORMAT_UCHAR, NULL
        );
        if (!(image = keep(image, after, code))) return NULL;
    }
    code = vips_copy(
        image, &after, "interpretation",
        plan->isWide ? VIPS_INTERPRETATION_RGB16 : VIPS_INTERPRETATION_sRGB, NULL
    );
    return keep(image, after, code);
}

// Removes alpha from an image that has it, as 8 bits, because color converters would clip it.
static step detach_alpha(VipsImage *image, VipsImage **alpha) {
    *alpha = NULL;
    if (!vips_image_hasalpha(image)) return image;
    int last = vips_image_get_bands(image) - 1;
    VipsImage *after = NULL;
    int code = vips_extract_band(image, alpha, last, NULL);
    if (code == 0 && vips_image_get_format(image) == VIPS_FORMAT_USHORT) {
        code = vips_linear1(*alpha, &after, 1 / 257.0, 0.5, NULL);
        if (!(*alpha = keep(*alpha, after, code))) code = -1;
    }
    if (code == 0) {
        code = vips_cast(*alpha, &after, VIPS_FORMAT_UCHAR, NULL);
        if (!(*alpha = keep(*alpha, after, code))) code = -1;
    }
    if (code == 0) code = vips_extract_band(image, &after, 0, "n", last, NULL);
    if (code != 0) {
        g_clear_object(alpha);
        after = NULL;
    }
    return keep(image, after, code);
}

// Takes ownership of both images.
static step attach_alpha(VipsImage *image, VipsImage *alpha) {
    if (!alpha) return image;
    VipsImage *after = NULL;
    int code = image ? vips_bandjoin2(image, alpha, &after, NULL) : -1;
    g_object_unref(alpha);
    if (!image) return NULL;
    return keep(image, after, code);
}

// Converts the colors to 8 bits in three bands, with or without alpha.
static step color(VipsImage *image, const cphotos_picture_source *picture, const cphotos_plan *plan,
                  cphotos_colors *colors) {
    if (plan->keepsNumbers) {
        *colors = CPHOTOS_WANTED_COLORS;
        return to_numbers(image, plan);
    }
    size_t length;
    const void *profile = profile_of(picture, &length);
    int colorBands = vips_image_get_bands(image) - (vips_image_hasalpha(image) ? 1 : 0);
    VipsInterpretation space = vips_image_get_interpretation(image);
    int isPlain = colorBands == 3 && vips_image_get_format(image) == VIPS_FORMAT_UCHAR
        && (space == VIPS_INTERPRETATION_sRGB || space == VIPS_INTERPRETATION_RGB);
    VipsImage *after = NULL;
    if (isPlain) {
        // The caller, which caches transforms, converts these few pixels.
        *colors = profile ? CPHOTOS_SOURCE_COLORS : CPHOTOS_SRGB_COLORS;
        return image;
    }
    VipsImage *alpha;
    if (!(image = detach_alpha(image, &alpha))) return NULL;
    if (profile) {
        int code = vips_copy(image, &after, NULL);
        if (!(image = keep(image, after, code))) return attach_alpha(NULL, alpha);
        vips_image_set_blob_copy(image, VIPS_META_ICC_NAME, profile, length);
        if (vips_icc_transform(
                image, &after, plan->isDisplayP3 ? "p3" : "srgb", "embedded", TRUE, "depth", 8,
                "intent", VIPS_INTENT_PERCEPTUAL, NULL
            ) == 0) {
            *colors = CPHOTOS_WANTED_COLORS;
            return attach_alpha(keep(image, after, 0), alpha);
        }
        // A profile that cannot be used does not fail the request.
        vips_error_clear();
        after = NULL;
        vips_image_remove(image, VIPS_META_ICC_NAME);
    }
    *colors = CPHOTOS_SRGB_COLORS;
    int code = vips_colourspace(image, &after, VIPS_INTERPRETATION_sRGB, NULL);
    if (!(image = keep(image, after, code))) return attach_alpha(NULL, alpha);
    code = vips_cast(image, &after, VIPS_FORMAT_UCHAR, NULL);
    return attach_alpha(keep(image, after, code), alpha);
}

static step turn(VipsImage *image, int orientation) {
    if (orientation < 2 || orientation > 8) return image;
    // Rotation reads in another order than loaders deliver.
    VipsImage *after = vips_image_copy_memory(image);
    if (!(image = keep(image, after, after ? 0 : -1))) return NULL;
    return cphotos_turn(image, orientation);
}

step cphotos_turn(VipsImage *image, int orientation) {
    if (orientation < 2 || orientation > 8) return image;
    VipsImage *after = NULL;
    static const VipsAngle angles[] = {
        VIPS_ANGLE_D0, VIPS_ANGLE_D0, VIPS_ANGLE_D180, VIPS_ANGLE_D180,
        VIPS_ANGLE_D90, VIPS_ANGLE_D90, VIPS_ANGLE_D270, VIPS_ANGLE_D270,
    };
    VipsAngle angle = angles[orientation - 1];
    if (angle != VIPS_ANGLE_D0) {
        int code = vips_rot(image, &after, angle, NULL);
        if (!(image = keep(image, after, code))) return NULL;
    }
    if (orientation == 2 || orientation == 4 || orientation == 5 || orientation == 7) {
        int code = vips_flip(image, &after, VIPS_DIRECTION_HORIZONTAL, NULL);
        image = keep(image, after, code);
    }
    return image;
}

static step place(VipsImage *image, const cphotos_plan *plan) {
    int width = vips_image_get_width(image), height = vips_image_get_height(image);
    VipsImage *after = NULL;
    int left = VIPS_MAX(0, -plan->canvasLeft), top = VIPS_MAX(0, -plan->canvasTop);
    int across = VIPS_MIN(width - left, plan->canvasWidth);
    int down = VIPS_MIN(height - top, plan->canvasHeight);
    if (left > 0 || top > 0 || across < width || down < height) {
        int code = vips_extract_area(image, &after, left, top, across, down, NULL);
        if (!(image = keep(image, after, code))) return NULL;
    }
    if (across == plan->canvasWidth && down == plan->canvasHeight) return image;
    if (plan->keepsAlpha && !vips_image_hasalpha(image)) {
        int code = vips_addalpha(image, &after, NULL);
        if (!(image = keep(image, after, code))) return NULL;
    }
    int code = vips_embed(
        image, &after, VIPS_MAX(0, plan->canvasLeft), VIPS_MAX(0, plan->canvasTop),
        plan->canvasWidth, plan->canvasHeight, "extend",
        vips_image_hasalpha(image) ? VIPS_EXTEND_BLACK : VIPS_EXTEND_WHITE, NULL
    );
    return keep(image, after, code);
}

static step flatten(VipsImage *image) {
    double white[] = {255, 255, 255};
    VipsArrayDouble *background = vips_array_double_new(white, 3);
    VipsImage *after = NULL;
    int code = vips_flatten(image, &after, "background", background, "max_alpha", 255.0, NULL);
    vips_area_unref(VIPS_AREA(background));
    return keep(image, after, code);
}

static step finish(VipsImage *image, const cphotos_plan *plan) {
    VipsImage *after = NULL;
    if (vips_image_hasalpha(image) && !plan->keepsAlpha) {
        if (!(image = flatten(image))) return NULL;
    }
    if (plan->bands == 4 && vips_image_get_bands(image) == 3) {
        int code = vips_addalpha(image, &after, NULL);
        if (!(image = keep(image, after, code))) return NULL;
    }
    if (vips_image_get_bands(image) > plan->bands) {
        int code = vips_extract_band(image, &after, 0, "n", plan->bands, NULL);
        if (!(image = keep(image, after, code))) return NULL;
    }
    int code = vips_cast(
        image, &after, plan->isWide ? VIPS_FORMAT_USHORT : VIPS_FORMAT_UCHAR, NULL
    );
    return keep(image, after, code);
}

static int deliver(VipsImage *image, cphotos_colors colors, cphotos_take_rows take, void *context) {
    enum { stripHeight = 64 };
    int width = vips_image_get_width(image), height = vips_image_get_height(image);
    int bands = vips_image_get_bands(image);
    size_t line = (size_t)width * VIPS_IMAGE_SIZEOF_PEL(image);
    uint8_t *strip = malloc(line * stripHeight);
    VipsRegion *region = strip ? vips_region_new(image) : NULL;
    int code = region ? 0 : -1;
    for (int top = 0; code == 0 && top < height; top += stripHeight) {
        VipsRect area = {0, top, width, VIPS_MIN(stripHeight, height - top)};
        if (vips_region_prepare(region, &area) != 0) {
            code = -1;
            break;
        }
        for (int row = 0; row < area.height; row++) {
            memcpy(strip + row * line, VIPS_REGION_ADDR(region, 0, top + row), line);
        }
        if (take(context, colors, strip, width, area.height, bands) != 0) code = 1;
    }
    if (region) g_object_unref(region);
    free(strip);
    return code;
}

// The factor by which the loader itself can shrink. Its shrinking is coarse, so a factor of 1.75 is
// left to our own. Measured on camera files of 12 MP against a Lanczos filter over all pixels: at
// least 44 dB, where a JPEG of quality 85 has 36. With a factor of 2, 256 pixels of 4032 take a
// third longer, since the file is decoded to a quarter, not an eighth.
static VipsImage *load_shrunk(
    cphotos_picture_source *picture, const cphotos_plan *plan, int *isScaled
) {
    VipsImage *shrunk = cphotos_shrink_pixels(&picture->source, plan);
    if (shrunk) {
        *isScaled = 1;
        return shrunk;
    }
    double factor = VIPS_MIN(
        (double)plan->cropWidth / plan->width, (double)plan->cropHeight / plan->height
    );
    int shrink = 1;
    double size = 1;
    if (picture->source.loader == CPHOTOS_JPEG) {
        while (shrink < 8 && shrink * 2 * 1.75 <= factor) shrink *= 2;
    } else if (picture->source.loader == CPHOTOS_WEBP && factor > 2) {
        size = 2 / factor;
    }
    if (shrink == 1 && size == 1) {
        g_object_ref(picture->header);
        return picture->header;
    }
    VipsImage *jpeg = shrink > 1 ? cphotos_load_jpeg(&picture->source, shrink) : NULL;
    if (!jpeg) return cphotos_load(&picture->source, shrink, size);
    *isScaled = cphotos_reduce(&jpeg, plan, shrink);
    return jpeg;
}

int cphotos_source_render(
    cphotos_picture_source *picture,
    const cphotos_plan *plan,
    cphotos_take_rows take,
    void *context,
    char *error,
    size_t errorLength
) {
    cphotos_colors colors = CPHOTOS_WANTED_COLORS;
    int fullWidth = vips_image_get_width(picture->header);
    int fullHeight = vips_image_get_page_height(picture->header);
    int code = -1;
    // An image that is scaled already is cropped, too.
    int isScaled = 0;
    step image = load_shrunk(picture, plan, &isScaled);
    if (image && !isScaled) image = crop(image, plan, fullWidth, fullHeight);
    if (image) image = to_plain(image);
    if (image) image = scale(image, plan, picture->source.isPremultiplied);
    if (image) image = color(image, picture, plan, &colors);
    if (image) image = turn(image, plan->orientation);
    if (image) image = place(image, plan);
    if (image) image = finish(image, plan);
    if (image) {
        code = vips_image_get_width(image) == plan->canvasWidth
                && vips_image_get_height(image) == plan->canvasHeight
                && vips_image_get_bands(image) == plan->bands
            ? deliver(image, colors, take, context)
            : -1;
        g_object_unref(image);
    }
    copy_error(error, errorLength);
    return code;
}

int cphotos_encode(
    const void *rows,
    int width,
    int height,
    int bands,
    int hasAlpha,
    int orientation,
    int quality,
    const void *profile,
    size_t profileLength,
    void **bytes,
    size_t *length,
    char *error,
    size_t errorLength
) {
    *bytes = NULL;
    *length = 0;
    int code = -1;
    cphotos_source source = {
        .loader = CPHOTOS_PIXELS,
        .bytes = rows,
        .length = (size_t)width * height * bands,
        .width = width,
        .height = height,
        .bands = bands,
        .bytesPerSample = 1,
    };
    VipsImage *after = NULL;
    step image = cphotos_load(&source, 1, 1);
    if (image && bands == 4 && !hasAlpha) {
        int extracted = vips_extract_band(image, &after, 0, "n", 3, NULL);
        image = keep(image, after, extracted);
    } else if (image && bands == 4 && quality > 0) {
        image = flatten(image);
    }
    if (image && quality > 0) {
        int cast = vips_cast(image, &after, VIPS_FORMAT_UCHAR, NULL);
        image = keep(image, after, cast);
    }
    if (image) image = turn(image, orientation);
    if (image && profile) {
        int copied = vips_copy(image, &after, NULL);
        if ((image = keep(image, after, copied))) {
            vips_image_set_blob_copy(image, VIPS_META_ICC_NAME, profile, profileLength);
        }
    }
    if (image) {
        code = quality > 0
            ? vips_jpegsave_buffer(
                  image, bytes, length, "Q", quality, "optimize_coding", TRUE, "strip", !profile, NULL
              )
            : vips_pngsave_buffer(image, bytes, length, "compression", 6, "strip", !profile, NULL);
        g_object_unref(image);
    }
    copy_error(error, errorLength);
    return code;
}

void cphotos_encoded_release(void *bytes) { g_free(bytes); }
