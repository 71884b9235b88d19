package import Foundation
package import PhotoModel

extension SampleFile {
    /// Returns an endlessly repeating animated GIF with `frames` pictures, a fifth of a second
    /// apart.
    package static func gif(_ picture: Picture, size: PixelSize, frames: Int = 8) -> Data {
        let images = (0..<max(1, frames)).map { index in
            var moment = picture
            moment.phase += Float(index) * 0.2
            return moment.drawn(size: size, grain: 0)
        }
        return GIFWriter(images: images, delayInHundredths: 20).data
    }
}

/// Writes GIF89a with one palette of 6 × 6 × 6 colors and ordered dithering.
struct GIFWriter {
    let images: [RGBImage]
    let delayInHundredths: UInt16

    var data: Data {
        guard let first = images.first else { return Data() }
        var writer = ByteWriter(bigEndian: false)
        writer.append(ascii: "GIF89a")
        writer.append(UInt16(first.size.width))
        writer.append(UInt16(first.size.height))
        writer.append([0xF7, 0, 0])
        for index in 0..<256 {
            let cube = index < 216
            writer.append([
                cube ? UInt8(index / 36 * 51) : 0, cube ? UInt8(index / 6 % 6 * 51) : 0,
                cube ? UInt8(index % 6 * 51) : 0,
            ])
        }
        if images.count > 1 {
            writer.append([0x21, 0xFF, 11])
            writer.append(ascii: "NETSCAPE2.0")
            writer.append([3, 1, 0, 0, 0])
        }
        for image in images {
            writer.append([0x21, 0xF9, 4, 0x04])
            writer.append(delayInHundredths)
            writer.append([0, 0, 0x2C, 0, 0, 0, 0])
            writer.append(UInt16(image.size.width))
            writer.append(UInt16(image.size.height))
            writer.append([0, 8])
            let codes = LZW.compressed(indices(of: image))
            for start in stride(from: 0, to: codes.count, by: 255) {
                let block = codes[start..<min(start + 255, codes.count)]
                writer.append(UInt8(block.count))
                writer.append(block)
            }
            writer.append(UInt8(0))
        }
        writer.append(UInt8(0x3B))
        return writer.data
    }

    /// Returns the nearest colors of the cube after adding a 4 × 4 Bayer pattern.
    private func indices(of image: RGBImage) -> [UInt8] {
        let pattern: [Int] = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5]
        var result: [UInt8] = []
        result.reserveCapacity(image.size.width * image.size.height)
        image.bytes.withUnsafeBufferPointer { bytes in
            for y in 0..<image.size.height {
                for x in 0..<image.size.width {
                    let threshold = pattern[(y & 3) * 4 + (x & 3)] * 51 / 16
                    let start = (y * image.size.width + x) * 3
                    let levels = (0..<3).map { (Int(bytes[start + $0]) + threshold) / 51 }
                    let index = min(levels[0], 5) * 36 + min(levels[1], 5) * 6 + min(levels[2], 5)
                    result.append(UInt8(index))
                }
            }
        }
        return result
    }
}

/// GIF's variant of LZW: codes of 9 to 12 bits, least significant bit first.
struct LZW {
    private var output: [UInt8] = []
    private var buffer: UInt32 = 0
    private var used: UInt32 = 0

    static func compressed(_ input: [UInt8]) -> [UInt8] {
        var lzw = LZW()
        lzw.compress(input)
        return lzw.output
    }

    private mutating func compress(_ input: [UInt8]) {
        let clear: UInt32 = 256
        var table: [UInt32: UInt32] = [:]
        var next: UInt32 = 258
        var width: UInt32 = 9
        put(clear, width)
        guard var prefix = input.first.map(UInt32.init) else {
            put(257, width)
            return flush()
        }
        for byte in input.dropFirst() {
            let key = prefix << 8 | UInt32(byte)
            if let known = table[key] {
                prefix = known
                continue
            }
            put(prefix, width)
            prefix = UInt32(byte)
            if next == 4_096 {
                put(clear, width)
                table.removeAll(keepingCapacity: true)
                next = 258
                width = 9
                continue
            }
            table[key] = next
            // A reader adds its entry one code later, so the code width grows one entry late.
            if next == 1 << width { width += 1 }
            next += 1
        }
        put(prefix, width)
        put(257, width)
        flush()
    }

    private mutating func put(_ code: UInt32, _ width: UInt32) {
        buffer |= code << used
        used += width
        while used >= 8 {
            output.append(UInt8(truncatingIfNeeded: buffer))
            buffer >>= 8
            used -= 8
        }
    }

    private mutating func flush() {
        if used > 0 { output.append(UInt8(truncatingIfNeeded: buffer)) }
    }
}
