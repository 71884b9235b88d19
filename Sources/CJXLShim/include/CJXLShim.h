// Calls into libjxl, a machine of events that is driven from C, with a callback for what it finds.
#ifndef PH_JXL_H
#define PH_JXL_H

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
} ph_jxl_facts;

/// Called for an `Exif`, `xml ` or `jhgm` box; the bytes live as long as the call.
typedef void (*ph_jxl_box)(
    void *_Nullable context, const char *type, const uint8_t *bytes, size_t length
);

/// Reads the header and metadata of a JPEG XL file in memory, compressed boxes up to `boxLimit`
/// bytes included. 0, or -1 when it is damaged before the header ends.
int ph_jxl_read(
    const void *bytes,
    size_t length,
    size_t boxLimit,
    ph_jxl_facts *facts,
    ph_jxl_box box,
    void *_Nullable context
);

#pragma clang assume_nonnull end

#endif
