#include "CVipsShim.h"

#include <stdlib.h>
#include <string.h>
#include <vips/vips.h>

int cphotos_vips_start(void) {
    // Only linked-in loaders: the loadable ones (ImageMagick, PDF, slides) are not needed here,
    // increase the start-up time, and would widen the attack surface of hostile bytes.
    setenv("VIPSHOME", "/nonexistent", 1);
    setenv("VIPS_BLOCK_UNTRUSTED", "1", 1);
    // Vector code is compiled at run time, which needs executable memory.
    setenv("VIPS_NOVECTOR", "1", 1);
    int code = vips_init("photos-worker");
    // Only that call reads them. Programs that a test starts afterwards need their loaders.
    unsetenv("VIPSHOME");
    unsetenv("VIPS_BLOCK_UNTRUSTED");
    if (code != 0) return -1;
    vips_block_untrusted_set(TRUE);
    // The one loader of libvips' untrusted ones that reads a format written by cameras.
    vips_operation_block_set("VipsForeignLoadJp2k", FALSE);
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

// Replaces `*image` by 8 bits in three bands; a profile of three bands is kept for the caller.
static int to_rgb(VipsImage **image) {
    VipsImage *next = NULL;
    if (vips_image_get_bands(*image) != 3 || vips_image_get_format(*image) != VIPS_FORMAT_UCHAR) {
        int hasProfile = vips_image_get_typeof(*image, VIPS_META_ICC_NAME) != 0;
        if (!hasProfile || vips_icc_transform(*image, &next, "srgb", "embedded", TRUE, NULL) != 0) {
            // A profile that cannot be used does not fail the request.
            vips_error_clear();
            next = NULL;
            if (vips_colourspace(*image, &next, VIPS_INTERPRETATION_sRGB, NULL) != 0) return -1;
        }
        g_object_unref(*image);
        *image = next;
        vips_image_remove(*image, VIPS_META_ICC_NAME);
    }
    return vips_image_get_bands(*image) == 3 && vips_image_get_format(*image) == VIPS_FORMAT_UCHAR
        ? 0
        : -1;
}

static int copy_profile(VipsImage *image, cphotos_picture *picture) {
    const void *profile = NULL;
    size_t length = 0;
    if (vips_image_get_typeof(image, VIPS_META_ICC_NAME) == 0) return 0;
    if (vips_image_get_blob(image, VIPS_META_ICC_NAME, &profile, &length) != 0 || length == 0) {
        return 0;
    }
    picture->profile = malloc(length);
    if (!picture->profile) return -1;
    memcpy(picture->profile, profile, length);
    picture->profileLength = length;
    return 0;
}

int cphotos_vips_decode_jpeg(
    const void *bytes,
    size_t length,
    int side,
    int64_t maximumPixels,
    cphotos_picture *picture,
    char *error,
    size_t errorLength
) {
    memset(picture, 0, sizeof *picture);
    VipsImage *image = NULL;
    int code = -1;
    // Nothing is decoded before pixels are requested.
    if (vips_jpegload_buffer(
            (void *)bytes, length, &image, "fail_on", VIPS_FAIL_ON_TRUNCATED, "access",
            VIPS_ACCESS_SEQUENTIAL, NULL
        ) != 0) {
        goto done;
    }
    int64_t width = vips_image_get_width(image), height = vips_image_get_height(image);
    if (width * height > maximumPixels) goto done;
    int longer = (int)VIPS_MAX(width, height);
    int shrink = 8;
    while (shrink > 1 && longer / shrink < side) shrink /= 2;
    if (shrink > 1) {
        g_object_unref(image);
        image = NULL;
        if (vips_jpegload_buffer(
                (void *)bytes, length, &image, "shrink", shrink, "fail_on", VIPS_FAIL_ON_TRUNCATED,
                "access", VIPS_ACCESS_SEQUENTIAL, NULL
            ) != 0) {
            goto done;
        }
    }
    if (to_rgb(&image) != 0 || copy_profile(image, picture) != 0) goto done;
    picture->bytes = vips_image_write_to_memory(image, &picture->length);
    if (!picture->bytes) goto done;
    picture->width = vips_image_get_width(image);
    picture->height = vips_image_get_height(image);
    code = 0;
done:
    if (image) g_object_unref(image);
    copy_error(error, errorLength);
    if (code != 0) cphotos_vips_release(picture);
    return code;
}

void cphotos_vips_release(cphotos_picture *picture) {
    if (picture->bytes) g_free(picture->bytes);
    free(picture->profile);
    memset(picture, 0, sizeof *picture);
}
