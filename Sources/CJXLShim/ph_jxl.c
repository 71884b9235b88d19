#include "CJXLShim.h"

#include <jxl/decode.h>
#include <stdlib.h>
#include <string.h>

// A file that names more boxes than this is not a picture that a program wrote.
enum { maximumEvents = 100000 };

static int is_wanted(const char *type) {
    return memcmp(type, "Exif", 4) == 0 || memcmp(type, "xml ", 4) == 0
        || memcmp(type, "jhgm", 4) == 0;
}

int ph_jxl_read(
    const void *bytes,
    size_t length,
    size_t boxLimit,
    ph_jxl_facts *facts,
    ph_jxl_box box,
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
                // A box over the limit, or cut short, is left out: never handed on in part.
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
