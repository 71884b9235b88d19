package import Foundation
import PhotoModel

extension SampleFile {
    /// Returns a PNG like a phone's screenshot, with eXIf and XMP chunks if there is metadata.
    package static func png(_ photo: SamplePhoto) -> Data {
        let image = photo.picture.drawn(size: photo.size, grain: 0)
        var metadata = photo.metadata
        metadata.orientation = nil
        metadata.hasThumbnail = false
        return PNGWriter(image: image, metadata: metadata).data
    }
}

/// Writes 8-bit RGB as PNG, compressed with DEFLATE's fixed codes and runs.
struct PNGWriter {
    let image: RGBImage
    let metadata: SampleMetadata

    var data: Data {
        var file = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        var header = ByteWriter()
        header.append(UInt32(image.size.width))
        header.append(UInt32(image.size.height))
        header.append([8, 2, 0, 0, 0])
        file += chunk("IHDR", header.data)
        file += chunk("sRGB", Data([0]))
        if metadata != SampleMetadata(noThumbnail: ()) {
            let block = ExifBlock(metadata: metadata, size: image.size, thumbnail: nil)
            file += chunk("eXIf", block.data)
        }
        if metadata.hasXMP {
            let text = "XML:com.adobe.xmp\0\0\0\0\0" + XMPPacket(metadata: metadata).text
            file += chunk("iTXt", Data(text.utf8))
        }
        file += chunk("IDAT", Deflate.zlib(filteredRows))
        return file + chunk("IEND", Data())
    }

    /// The difference of every row to the one above, so that flat areas become runs of zero.
    private var filteredRows: [UInt8] {
        let length = image.size.width * 3
        var rows = [UInt8](repeating: 0, count: (length + 1) * image.size.height)
        image.bytes.withUnsafeBufferPointer { bytes in
            for row in 0..<image.size.height {
                let start = row * (length + 1)
                rows[start] = 2
                for index in 0..<length {
                    let above = row == 0 ? 0 : bytes[(row - 1) * length + index]
                    rows[start + 1 + index] = bytes[row * length + index] &- above
                }
            }
        }
        return rows
    }

    private func chunk(_ type: String, _ body: Data) -> Data {
        var writer = ByteWriter()
        writer.append(UInt32(body.count))
        let checked = Data(type.utf8) + body
        writer.append(checked)
        writer.append(Self.crc(checked))
        return writer.data
    }

    private static let crcTable: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in
            value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
        }
    }

    private static func crc(_ data: Data) -> UInt32 {
        ~data.reduce(0xFFFF_FFFF) { crcTable[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ ($0 >> 8) }
    }
}

extension SampleMetadata {
    /// Creates the metadata of a file without any.
    fileprivate init(noThumbnail: Void) {
        self.init()
        hasThumbnail = false
    }
}

/// DEFLATE (RFC 1951) with one block, the fixed codes, and runs of one byte as its only matches.
struct Deflate {
    private var bytes: [UInt8]
    private var buffer: UInt64 = 0
    private var used: UInt64 = 0

    /// Returns a zlib stream (RFC 1950) of `input`.
    static func zlib(_ input: [UInt8]) -> Data {
        var deflate = Deflate(bytes: [0x78, 0x01])
        deflate.compress(input)
        var writer = ByteWriter()
        writer.append(deflate.bytes)
        writer.append(adler(input))
        return writer.data
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func compress(_ input: [UInt8]) {
        put(0b011, 3)
        var index = 0
        while index < input.count {
            let byte = input[index]
            literal(Int(byte))
            index += 1
            var run = 0
            while index + run < input.count && run < 258 && input[index + run] == byte { run += 1 }
            if run >= 3 {
                length(run)
                // Distance 1: five bits of zero.
                put(0, 5)
                index += run
            }
        }
        literal(256)
        if used > 0 { put(0, 8 - used % 8) }
    }

    /// Appends a symbol of the fixed literal and length code (RFC 1951, 3.2.6), most significant
    /// bit first.
    private mutating func literal(_ symbol: Int) {
        switch symbol {
        case 0...143: putReversed(0x30 + symbol, 8)
        case 144...255: putReversed(0x190 + symbol - 144, 9)
        case 256...279: putReversed(symbol - 256, 7)
        default: putReversed(0xC0 + symbol - 280, 8)
        }
    }

    private mutating func length(_ run: Int) {
        if run == 258 { return literal(285) }
        var extra = 0
        while run - 3 >= (8 << extra) { extra += 1 }
        let group = extra == 0 ? run - 3 : 4 * extra + ((run - 3) >> extra)
        literal(257 + group)
        put(UInt64((run - 3) & ((1 << extra) - 1)), UInt64(extra))
    }

    private mutating func putReversed(_ code: Int, _ count: Int) {
        var reversed: UInt64 = 0
        for bit in 0..<count where code >> bit & 1 == 1 { reversed |= 1 << (count - 1 - bit) }
        put(reversed, UInt64(count))
    }

    private mutating func put(_ value: UInt64, _ count: UInt64) {
        buffer |= value << used
        used += count
        while used >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: buffer))
            buffer >>= 8
            used -= 8
        }
    }

    private static func adler(_ input: [UInt8]) -> UInt32 {
        var low: UInt32 = 1
        var high: UInt32 = 0
        for byte in input {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }
}
