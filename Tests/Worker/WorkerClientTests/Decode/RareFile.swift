import Foundation
import PhotoModel

/// Files in layouts that few programs write.
enum RareFile {
    // MARK: - TIFF

    /// Returns a TIFF of one strip; `tags` are short numbers by tag number.
    static func tiff(
        _ size: PixelSize,
        bits: [Int],
        tags: [Int: [Int]],
        profile: Data? = nil,
        pixels: [UInt8]
    ) -> Data {
        var entries = tags.mapValues { (type: 3, count: $0.count, data: $0.flatMap(bytes16)) }
        entries[0x0100] = (4, 1, bytes32(size.width))
        entries[0x0101] = (4, 1, bytes32(size.height))
        entries[0x0102] = (3, bits.count, bits.flatMap(bytes16))
        entries[0x0103] = (3, 1, bytes16(1))
        entries[0x0115] = (3, 1, bytes16(bits.count))
        entries[0x0116] = (4, 1, bytes32(size.height))
        entries[0x0117] = (4, 1, bytes32(pixels.count))
        if let profile { entries[0x8773] = (7, profile.count, Array(profile)) }
        // The pixels come last.
        entries[0x0111] = (4, 1, bytes32(0))
        let start = 8 + 2 + entries.count * 12 + 4
        var extra: [UInt8] = []
        for (tag, entry) in entries where entry.data.count > 4 {
            entries[tag]?.data = bytes32(start + extra.count) + [0]
            extra += entry.data
        }
        entries[0x0111]?.data = bytes32(start + extra.count)
        var file = Data("II*\0".utf8) + bytes32(8) + bytes16(entries.count)
        for (tag, entry) in entries.sorted(by: { $0.key < $1.key }) {
            file += bytes16(tag) + bytes16(entry.type) + bytes32(entry.count)
            file += (entry.data + [0, 0, 0]).prefix(4)
        }
        return file + [0, 0, 0, 0] + extra + pixels
    }

    /// A gray profile with a gamma of 2.2.
    static var grayProfile: Data {
        func big(_ value: Int) -> [UInt8] { bytes32(value).reversed() }
        let white = big(0xf6d6) + big(0x10000) + big(0xd32d)
        let name = Data("desc\0\0\0\0".utf8) + big(5) + Data("gray\0".utf8) + Data(count: 79)
        let parts: [(String, Data)] = [
            ("desc", name), ("wtpt", Data("XYZ \0\0\0\0".utf8) + white),
            ("kTRC", Data("curv\0\0\0\0".utf8) + big(1) + [0x02, 0x33, 0, 0]),
        ]
        var (table, body) = (Data(big(parts.count)), Data())
        for (tag, part) in parts {
            let offset = 128 + 4 + 12 * parts.count + body.count
            table += Data(tag.utf8) + big(offset) + big(part.count)
            body += part + Data(count: (4 - part.count % 4) % 4)
        }
        let length = 128 + table.count + body.count
        var header = Data(big(length)) + Data("lcms".utf8) + big(0x0240_0000)
        header += Data("mntrGRAYXYZ ".utf8) + [7, 228, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0]
        header += Data("acsp".utf8) + Data(count: 28) + white
        return header + Data(count: 128 - header.count) + table + body
    }

    // MARK: - Windows bitmaps

    /// Returns a bitmap of 32 bits per pixel, from the lowest row up; with masks, the last one is
    /// alpha's.
    static func bitmap(_ size: PixelSize, pixels: [UInt8], hasAlphaMask: Bool) -> Data {
        let headerLength = hasAlphaMask ? 108 : 40
        var header = bytes32(headerLength) + bytes32(size.width) + bytes32(size.height)
        header += bytes16(1) + bytes16(32) + bytes32(hasAlphaMask ? 3 : 0)
        header += bytes32(pixels.count) + bytes32(2835) + bytes32(2835) + bytes32(0) + bytes32(0)
        if hasAlphaMask { header += [0xff0000, 0xff00, 0xff, 0xff00_0000].flatMap(bytes32) }
        header += [UInt8](repeating: 0, count: headerLength - header.count)
        let start = 14 + headerLength
        return Data("BM".utf8) + bytes32(start + pixels.count) + bytes32(0) + bytes32(start)
            + header
            + pixels
    }

    private static func bytes16(_ value: Int) -> [UInt8] {
        [UInt8(value & 255), UInt8(value >> 8 & 255)]
    }

    private static func bytes32(_ value: Int) -> [UInt8] {
        bytes16(value & 0xffff) + bytes16(value >> 16)
    }
}
