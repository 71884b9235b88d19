// Calls into Exiv2, which is C++: bytes in, raw values out through a callback.
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

/// What is told of a file; each call's bytes live as long as the call. Any may be left out by null.
typedef struct {
    void *_Nullable context;
    /// A value as TIFF writes it, little-endian.
    void (*_Nullable exif)(
        void *_Nullable context,
        int directory,
        uint16_t tag,
        uint16_t type,
        size_t count,
        const uint8_t *bytes,
        size_t length
    );
    /// The lens by the maker's own tag, in words.
    void (*_Nullable lens)(void *_Nullable context, const char *text);
    /// One value of an XMP property, its key as Exiv2 writes it (`Xmp.dc.subject`).
    void (*_Nullable xmp)(void *_Nullable context, const char *key, const char *text);
    /// IPTC data sets as the file holds them: a block of them, or Photoshop's resources around one.
    void (*_Nullable iptc)(
        void *_Nullable context,
        bool isPhotoshop,
        const uint8_t *bytes,
        size_t length
    );
    /// What Exiv2 complained of.
    void (*_Nullable warning)(void *_Nullable context, const char *text);
} cphotos_metadata_visitor;

/// Starts the XMP toolkit and takes over Exiv2's log. Once, first of all. 0 or -1.
int cphotos_exiv2_start(void);

/// Reads a TIFF structure, as EXIF blocks hold one. 0, or -1 when it can't be read.
int cphotos_exiv2_exif(const uint8_t *bytes, size_t length, const cphotos_metadata_visitor *visitor);

/// Reads an XMP packet. 0, or -1 when it can't be read.
int cphotos_exiv2_xmp(const uint8_t *bytes, size_t length, const cphotos_metadata_visitor *visitor);

/// Reads a whole TIFF or RAW file in memory. 0, or -1 when it can't be read.
int cphotos_exiv2_file(const uint8_t *bytes, size_t length, const cphotos_metadata_visitor *visitor);

#pragma clang assume_nonnull end

#ifdef __cplusplus
}
#endif

#endif
