#include "CLibRawShim.h"

#include <cstring>
#include <libraw/libraw.h>
#include <new>

namespace {

// LibRaw's C interface does not tell how it is going to read the preview.
struct PreviewReader : LibRaw {
    PreviewReader() : LibRaw(LIBRAW_OPIONS_NO_DATAERR_CALLBACK) {}

    // Previews in layers get memory for their pixels, but as many bytes are read into it as the
    // file says (LibRaw 0.20). What is larger than its pixels is not read.
    bool is_too_long() {
        const libraw_thumbnail_t &thumbnail = imgdata.thumbnail;
        if (is_jpeg_thumb()) return false;
        const size_t pixels = (size_t)thumbnail.twidth * thumbnail.theight;
#if LIBRAW_MAJOR_VERSION == 0 && LIBRAW_MINOR_VERSION <= 20
        return write_thumb == &PreviewReader::layer_thumb && thumbnail.tlength > pixels;
#else
        return thumbnail.tlength > pixels * 3;
#endif
    }
};

}  // namespace

int cphotos_raw_unpack_preview(const void *bytes, size_t length, cphotos_raw_preview *preview) {
    memset(preview, 0, sizeof *preview);
    PreviewReader *raw = new (std::nothrow) PreviewReader();
    if (!raw) return -1;
    if (raw->open_buffer(const_cast<void *>(bytes), length) == LIBRAW_SUCCESS && !raw->is_too_long()
        && raw->unpack_thumb() == LIBRAW_SUCCESS && raw->imgdata.thumbnail.thumb) {
        const libraw_thumbnail_t &thumb = raw->imgdata.thumbnail;
        preview->bytes = thumb.thumb;
        preview->length = thumb.tlength;
        preview->width = thumb.twidth;
        preview->height = thumb.theight;
        preview->bands = thumb.tcolors;
        if (thumb.tformat == LIBRAW_THUMBNAIL_JPEG) {
            preview->kind = 1;
        } else if (thumb.tformat == LIBRAW_THUMBNAIL_BITMAP && thumb.tcolors == 3
            && (size_t)thumb.twidth * thumb.theight * 3 <= thumb.tlength) {
            preview->kind = 2;
        }
    }
    if (preview->kind == 0) {
        delete raw;
        return -1;
    }
    preview->owner = raw;
    return 0;
}

void cphotos_raw_release(cphotos_raw_preview *preview) {
    delete static_cast<PreviewReader *>(preview->owner);
    memset(preview, 0, sizeof *preview);
}
