#include "cphotos_load.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <jpeglib.h>

// libvips gives libjpeg-turbo 4 KiB at a time, too little for its faster Huffman decoder, and
// connects each line through its own pipeline.

typedef struct {
    struct jpeg_error_mgr manager;
    jmp_buf end;
} failure;

static void give_up(j_common_ptr state) { longjmp(((failure *)state->err)->end, 1); }

// Bytes between markers and the like are no reason to fail, as in libvips.
static void ignore(j_common_ptr state, int level) {
    (void)state;
    (void)level;
}

static void ignore_text(j_common_ptr state) { (void)state; }

static void begin(j_decompress_ptr state) { (void)state; }

static boolean miss(j_decompress_ptr state) {
    give_up((j_common_ptr)state);
    return FALSE;
}

static void skip(j_decompress_ptr state, long count) {
    if (count <= 0) return;
    if ((unsigned long)count > state->src->bytes_in_buffer) give_up((j_common_ptr)state);
    state->src->next_input_byte += count;
    state->src->bytes_in_buffer -= (size_t)count;
}

// The largest decoded size and picture: a request is not canceled within them.
enum { maximum_decoded = 8000000, maximum_pixels = 64000000 };

// Decodes into `image`, which is empty. Returns 0 if the file is complete and of a supported kind.
static int decode(const cphotos_source *source, int shrink, VipsImage *image) {
    struct jpeg_decompress_struct state;
    failure failed;
    state.err = jpeg_std_error(&failed.manager);
    failed.manager.error_exit = give_up;
    failed.manager.emit_message = ignore;
    failed.manager.output_message = ignore_text;
    if (setjmp(failed.end)) {
        jpeg_destroy_decompress(&state);
        return -1;
    }
    jpeg_create_decompress(&state);
    struct jpeg_source_mgr bytes = {
        .next_input_byte = source->bytes,
        .bytes_in_buffer = source->length,
        .init_source = begin,
        .fill_input_buffer = miss,
        .skip_input_data = skip,
        .resync_to_restart = jpeg_resync_to_restart,
        .term_source = begin,
    };
    state.src = &bytes;
    jpeg_read_header(&state, TRUE);
    // Others need a conversion that libvips has.
    int isColor = state.jpeg_color_space == JCS_YCbCr && state.num_components == 3;
    int isGray = state.jpeg_color_space == JCS_GRAYSCALE && state.num_components == 1;
    state.scale_num = 1;
    state.scale_denom = (unsigned int)shrink;
    jpeg_calc_output_dimensions(&state);
    // As in libvips, a rest that is smaller than a reduced pixel is cut off.
    int width = (int)state.image_width / shrink, height = (int)state.image_height / shrink;
    if ((!isColor && !isGray) || width == 0 || height == 0
        || (uint64_t)state.image_width * state.image_height > maximum_pixels
        || (uint64_t)state.output_width * state.output_height > maximum_decoded) {
        give_up((j_common_ptr)&state);
    }
    vips_image_init_fields(
        image, width, height, isColor ? 3 : 1, VIPS_FORMAT_UCHAR, VIPS_CODING_NONE,
        isColor ? VIPS_INTERPRETATION_sRGB : VIPS_INTERPRETATION_B_W, 1, 1
    );
    if (vips_image_pipelinev(image, VIPS_DEMAND_STYLE_ANY, NULL) != 0
        || vips_image_write_prepare(image) != 0) {
        give_up((j_common_ptr)&state);
    }
    jpeg_start_decompress(&state);
    // The library's own memory, which it releases.
    JSAMPARRAY lines = state.mem->alloc_sarray(
        (j_common_ptr)&state, JPOOL_IMAGE,
        state.output_width * (JDIMENSION)state.output_components, 1
    );
    while (state.output_scanline < state.output_height) {
        int row = (int)state.output_scanline;
        jpeg_read_scanlines(&state, lines, 1);
        if (row < height) {
            memcpy(VIPS_IMAGE_ADDR(image, 0, row), lines[0], VIPS_IMAGE_SIZEOF_LINE(image));
        }
    }
    jpeg_finish_decompress(&state);
    jpeg_destroy_decompress(&state);
    return 0;
}

VipsImage *cphotos_load_jpeg(const cphotos_source *source, int shrink) {
    VipsImage *image = vips_image_new_memory();
    if (image && decode(source, shrink, image) != 0) g_clear_object(&image);
    if (!image) vips_error_clear();
    return image;
}
