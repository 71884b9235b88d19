internal import PhotoModel

/// A reader for the blocks of a GIF.
package struct GIFContainer {
    private static let maximumBlocks = 1_000_000

    private let bytes: ByteView
    private var container = Container()
    private var position = 13

    package static func read(_ bytes: ByteView) -> Container {
        var reader = GIFContainer(bytes: bytes)
        reader.readBlocks()
        return reader.container
    }

    private init(bytes: ByteView) {
        self.bytes = bytes
    }

    private mutating func readBlocks() {
        guard let width = bytes.integer16(at: 6, isBigEndian: false),
            let height = bytes.integer16(at: 8, isBigEndian: false),
            let flags = bytes.byte(at: 10)
        else {
            container.damage = "The GIF is truncated: it has no header."
            return
        }
        container.size = PixelSize(width: width, height: height)
        position += Self.tableLength(flags)
        var frames = 0
        blocks: for _ in 0..<Self.maximumBlocks {
            guard let introducer = bytes.byte(at: position) else {
                container.warnings.append("The GIF is truncated.")
                break
            }
            switch introducer {
            case 0x2c:
                guard let flags = bytes.byte(at: position + 9) else { break blocks }
                // The header, the local color table and the code size precede the pixels.
                position += 10 + Self.tableLength(flags) + 1
                skipSubblocks()
                frames += 1
            case 0x21: readExtension()
            case 0x3b: break blocks
            default: break blocks
            }
        }
        container.frameCount = frames
        container.isAnimated = frames > 1
        if frames == 0 {
            container.damage = "The GIF has no image: it is truncated or damaged."
        } else if width == 0 || height == 0 {
            container.damage = "The GIF declares an invalid size (\(width)x\(height))."
        }
    }

    private static func tableLength(_ flags: UInt8) -> Int {
        flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
    }

    private mutating func skipSubblocks() {
        while let length = bytes.byte(at: position) {
            position += 1 + Int(length)
            if length == 0 { return }
        }
    }

    private mutating func readExtension() {
        let label = bytes.byte(at: position + 1)
        if label == 0xff, bytes.starts(with: "XMP DataXMP", at: position + 3) {
            // The packet is stored uncompressed; its magic trailer lets decoders skip it as
            // sub-blocks.
            let start = position + 14
            position = start
            skipSubblocks()
            container.xmp.append(bytes.available(at: start, length: max(0, position - start - 258)))
            return
        }
        if label == 0xfe, let length = bytes.byte(at: position + 2) {
            let text = bytes.available(at: position + 3, length: Int(length))
            container.texts["Comment"] = Text.clean(text.bytes)
        }
        position += 2
        skipSubblocks()
    }
}
