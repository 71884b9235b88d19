import Foundation
import Photos

/// Pixels of 8 bits in libvips' own file format, which its tools read and write unchanged.
struct VipsImage {
    typealias Pixel = (red: Int, green: Int, blue: Int, alpha: Int)

    var width: Int
    var height: Int
    /// 3, or 4 with alpha that is not premultiplied.
    var bands: Int
    /// Rows from the top without padding.
    var bytes: [UInt8]

    init(width: Int, height: Int, bands: Int, bytes: [UInt8]) {
        self.width = width
        self.height = height
        self.bands = bands
        self.bytes = bytes
    }

    /// Creates the pixels from a request's result; nil for an image without pixels.
    init?(_ image: UIImage) {
        guard let pixels = image.cgImage, let data = pixels.dataProvider?.data,
            pixels.bitsPerPixel == 32, pixels.bytesPerRow == pixels.width * 4,
            data.count >= pixels.width * pixels.height * 4
        else { return nil }
        var bytes = [UInt8](data)
        if pixels.alphaInfo != .last {
            for alpha in stride(from: 3, to: bytes.count, by: 4) { bytes[alpha] = 255 }
        }
        self.init(width: pixels.width, height: pixels.height, bands: 4, bytes: bytes)
    }

    private static let headerLength = 64
    /// The header's first bytes on a little-endian machine.
    private static let magic: [UInt8] = [0xb6, 0xa6, 0xf2, 0x08]

    /// Reads a file with pixels of 8 bits and 1 to 4 bands.
    init(contentsOf file: URL) throws {
        let data = [UInt8](try Data(contentsOf: file))
        func number(_ offset: Int) -> Int {
            (0..<4).reduce(0) { $0 | Int(data[offset + $1]) << ($1 * 8) }
        }
        guard data.count > Self.headerLength, data.starts(with: Self.magic), number(20) == 0 else {
            throw CocoaError(.fileReadCorruptFile, userInfo: [NSFilePathErrorKey: file.path])
        }
        width = number(4)
        height = number(8)
        bands = number(12)
        let count = width * height * bands
        guard data.count >= Self.headerLength + count else {
            throw CocoaError(.fileReadCorruptFile, userInfo: [NSFilePathErrorKey: file.path])
        }
        bytes = Array(data[Self.headerLength..<Self.headerLength + count])
    }

    /// Writes a file that libvips' tools read.
    func write(to file: URL) throws {
        var header = Self.magic
        func append(_ number: Int32) {
            withUnsafeBytes(of: number.littleEndian) { header += $0 }
        }
        // Width, height, bands, bits, unsigned char, no coding, sRGB.
        for number in [width, height, bands, 8, 0, 0, 22] { append(Int32(number)) }
        header += [UInt8](repeating: 0, count: Self.headerLength - header.count)
        try Data(header + bytes).write(to: file)
    }

    /// Returns a pixel's colors and alpha.
    @inline(__always)
    func pixel(_ index: Int) -> Pixel {
        let at = index * bands
        switch bands {
        case 1: return (Int(bytes[at]), Int(bytes[at]), Int(bytes[at]), 255)
        case 2: return (Int(bytes[at]), Int(bytes[at]), Int(bytes[at]), Int(bytes[at + 1]))
        default:
            let alpha = bands == 4 ? Int(bytes[at + 3]) : 255
            return (Int(bytes[at]), Int(bytes[at + 1]), Int(bytes[at + 2]), alpha)
        }
    }

    /// Returns a part of the picture.
    func part(x: Int, y: Int, width: Int, height: Int) -> VipsImage {
        var part: [UInt8] = []
        part.reserveCapacity(width * height * bands)
        for row in y..<y + height {
            let start = (row * self.width + x) * bands
            part += bytes[start..<start + width * bands]
        }
        return VipsImage(width: width, height: height, bands: bands, bytes: part)
    }
}
