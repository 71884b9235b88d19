// Calls into libjxl, an event-driven decoder that is driven from C, with a callback for its
// results.
#ifndef CPHOTOS_JXL_H
#define CPHOTOS_JXL_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef struct {
    /// In pixels as stored.
    uint32_t width, height;
    /// The EXIF orientation that the codestream declares.
    int orientation;
    int isAnimated;
    /// The number of frames seen; 0 if they were not counted.
    int frames;
    /// 16 for PQ, 18 for HLG, otherwise 0.
    int transfer;
    /// The H.273 code of the primaries, 12 for P3; 0 for gray and for colors that are described
    /// only by a profile.
    int primaries;
} cphotos_jxl_facts;

/// Called for an `Exif`, `xml ` or `jhgm` box; the bytes are valid during the call.
typedef void (*cphotos_jxl_box)(
    void *_Nullable context, const char *type, const uint8_t *bytes, size_t length
);

/// Reads the header and the metadata of a JPEG XL file in memory, including compressed boxes of up
/// to `boxLimit` bytes. Returns 0, or -1 if the file is damaged before the header ends.
int cphotos_jxl_read(
    const void *bytes,
    size_t length,
    size_t boxLimit,
    cphotos_jxl_facts *facts,
    cphotos_jxl_box box,
    void *_Nullable context
);

/// Decoded pixels: upright rows from the top without padding. Release them with
/// `cphotos_jxl_release`.
typedef struct {
    int width, height;
    /// 1 to 4, with alpha, if any, last.
    int bands;
    int bytesPerSample;
    int isPremultiplied;
    void *_Nullable pixels;
    size_t length;
    void *_Nullable profile;
    size_t profileLength;
    /// H.273 numbers; 0 if only the profile describes the color space.
    int primaries, transfer;
} cphotos_jxl_picture;

/// Decodes the first frame. Returns 0; -1 if libjxl rejects the file; -2 if memory is insufficient;
/// -3 if the file is truncated; 1 if the image has more pixels than `maximumPixels`.
int cphotos_jxl_decode(
    const void *bytes, size_t length, uint64_t maximumPixels, cphotos_jxl_picture *picture
);

void cphotos_jxl_release(cphotos_jxl_picture *picture);

#pragma clang assume_nonnull end

#endif
