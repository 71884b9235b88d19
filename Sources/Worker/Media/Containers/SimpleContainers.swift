internal import PhotoModel

/// A reader for the header of a Windows bitmap.
package enum BMPContainer {
    package static func read(_ bytes: ByteView) -> Container {
        var container = Container()
        guard let header = bytes.integer32(at: 14, isBigEndian: false) else {
            container.damage = "The bitmap is truncated."
            return container
        }
        if header == 12 {
            container.size = PixelSize(
                width: bytes.integer16(at: 18, isBigEndian: false) ?? 0,
                height: bytes.integer16(at: 20, isBigEndian: false) ?? 0
            )
        } else if let width = bytes.integer32(at: 18, isBigEndian: false),
            let height = bytes.integer32(at: 22, isBigEndian: false)
        {
            // The height is negative if the rows start at the top.
            container.size = PixelSize(
                width: width,
                height: Int(Int32(truncatingIfNeeded: height).magnitude)
            )
        }
        // Without masks the fourth byte of a pixel is unused; the alpha mask may also be empty.
        if bytes.integer16(at: 28, isBigEndian: false) == 32, header >= 40 {
            let compression = bytes.integer32(at: 30, isBigEndian: false) ?? 0
            let hasMask =
                [3, 6].contains(compression) && (header >= 56 || compression == 6)
                && bytes.integer32(at: 66, isBigEndian: false) != 0
            container.hasUnusedAlpha = !hasMask
        }
        let size = container.size ?? PixelSize(width: 0, height: 0)
        if size.width == 0 || size.height == 0 || size.width > Int(Int32.max) {
            container.damage = "The bitmap declares an invalid size."
        }
        return container
    }
}

/// A reader for the first directory of a TIFF file; Exiv2 reads the metadata.
package enum TIFFContainer {
    package static func read(_ bytes: ByteView) -> Container {
        var container = Container()
        if let order = TagDirectory.isBigEndian(bytes),
            bytes.integer16(at: 2, isBigEndian: order) == 0x2b
        {
            readBig(bytes, isBigEndian: order, into: &container)
            return container
        }
        guard let directory = TagDirectory.first(ofTIFF: bytes) else {
            container.damage = "The TIFF file's first directory cannot be read: it is damaged."
            return container
        }
        guard let width = directory[0x0100]?.integer, let height = directory[0x0101]?.integer,
            width > 0, height > 0
        else {
            container.damage = "The TIFF file does not declare the size of its image."
            return container
        }
        container.size = PixelSize(width: width, height: height)
        if let value = directory[0x0112]?.integer {
            container.orientation = Orientation(rawValue: value)
        }
        container.profile = directory[0x8773]?.bytes
        // The JPEG decoder converts to RGB by itself.
        if directory[0x0106]?.integer == 6, ![6, 7].contains(directory[0x0103]?.integer ?? 1) {
            // The luma value of black, which defaults to 0.
            container.isFullRangeLuma = (directory[0x0214]?.double ?? 0) == 0
        }
        return container
    }

    /// Reads the size and the orientation from a BigTIFF, whose offsets and counts have eight
    /// bytes.
    private static func readBig(
        _ bytes: ByteView,
        isBigEndian: Bool,
        into container: inout Container
    ) {
        func number(_ offset: Int, _ length: Int) -> Int? {
            bytes.number(at: offset, length: length, isBigEndian: isBigEndian)
                .flatMap { Int(exactly: $0) }
        }
        var values: [Int: Int] = [:]
        if let start = number(8, 8), start < bytes.count, let count = number(start, 8) {
            for index in 0..<min(count, 4096) {
                let entry = start + 8 + index * 20
                guard let tag = number(entry, 2), let type = number(entry + 2, 2) else { break }
                if let size = TagValue.size(ofType: type), values[tag] == nil {
                    values[tag] = number(entry + 12, size)
                }
            }
        }
        guard let width = values[0x0100], let height = values[0x0101], width > 0, height > 0 else {
            container.damage = "The BigTIFF file's first directory cannot be read: it is damaged."
            return
        }
        container.size = PixelSize(width: width, height: height)
        container.orientation = values[0x0112].flatMap { Orientation(rawValue: $0) }
    }
}

/// A reader for the boxes and the codestream header of a JPEG 2000 file.
package enum JPEG2000Container {
    private static let exifIdentifier: StaticString = "JpgTiffExif->JP2"
    private static let xmpIdentifier: [UInt8] = [
        0xbe, 0x7a, 0xcf, 0xcb, 0x97, 0xa9, 0x42, 0xe8, 0x9c, 0x71, 0x99, 0x94, 0x91, 0xe3, 0xaf,
        0xac,
    ]

    package static func read(_ bytes: ByteView) -> Container {
        var container = Container()
        if bytes.byte(at: 0) == 0xff {
            container.size = size(ofCodestream: bytes)
        } else {
            for box in ISOBox.boxes(in: bytes) {
                switch box.type {
                case "jp2h":
                    for inner in ISOBox.boxes(in: box.body) where inner.type == "ihdr" {
                        if let height = inner.body.integer32(at: 0),
                            let width = inner.body.integer32(at: 4)
                        {
                            container.size = PixelSize(width: width, height: height)
                        }
                    }
                case "jp2c":
                    if container.size == nil { container.size = size(ofCodestream: box.body) }
                case "uuid":
                    if box.body.starts(with: exifIdentifier) {
                        container.exif = box.body.available(at: 16)
                    } else if box.body.available(at: 0, length: 16).bytes
                        .elementsEqual(xmpIdentifier)
                    {
                        container.xmp.append(box.body.available(at: 16))
                    }
                case "xml ": container.xmp.append(box.body)
                default: break
                }
            }
        }
        let size = container.size ?? PixelSize(width: 0, height: 0)
        if size.width <= 0 || size.height <= 0 {
            container.damage =
                "The JPEG 2000 file has no image header: it is truncated or damaged."
        }
        return container
    }

    /// Returns the image size from the SIZ segment: the reference grid's size minus the image's
    /// offset.
    private static func size(ofCodestream bytes: ByteView) -> PixelSize? {
        guard bytes.integer32(at: 0) == 0xff4f_ff51, let right = bytes.integer32(at: 8),
            let bottom = bytes.integer32(at: 12), let left = bytes.integer32(at: 16),
            let top = bytes.integer32(at: 20), right > left, bottom > top
        else { return nil }
        return PixelSize(width: right - left, height: bottom - top)
    }
}
