#include "CLibRawShim.h"

#include <libraw/libraw.h>
#include <stdlib.h>
#include <string.h>

static void copy_text(char *to, size_t room, const char *from, size_t length) {
    size_t count = strnlen(from, length);
    if (count >= room) count = room - 1;
    memcpy(to, from, count);
    to[count] = 0;
}

int cphotos_raw_read(
    const void *bytes, size_t length, cphotos_raw_facts *facts, char *error, size_t errorLength
) {
    memset(facts, 0, sizeof *facts);
    facts->orientation = 1;
    libraw_data_t *raw = libraw_init(LIBRAW_OPIONS_NO_DATAERR_CALLBACK);
    if (!raw) return -1;
    int code = libraw_open_buffer(raw, (void *)bytes, length);
    if (code == LIBRAW_SUCCESS) {
        facts->width = raw->sizes.width;
        facts->height = raw->sizes.height;
        // LibRaw's flip swaps the sides (4), then reverses the rows (2) and columns (1).
        static const int orientations[] = {1, 2, 4, 3, 5, 8, 6, 7};
        int flip = raw->sizes.flip & 7;
        facts->orientation = orientations[flip];
        int turned = (flip & 4) != 0;
        facts->displayWidth = turned ? facts->height : facts->width;
        facts->displayHeight = turned ? facts->width : facts->height;
        copy_text(facts->make, sizeof facts->make, raw->idata.make, sizeof raw->idata.make);
        copy_text(facts->model, sizeof facts->model, raw->idata.model, sizeof raw->idata.model);
    } else if (errorLength > 0) {
        copy_text(error, errorLength, libraw_strerror(code), errorLength);
    }
    libraw_close(raw);
    return code == LIBRAW_SUCCESS ? 0 : -1;
}

typedef struct {
    cphotos_raw_is_cancelled isCancelled;
    void *context;
} cphotos_raw_watch;

static int watch(void *data, enum LibRaw_progress stage, int iteration, int expected) {
    (void)stage, (void)iteration, (void)expected;
    cphotos_raw_watch *watch = data;
    return watch->isCancelled(watch->context);
}

int cphotos_raw_develop(
    const void *bytes,
    size_t length,
    int isHalfSize,
    uint64_t maximumPixels,
    cphotos_raw_is_cancelled isCancelled,
    void *context,
    cphotos_raw_picture *picture,
    char *error,
    size_t errorLength
) {
    memset(picture, 0, sizeof *picture);
    libraw_data_t *raw = libraw_init(LIBRAW_OPIONS_NO_DATAERR_CALLBACK);
    if (!raw) return -1;
    cphotos_raw_watch watched = {isCancelled, context};
    libraw_set_progress_handler(raw, watch, &watched);
    raw->params.use_camera_wb = 1;
    raw->params.output_color = 1;
    raw->params.output_bps = 8;
    raw->params.half_size = isHalfSize;
    int code = libraw_open_buffer(raw, (void *)bytes, length);
    if (code == LIBRAW_SUCCESS
        && (uint64_t)raw->sizes.raw_width * raw->sizes.raw_height > maximumPixels) {
        code = LIBRAW_TOO_BIG;
    }
    if (code == LIBRAW_SUCCESS) code = libraw_unpack(raw);
    if (code == LIBRAW_SUCCESS) code = libraw_dcraw_process(raw);
    libraw_processed_image_t *image = NULL;
    if (code == LIBRAW_SUCCESS) image = libraw_dcraw_make_mem_image(raw, &code);
    libraw_close(raw);
    if (image && image->type == LIBRAW_IMAGE_BITMAP && image->colors == 3 && image->bits == 8
        && (size_t)image->width * image->height * 3 <= image->data_size) {
        picture->width = image->width;
        picture->height = image->height;
        picture->pixels = image->data;
        picture->length = image->data_size;
        picture->owner = image;
        return 0;
    }
    if (image) libraw_dcraw_clear_mem(image);
    if (code == LIBRAW_CANCELLED_BY_CALLBACK) return 1;
    if (errorLength > 0) {
        const char *words = code == LIBRAW_SUCCESS ? "it has no colors" : libraw_strerror(code);
        copy_text(error, errorLength, words, errorLength);
    }
    return -1;
}

void cphotos_raw_picture_release(cphotos_raw_picture *picture) {
    if (picture->owner) libraw_dcraw_clear_mem(picture->owner);
    memset(picture, 0, sizeof *picture);
}
