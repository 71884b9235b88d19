internal import PhotoModel

/// The insertion of metadata and profiles into newly encoded files.
enum FileSegments {
    /// The maximum length of an XMP packet in a JPEG segment.
    private static let maximumXMPLength = 65_533 - 29

    /// The content to insert into a file.
    struct Content {
        /// EXIF data as a TIFF structure; omitted from a JPEG file if it does not fit into one
        /// segment.
        var exif: [UInt8]?
        /// An XMP packet; omitted from a JPEG file if it does not fit into one segment.
        var xmp: [UInt8]?
        /// IPTC data sets, for JPEG only.
        var iptc: [UInt8]?
        /// A color profile, for JPEG only.
        var profile: [UInt8]?
        /// A gain map image that follows the main image, for JPEG only.
        var gainMap: [UInt8]?
    }

    /// Returns the segments for a JPEG file and the position at which to insert them.
    ///
    /// - Parameters:
    ///   - file: An encoded JPEG file.
    ///   - content: The content to insert.
    /// - Returns: The position in the file, and the bytes of the segments.
    static func jpeg(
        _ file: UnsafeRawBufferPointer,
        _ content: Content
    ) -> (place: Int, bytes: [UInt8]) {
        var place = 2
        // JFIF's segment stays first.
        if file.count > 6, file[2] == 0xff, file[3] == 0xe0 {
            place = min(file.count, 4 + Int(file[4]) << 8 + Int(file[5]))
        }
        var bytes: [UInt8] = []
        if let exif = content.exif, exif.count <= ExifBlock.maximumLength {
            bytes += segment(0xe1, Array("Exif\0\0".utf8) + exif)
        }
        if let xmp = content.xmp, xmp.count <= maximumXMPLength {
            bytes += segment(0xe1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + xmp)
        }
        if let iptc = content.iptc, let resources = photoshop(iptc) {
            bytes += segment(0xed, resources)
        }
        if let profile = content.profile {
            let most = 65_533 - 14
            let parts = stride(from: 0, to: profile.count, by: most).map {
                profile[$0..<min($0 + most, profile.count)]
            }
            for (index, part) in parts.enumerated() where parts.count < 256 {
                let name = Array("ICC_PROFILE\0".utf8)
                bytes += segment(0xe2, name + [UInt8(index + 1), UInt8(parts.count)] + part)
            }
        }
        if let map = content.gainMap {
            let index = pictureIndex(
                at: place + bytes.count,
                lengthWithout: file.count + bytes.count,
                secondLength: map.count
            )
            bytes += index
        }
        return (place, bytes)
    }

    /// Returns the chunks for a PNG file and the position at which to insert them.
    static func png(_ content: Content) -> (place: Int, bytes: [UInt8]) {
        var bytes: [UInt8] = []
        if let exif = content.exif { bytes += chunk("eXIf", exif) }
        if let xmp = content.xmp {
            bytes += chunk("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + xmp)
        }
        return (33, bytes)
    }

    /// Builds the JPEG segment that lists the file's two images: the multi-picture index (CIPA
    /// DC-007).
    ///
    /// - Parameters:
    ///   - place: The position of the segment in the file.
    ///   - length: The length of the first image, without the segment.
    ///   - secondLength: The length of the following image.
    /// - Returns: The segment.
    private static func pictureIndex(
        at place: Int,
        lengthWithout length: Int,
        secondLength: Int
    ) -> [UInt8] {
        // Offsets are relative to the position after the marker, two bytes of length and the
        // identifier.
        let base = place + 8
        func content(_ firstLength: Int) -> [UInt8] {
            let first = big32(0x0003_0000) + big32(firstLength) + big32(0) + big32(0)
            let second =
                big32(0) + big32(secondLength) + big32(firstLength - base) + big32(0)
            let entries: [TagDirectories.Entry] = [
                .undefined(0xb000, Array("0100".utf8)), .long(0xb001, 2),
                .undefined(0xb002, first + second),
            ]
            return Array("MPF\0MM\0*".utf8) + big32(8)
                + TagDirectories.directory(entries, at: 8)
        }
        let whole = segment(0xe2, content(0)).count
        return segment(0xe2, content(length + whole))
    }

    /// Builds the Photoshop image resource that contains IPTC data sets; returns nil if they do not
    /// fit into one JPEG segment.
    private static func photoshop(_ iptc: [UInt8]) -> [UInt8]? {
        guard iptc.count <= 60_000 else { return nil }
        return Array("Photoshop 3.0\08BIM".utf8) + [4, 4, 0, 0] + big32(iptc.count) + iptc
            + (iptc.count % 2 == 1 ? [0] : [])
    }

    private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        let length = content.count + 2
        return [0xff, marker, UInt8(length >> 8), UInt8(length & 0xff)] + content
    }

    private static func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
        let content = Array(name.utf8) + bytes
        return big32(bytes.count) + content + big32(Int(checksum(content)))
    }

    private static func big32(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    /// Returns the CRC-32 checksum of bytes, as PNG defines it.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum: UInt32 = 0xffff_ffff
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xedb8_8320 : sum >> 1 }
        }
        return ~sum
    }
}
