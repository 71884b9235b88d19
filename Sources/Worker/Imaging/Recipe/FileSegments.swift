internal import PhotoModel

/// Puts metadata and profiles into files that were just encoded.
enum FileSegments {
    /// The most bytes that an XMP packet has in a segment.
    private static let maximumXMPLength = 65_533 - 29

    /// What comes into a file.
    struct Content {
        /// A TIFF structure; left out of a JPEG file when it is too long for a segment.
        var exif: [UInt8]?
        /// A packet; left out of a JPEG file when it is too long for a segment.
        var xmp: [UInt8]?
        /// Data sets, for JPEG only.
        var iptc: [UInt8]?
        /// A colour profile, for JPEG only.
        var profile: [UInt8]?
        /// Another picture that comes after this one, for JPEG only.
        var gainMap: [UInt8]?
    }

    /// What of a JPEG file comes before what is put in, and that.
    ///
    /// - Parameters:
    ///   - file: An encoded JPEG file.
    ///   - content: What is put in.
    /// - Returns: Where in the file the segments go, and their bytes.
    static func jpeg(
        _ file: UnsafeRawBufferPointer,
        _ content: Content
    ) -> (place: Int, bytes: [UInt8]) {
        var place = 2
        // JFIF's own segment stays the first.
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

    /// As for JPEG: chunks of a PNG file behind its header.
    static func png(_ content: Content) -> (place: Int, bytes: [UInt8]) {
        var bytes: [UInt8] = []
        if let exif = content.exif { bytes += chunk("eXIf", exif) }
        if let xmp = content.xmp {
            bytes += chunk("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + xmp)
        }
        return (33, bytes)
    }

    /// The index of both pictures of a file (CIPA DC-007), as a segment.
    ///
    /// - Parameters:
    ///   - place: Where in the file the segment begins.
    ///   - length: Of the first picture, without the segment.
    ///   - secondLength: Of the picture that comes after it.
    /// - Returns: The segment.
    private static func pictureIndex(
        at place: Int,
        lengthWithout length: Int,
        secondLength: Int
    ) -> [UInt8] {
        // A marker, two bytes of length and the name come before what places count from.
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

    /// Photoshop's resource of data sets; nil where they are too long for a segment.
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

    /// PNG's CRC-32.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum: UInt32 = 0xffff_ffff
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xedb8_8320 : sum >> 1 }
        }
        return ~sum
    }
}
