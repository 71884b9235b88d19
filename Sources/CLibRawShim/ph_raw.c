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

int ph_raw_read(
    const void *bytes, size_t length, ph_raw_facts *facts, char *error, size_t errorLength
) {
    memset(facts, 0, sizeof *facts);
    facts->orientation = 1;
    libraw_data_t *raw = libraw_init(LIBRAW_OPIONS_NO_DATAERR_CALLBACK);
    if (!raw) return -1;
    int code = libraw_open_buffer(raw, (void *)bytes, length);
    if (code == LIBRAW_SUCCESS) {
        facts->width = raw->sizes.width;
        facts->height = raw->sizes.height;
        // LibRaw's flip: 3 half a turn, 5 a quarter anticlockwise, 6 a quarter clockwise.
        int flip = raw->sizes.flip;
        facts->orientation = flip == 3 ? 3 : flip == 5 ? 8 : flip == 6 ? 6 : 1;
        int turned = flip == 5 || flip == 6;
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

int ph_raw_unpack_preview(const void *bytes, size_t length, ph_raw_preview *preview) {
    memset(preview, 0, sizeof *preview);
    libraw_data_t *raw = libraw_init(LIBRAW_OPIONS_NO_DATAERR_CALLBACK);
    if (!raw) return -1;
    if (libraw_open_buffer(raw, (void *)bytes, length) == LIBRAW_SUCCESS
        && libraw_unpack_thumb(raw) == LIBRAW_SUCCESS && raw->thumbnail.thumb) {
        libraw_thumbnail_t *thumb = &raw->thumbnail;
        preview->bytes = thumb->thumb;
        preview->length = thumb->tlength;
        preview->width = thumb->twidth;
        preview->height = thumb->theight;
        preview->bands = thumb->tcolors;
        if (thumb->tformat == LIBRAW_THUMBNAIL_JPEG) {
            preview->kind = 1;
        } else if (thumb->tformat == LIBRAW_THUMBNAIL_BITMAP && thumb->tcolors == 3
            && (size_t)thumb->twidth * thumb->theight * 3 <= thumb->tlength) {
            preview->kind = 2;
        }
    }
    if (preview->kind == 0) {
        libraw_close(raw);
        return -1;
    }
    preview->owner = raw;
    return 0;
}

void ph_raw_release(ph_raw_preview *preview) {
    if (preview->owner) libraw_close(preview->owner);
    memset(preview, 0, sizeof *preview);
}
