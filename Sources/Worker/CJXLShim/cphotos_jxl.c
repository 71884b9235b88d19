#include "CJXLShim.h"

#include <jxl/decode.h>
#include <stdlib.h>
#include <string.h>

// A file with more boxes than this was not written as a picture by any program.
enum { maximumEvents = 100000 };

static int is_wanted(const char *type) {
    return memcmp(type, "Exif", 4) == 0 || memcmp(type, "xml ", 4) == 0
        || memcmp(type, "jhgm", 4) == 0;
}

int cphotos_jxl_read(
    const void *bytes,
    size_t length,
    size_t boxLimit,
    cphotos_jxl_facts *facts,
    cphotos_jxl_box box,
    void *context
) {
    memset(facts, 0, sizeof *facts);
    facts->orientation = 1;
    JxlDecoder *decoder = JxlDecoderCreate(NULL);
    uint8_t *buffer = malloc(boxLimit);
    int hasHeader = 0, hasBuffer = 0;
    char type[5] = {0};
    if (decoder && buffer
        && JxlDecoderSubscribeEvents(
               decoder,
               JXL_DEC_BASIC_INFO | JXL_DEC_COLOR_ENCODING | JXL_DEC_FRAME | JXL_DEC_BOX
           ) == JXL_DEC_SUCCESS
        && JxlDecoderSetKeepOrientation(decoder, JXL_TRUE) == JXL_DEC_SUCCESS
        && JxlDecoderSetInput(decoder, bytes, length) == JXL_DEC_SUCCESS) {
        (void)JxlDecoderSetDecompressBoxes(decoder, JXL_TRUE);
        JxlDecoderCloseInput(decoder);
        for (int i = 0; i < maximumEvents; i++) {
            JxlDecoderStatus status = JxlDecoderProcessInput(decoder);
            int isEnd = status == JXL_DEC_SUCCESS || status == JXL_DEC_ERROR
                || status == JXL_DEC_NEED_MORE_INPUT;
            if (hasBuffer
                && (isEnd || status == JXL_DEC_BOX || status == JXL_DEC_BOX_NEED_MORE_OUTPUT)) {
                size_t unused = JxlDecoderReleaseBoxBuffer(decoder);
                hasBuffer = 0;
                // A box that exceeds the limit or is truncated is omitted, never delivered in part.
                int isWhole = status == JXL_DEC_SUCCESS || status == JXL_DEC_BOX;
                if (isWhole && unused <= boxLimit) {
                    box(context, type, buffer, boxLimit - unused);
                }
                if (status == JXL_DEC_BOX_NEED_MORE_OUTPUT) break;
            }
            if (isEnd) break;
            if (status == JXL_DEC_BASIC_INFO) {
                JxlBasicInfo info;
                if (JxlDecoderGetBasicInfo(decoder, &info) != JXL_DEC_SUCCESS) break;
                hasHeader = 1;
                facts->width = info.xsize;
                facts->height = info.ysize;
                facts->orientation = (int)info.orientation;
                facts->isAnimated = info.have_animation != 0;
            } else if (status == JXL_DEC_COLOR_ENCODING) {
                JxlColorEncoding color;
                if (JxlDecoderGetColorAsEncodedProfile(
                        decoder, NULL, JXL_COLOR_PROFILE_TARGET_ORIGINAL, &color
                    ) == JXL_DEC_SUCCESS) {
                    if (color.transfer_function == JXL_TRANSFER_FUNCTION_PQ) facts->transfer = 16;
                    if (color.transfer_function == JXL_TRANSFER_FUNCTION_HLG) facts->transfer = 18;
                    if (color.color_space == JXL_COLOR_SPACE_RGB) {
                        facts->primaries
                            = color.primaries == JXL_PRIMARIES_P3 ? 12 : (int)color.primaries;
                    }
                }
            } else if (status == JXL_DEC_FRAME) {
                facts->frames += 1;
            } else if (status == JXL_DEC_BOX) {
                if (JxlDecoderGetBoxType(decoder, type, JXL_TRUE) != JXL_DEC_SUCCESS) break;
                if (is_wanted(type)
                    && JxlDecoderSetBoxBuffer(decoder, buffer, boxLimit) == JXL_DEC_SUCCESS) {
                    hasBuffer = 1;
                }
            }
        }
    }
    free(buffer);
    if (decoder) JxlDecoderDestroy(decoder);
    return hasHeader ? 0 : -1;
}

