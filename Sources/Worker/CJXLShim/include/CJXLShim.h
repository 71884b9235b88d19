// Calls into libjxl, a machine of events that is driven from C, with a callback for what it finds.
#ifndef CPHOTOS_JXL_H
#define CPHOTOS_JXL_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef struct {
    /// Pixels as stored.
    uint32_t width, height;
    /// EXIF's number, as the codestream says.
    int orientation;
    int isAnimated;
    /// Frames that were seen; 0 when they were not counted.
    int frames;
    /// 16 PQ, 18 HLG, else 0.
    int transfer;
} cphotos_jxl_facts;

/// Called for an `Exif`, `xml ` or `jhgm` box; the bytes live as long as the call.
typedef void (*cphotos_jxl_box)(
    void *_Nullable context, const char *type, const uint8_t *bytes, size_t length
);

/// Reads the header and metadata of a JPEG XL file in memory, compressed boxes up to `boxLimit`
/// bytes included. 0, or -1 when it is damaged before the header ends.
int cphotos_jxl_read(
    const void *bytes,
    size_t length,
    size_t boxLimit,
    cphotos_jxl_facts *facts,
    cphotos_jxl_box box,
    void *_Nullable context
);

/// Decoded pixels: rows from the top without padding, upright. Released by `cphotos_jxl_release`.
typedef struct {
    int width, height;
    /// 1 to 4, alpha last where there is any.
    int bands;
    int bytesPerSample;
    int isPremultiplied;
    void *_Nullable pixels;
    size_t length;
    void *_Nullable profile;
    size_t profileLength;
    /// H.273 numbers; 0 when only the profile tells.
    int primaries, transfer;
} cphotos_jxl_picture;

/// Decodes the first frame. 0; -1 when libjxl refuses it; -2 when there is no memory for it; -3 when it
/// is cut short; 1 when it has more pixels than `maximumPixels`.
int cphotos_jxl_decode(
    const void *bytes, size_t length, uint64_t maximumPixels, cphotos_jxl_picture *picture
);

void cphotos_jxl_release(cphotos_jxl_picture *picture);

#pragma clang assume_nonnull end

#endif
