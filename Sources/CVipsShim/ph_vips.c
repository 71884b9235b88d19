#include "CVipsShim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <vips/vips.h>
#include <vips/vector.h>

// How far two aspects may differ.
static const double tolerance = 0.02;
// A bar beside a preview is black when its mean is below this, out of 255.
static const double darkness = 12;

int ph_vips_start(void) {
    // Only loaders that are linked in: the loadable ones (ImageMagick, PDF, SVG slides) are not
    // needed here, cost start-up time, and would widen what hostile bytes can reach.
    setenv("VIPSHOME", "/nonexistent", 1);
    setenv("VIPS_BLOCK_UNTRUSTED", "1", 1);
    // Vector code is compiled while running, which needs executable memory.
    setenv("VIPS_NOVECTOR", "1", 1);
    if (vips_init("photos-worker") != 0) return -1;
    vips_vector_set_enabled(FALSE);
    vips_block_untrusted_set(TRUE);
    vips_concurrency_set(1);
    vips_cache_set_max(0);
    vips_cache_set_max_mem(0);
    vips_cache_set_max_files(0);
    return 0;
}

static void copy_error(char *error, size_t length) {
    if (length > 0) {
        strncpy(error, vips_error_buffer(), length - 1);
        error[length - 1] = 0;
    }
    vips_error_clear();
}

static int is_dark(VipsImage *image, int left, int top, int width, int height) {
    if (width <= 0 || height <= 0) return 1;
    VipsImage *area = NULL;
    double mean = 255;
    int failed = vips_extract_area(image, &area, left, top, width, height, NULL) != 0
        || vips_avg(area, &mean, NULL) != 0;
    if (area) g_object_unref(area);
    return !failed && mean <= darkness;
}

// Replaces `*image` with its middle when that has the right aspect and bars beside it are black.
// 0, 1 when the aspect can't be had, -1 on errors.
static int trim(VipsImage **image, double aspect) {
    double width = vips_image_get_width(*image);
    double height = vips_image_get_height(*image);
    if (!(aspect > 0) || !(width > 0) || !(height > 0)) return 1;
    if (fabs(width / height / aspect - 1) <= tolerance) return 0;
    int left = 0, top = 0, right = (int)width, bottom = (int)height;
    if (width / height < aspect) {
        double inner = width / aspect;
        // One row of each bar may be mixed with the picture.
        top = (int)ceil((height - inner) / 2);
        bottom = (int)floor((height + inner) / 2);
    } else {
        double inner = height * aspect;
        left = (int)ceil((width - inner) / 2);
        right = (int)floor((width + inner) / 2);
    }
    if (right - left < 8 || bottom - top < 8) return 1;
    if (fabs((double)(right - left) / (bottom - top) / aspect - 1) > tolerance * 2) return 1;
    int dark = top > 0
        ? is_dark(*image, 0, 0, (int)width, top - 1)
            && is_dark(*image, 0, bottom + 1, (int)width, (int)height - bottom - 1)
        : is_dark(*image, 0, 0, left - 1, (int)height)
            && is_dark(*image, right + 1, 0, (int)width - right - 1, (int)height);
    if (!dark) return 1;
    VipsImage *inner = NULL;
    if (vips_extract_area(*image, &inner, left, top, right - left, bottom - top, NULL) != 0) {
        return -1;
    }
    g_object_unref(*image);
    *image = inner;
    return 0;
}

static int has_profile(VipsImage *image) {
    return vips_image_get_typeof(image, VIPS_META_ICC_NAME) != 0;
}

