// Calls into Exiv2, a C++ library: takes bytes, and reports raw values to a callback.
#ifndef CPHOTOS_EXIV2_H
#define CPHOTOS_EXIV2_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma clang assume_nonnull begin

/// The directory that an EXIF value came from.
enum { CPHOTOS_EXIF_IMAGE = 1, CPHOTOS_EXIF_PHOTO = 2, CPHOTOS_EXIF_GPS = 3 };

/// The callbacks that receive a file's metadata. The bytes passed to a call are valid during that
/// call. Each callback may be null.
typedef struct {
    void *_Nullable context;
    /// A value in TIFF's encoding, little-endian.
    void (*_Nullable exif)(
        void *_Nullable context,
        int directory,
        uint16_t tag,
        uint16_t type,
        size_t count,
        const uint8_t *bytes,
        size_t length
    );
    /// The lens name from the manufacturer's own tag.
    void (*_Nullable lens)(void *_Nullable context, const char *text);
    /// One value of an XMP property, with its key in Exiv2's notation (`Xmp.dc.subject`).
    void (*_Nullable xmp)(void *_Nullable context, const char *key, const char *text);
    /// IPTC data sets as stored in the file: a block of them, or the Photoshop resources that
    /// contain one.
    void (*_Nullable iptc)(
        void *_Nullable context,
        bool isPhotoshop,
        const uint8_t *bytes,
        size_t length
    );
    /// A warning from Exiv2.
    void (*_Nullable warning)(void *_Nullable context, const char *text);
} cphotos_metadata_visitor;

/// Initializes the XMP toolkit, assigns the prefixes of namespaces, and redirects Exiv2's log. Call
/// it once, before any other function.
/// Returns 0 or -1.
int cphotos_exiv2_start(void);

/// Reads a TIFF structure, such as an EXIF block. Returns 0, or -1 if it cannot be read.
int cphotos_exiv2_exif(const uint8_t *bytes, size_t length, const cphotos_metadata_visitor *visitor);

/// Reads an XMP packet. Returns 0, or -1 if it cannot be read.
int cphotos_exiv2_xmp(const uint8_t *bytes, size_t length, const cphotos_metadata_visitor *visitor);

/// Reads a whole TIFF or RAW file in memory. Returns 0, or -1 if it cannot be read.
int cphotos_exiv2_file(const uint8_t *bytes, size_t length, const cphotos_metadata_visitor *visitor);

#pragma clang assume_nonnull end

#ifdef __cplusplus
}
#endif

#endif
