/// Puts EXIF data and profiles into files that were just encoded.
enum FileSegments {
    /// What of a JPEG file comes before what is put in, and that.
    ///
    /// - Parameters:
    ///   - file: An encoded JPEG file.
    ///   - exif: A TIFF structure; left out when it is too long for a segment.
    ///   - profile: A colour profile.
    /// - Returns: Where in the file they go, and their bytes.
    static func jpeg(
        _ file: UnsafeRawBufferPointer,
        exif: [UInt8]?,
        profile: [UInt8]?
    ) -> (place: Int, bytes: [UInt8]) {
        var place = 2
        // JFIF's own segment stays the first.
        if file.count > 6, file[2] == 0xff, file[3] == 0xe0 {
            place = min(file.count, 4 + Int(file[4]) << 8 + Int(file[5]))
        }
        var bytes: [UInt8] = []
        if let exif, exif.count <= ExifBlock.maximumLength {
            bytes += segment(0xe1, Array("Exif\0\0".utf8) + exif)
        }
        if let profile {
            let most = 65_533 - 14
            let parts = stride(from: 0, to: profile.count, by: most).map {
                profile[$0..<min($0 + most, profile.count)]
            }
            for (index, part) in parts.enumerated() where parts.count < 256 {
                let name = Array("ICC_PROFILE\0".utf8)
                bytes += segment(0xe2, name + [UInt8(index + 1), UInt8(parts.count)] + part)
            }
        }
        return (place, bytes)
    }

    /// As for JPEG: a chunk of a PNG file behind its header.
    static func png(exif: [UInt8]?) -> (place: Int, bytes: [UInt8]) {
        guard let exif else { return (0, []) }
        let content = Array("eXIf".utf8) + exif
        return (33, big32(exif.count) + content + big32(Int(checksum(content))))
    }

    private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        let length = content.count + 2
        return [0xff, marker, UInt8(length >> 8), UInt8(length & 0xff)] + content
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