static int read_colors(JxlDecoder *decoder, cphotos_jxl_picture *picture) {
    JxlColorEncoding color;
    if (JxlDecoderGetColorAsEncodedProfile(
            decoder, NULL, JXL_COLOR_PROFILE_TARGET_DATA, &color
        ) == JXL_DEC_SUCCESS
        && (color.color_space == JXL_COLOR_SPACE_RGB
            || color.color_space == JXL_COLOR_SPACE_GRAY)) {
        picture->transfer = (int)color.transfer_function;
        if (color.color_space == JXL_COLOR_SPACE_RGB) {
            picture->primaries
                = (int)color.primaries == JXL_PRIMARIES_P3 ? 12 : (int)color.primaries;
        }
    }
    size_t size = 0;
    if (JxlDecoderGetICCProfileSize(decoder, NULL, JXL_COLOR_PROFILE_TARGET_DATA, &size)
            != JXL_DEC_SUCCESS
        || size == 0 || size > 4 << 20) {
        return 0;
    }
    if (!(picture->profile = malloc(size))) return -2;
    if (JxlDecoderGetColorAsICCProfile(
            decoder, NULL, JXL_COLOR_PROFILE_TARGET_DATA, picture->profile, size
        ) == JXL_DEC_SUCCESS) {
        picture->profileLength = size;
    }
    return 0;
}

static int decode(
    JxlDecoder *decoder, const void *bytes, size_t length, uint64_t maximumPixels,
    cphotos_jxl_picture *picture
) {
    if (JxlDecoderSubscribeEvents(
            decoder, JXL_DEC_BASIC_INFO | JXL_DEC_COLOR_ENCODING | JXL_DEC_FULL_IMAGE
        ) != JXL_DEC_SUCCESS
        || JxlDecoderSetInput(decoder, bytes, length) != JXL_DEC_SUCCESS) {
        return -2;
    }
    JxlDecoderCloseInput(decoder);
    JxlPixelFormat format = {.endianness = JXL_NATIVE_ENDIAN};
    for (int i = 0; i < maximumEvents; i++) {
        switch (JxlDecoderProcessInput(decoder)) {
        case JXL_DEC_BASIC_INFO: {
            JxlBasicInfo info;
            if (JxlDecoderGetBasicInfo(decoder, &info) != JXL_DEC_SUCCESS) return -1;
            if ((uint64_t)info.xsize * info.ysize > maximumPixels) return 1;
            int isTurned = (int)info.orientation >= 5;
            picture->width = (int)(isTurned ? info.ysize : info.xsize);
            picture->height = (int)(isTurned ? info.xsize : info.ysize);
            picture->bands = (int)info.num_color_channels + (info.alpha_bits > 0);
            picture->bytesPerSample = info.bits_per_sample > 8 ? 2 : 1;
            picture->isPremultiplied = info.alpha_premultiplied != 0;
            format.num_channels = (uint32_t)picture->bands;
            format.data_type
                = picture->bytesPerSample == 2 ? JXL_TYPE_UINT16 : JXL_TYPE_UINT8;
            break;
        }
        case JXL_DEC_COLOR_ENCODING:
            if (read_colors(decoder, picture) != 0) return -2;
            break;
        case JXL_DEC_NEED_IMAGE_OUT_BUFFER:
            if (picture->pixels
                || JxlDecoderImageOutBufferSize(decoder, &format, &picture->length)
                    != JXL_DEC_SUCCESS) {
                return -1;
            }
            if (!(picture->pixels = malloc(picture->length))) return -2;
            if (JxlDecoderSetImageOutBuffer(decoder, &format, picture->pixels, picture->length)
                != JXL_DEC_SUCCESS) {
                return -1;
            }
            break;
        case JXL_DEC_FULL_IMAGE: return picture->pixels ? 0 : -1;
        case JXL_DEC_NEED_MORE_INPUT: return -3;
        default: return -1;
        }
    }
    return -1;
}

int cphotos_jxl_decode(
    const void *bytes, size_t length, uint64_t maximumPixels, cphotos_jxl_picture *picture
) {
    memset(picture, 0, sizeof *picture);
    JxlDecoder *decoder = JxlDecoderCreate(NULL);
    if (!decoder) return -2;
    int code = decode(decoder, bytes, length, maximumPixels, picture);
    JxlDecoderDestroy(decoder);
    if (code != 0) cphotos_jxl_release(picture);
    return code;
}

void cphotos_jxl_release(cphotos_jxl_picture *picture) {
    free(picture->pixels);
    free(picture->profile);
    memset(picture, 0, sizeof *picture);
}