static int finish(VipsImage *image, const ph_preview_request *request, ph_preview *result) {
    VipsImage *next = NULL;
    int code = -1;

    // The pixels in memory first: what follows reads parts of them more than once.
    next = vips_image_copy_memory(image);
    if (!next) goto done;
    g_object_unref(image);
    image = next;

    double aspect = (double)request->width / request->height;
    code = trim(&image, request->orientation >= 5 ? 1 / aspect : aspect);
    if (code != 0) goto done;
    code = -1;

    next = NULL;
    if (vips_copy(image, &next, NULL) != 0) goto done;
    g_object_unref(image);
    image = next;
    if (!has_profile(image) && request->profile && request->profileLength > 0
        && vips_image_get_bands(image) == 3) {
        vips_image_set_blob_copy(
            image, VIPS_META_ICC_NAME, request->profile, request->profileLength
        );
    }
    vips_image_set_int(image, VIPS_META_ORIENTATION, request->orientation);
    next = NULL;
    if (vips_autorot(image, &next, NULL) != 0) goto done;
    g_object_unref(image);
    image = next;

    int longer = VIPS_MAX(vips_image_get_width(image), vips_image_get_height(image));
    if (longer > request->side) {
        next = NULL;
        if (vips_resize(image, &next, (double)request->side / longer, NULL) != 0) goto done;
        g_object_unref(image);
        image = next;
    }

    if (vips_image_hasalpha(image)) {
        next = NULL;
        if (vips_flatten(image, &next, NULL) != 0) goto done;
        g_object_unref(image);
        image = next;
    }
    next = NULL;
    if (!has_profile(image)
        || vips_icc_transform(image, &next, "srgb", "embedded", TRUE, NULL) != 0) {
        // A profile that can't be used is no reason to be without a picture.
        vips_error_clear();
        if (next) g_object_unref(next);
        next = NULL;
        if (vips_colourspace(image, &next, VIPS_INTERPRETATION_sRGB, NULL) != 0) goto done;
    }
    g_object_unref(image);
    image = next;
    next = NULL;
    if (vips_cast_uchar(image, &next, NULL) != 0) goto done;
    g_object_unref(image);
    image = next;
    if (vips_image_get_bands(image) != 3) goto done;

    size_t length = 0;
    void *bytes = vips_image_write_to_memory(image, &length);
    if (!bytes) goto done;
    result->width = vips_image_get_width(image);
    result->height = vips_image_get_height(image);
    result->bytes = bytes;
    result->length = length;
    code = 0;
done:
    g_object_unref(image);
    return code;
}

static int is_usable(const ph_preview_request *request) {
    return request->width > 0 && request->height > 0 && request->side > 0
        && request->orientation >= 1 && request->orientation <= 8;
}

int ph_vips_preview_of_jpeg(
    const void *bytes,
    size_t length,
    const ph_preview_request *request,
    ph_preview *result,
    char *error,
    size_t errorLength
) {
    *result = (ph_preview){0};
    if (!is_usable(request)) return 1;
    VipsImage *image = NULL;
    int code = -1;
    if (vips_jpegload_buffer((void *)bytes, length, &image, NULL) == 0) {
        int64_t width = vips_image_get_width(image), height = vips_image_get_height(image);
        if (width * height <= request->maximumPixels) {
            int longer = (int)VIPS_MAX(width, height);
            int shrink = 8;
            while (shrink > 1 && longer / shrink < request->side) shrink /= 2;
            g_object_unref(image);
            image = NULL;
            if (vips_jpegload_buffer(
                    (void *)bytes, length, &image, "shrink", shrink, "fail_on",
                    VIPS_FAIL_ON_TRUNCATED, "access", VIPS_ACCESS_SEQUENTIAL, NULL
                ) == 0) {
                code = finish(image, request, result);
                image = NULL;
            }
        }
    }
    if (image) g_object_unref(image);
    copy_error(error, errorLength);
    return code;
}

int ph_vips_preview_of_pixels(
    const void *bytes,
    size_t length,
    int width,
    int height,
    int bands,
    const ph_preview_request *request,
    ph_preview *result,
    char *error,
    size_t errorLength
) {
    *result = (ph_preview){0};
    if (!is_usable(request)) return 1;
    VipsImage *image = vips_image_new_from_memory(
        bytes, length, width, height, bands, VIPS_FORMAT_UCHAR
    );
    int code = -1;
    if (image) {
        VipsImage *typed = NULL;
        if (vips_copy(
                image, &typed, "interpretation",
                bands == 1 ? VIPS_INTERPRETATION_B_W : VIPS_INTERPRETATION_sRGB, NULL
            ) == 0) {
            code = finish(typed, request, result);
        }
        g_object_unref(image);
    }
    copy_error(error, errorLength);
    return code;
}

void ph_vips_release(ph_preview *preview) {
    if (preview->bytes) g_free(preview->bytes);
    preview->bytes = NULL;
}
