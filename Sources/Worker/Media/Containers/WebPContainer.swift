internal import PhotoModel

/// A reader for the chunks of a WebP file.
package struct WebPContainer {
    private static let maximumChunks = 100_000

    package static func read(_ bytes: ByteView) -> Container {
        var container = Container()
        var position = 12
        var frames = 0
        for _ in 0..<maximumChunks {
            guard let name = bytes.code(at: position),
                let length = bytes.integer32(at: position + 4, isBigEndian: false)
            else { break }
            let body = bytes.available(at: position + 8, length: length)
            read(name, body, into: &container, frames: &frames)
            position += 8 + length + length % 2
        }
        if container.isAnimated {
            container.frameCount = frames
            container.isAnimated = frames > 1
        }
        if container.size == nil {
            container.damage = "The WebP file has no image: it is truncated or damaged."
        } else if position > bytes.count + 1 {
            container.warnings.append("The WebP file is truncated.")
        }
        return container
    }

    private static func read(
        _ name: String,
        _ body: ByteView,
        into container: inout Container,
        frames: inout Int
    ) {
        switch name {
        case "VP8X":
            guard let flags = body.byte(at: 0),
                let width = body.number(at: 4, length: 3, isBigEndian: false),
                let height = body.number(at: 7, length: 3, isBigEndian: false)
            else { return }
            container.size = PixelSize(width: Int(width) + 1, height: Int(height) + 1)
            container.isAnimated = flags & 0x02 != 0
        case "VP8 ":
            guard container.size == nil, body.number(at: 3, length: 3) == 0x9d012a,
                let width = body.integer16(at: 6, isBigEndian: false),
                let height = body.integer16(at: 8, isBigEndian: false)
            else { return }
            container.size = PixelSize(width: width & 0x3fff, height: height & 0x3fff)
        case "VP8L":
            guard container.size == nil, body.byte(at: 0) == 0x2f,
                let bits = body.integer32(at: 1, isBigEndian: false)
            else { return }
            container.size = PixelSize(
                width: bits & 0x3fff + 1,
                height: bits >> 14 & 0x3fff + 1
            )
        case "ANMF": frames += 1
        case "ICCP": container.profile = Array(body.bytes)
        case "EXIF":
            container.exif = body.starts(with: "Exif\u{0}\u{0}") ? body.available(at: 6) : body
        case "XMP ": container.xmp.append(body)
        default: break
        }
    }
}
