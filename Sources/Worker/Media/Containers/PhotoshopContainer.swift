internal import PhotoModel

/// A reader for the header and the image resources of a Photoshop document; layers are not read.
///
/// The image is the composite at the end of the file.
package enum PhotoshopContainer {
    private enum Mode {
        static let bitmap = 0
        static let gray = 1
        static let indexed = 2
        static let rgb = 3
        static let cmyk = 4
        static let duotone = 8
    }

    package static func read(_ bytes: ByteView) -> Container {
        var container = Container()
        guard let channels = bytes.integer16(at: 12), let height = bytes.integer32(at: 14),
            let width = bytes.integer32(at: 18), let depth = bytes.integer16(at: 22),
            let mode = bytes.integer16(at: 24), width > 0, height > 0, channels > 0
        else {
            container.damage = "The Photoshop document does not declare the size of its image."
            return container
        }
        container.size = PixelSize(width: width, height: height)
        guard
            let resources = section(of: bytes, at: 26).flatMap({ section(of: bytes, at: $0.end) }),
            let layers = section(of: bytes, at: resources.end)
        else {
            container.damage = "The Photoshop document is truncated: its composite is missing."
            return container
        }
        read(resources.body, into: &container)
        if container.refusal == nil, layers.end + 2 >= bytes.count {
            container.damage = "The Photoshop document is truncated: its composite is missing."
        }
        container.undecodable = undecodable(mode: mode, channels: channels, depth: depth)
        describeAlpha(mode: mode, channels: channels, layers: layers.body, in: &container)
        // The decoder converts these modes to RGB, so their profile no longer applies.
        if [Mode.cmyk, Mode.indexed, Mode.bitmap].contains(mode) { container.profile = nil }
        return container
    }

    /// Returns the length-prefixed section at an offset; nil if the section is incomplete.
    private static func section(of bytes: ByteView, at start: Int) -> (body: ByteView, end: Int)? {
        guard let length = bytes.integer32(at: start),
            let body = bytes.part(at: start + 4, length: length)
        else { return nil }
        return (body, start + 4 + length)
    }

    private static func read(_ resources: ByteView, into container: inout Container) {
        for resource in Photoshop.resources(in: resources) {
            switch resource.identifier {
            case 0x0404: container.iptc = resource.body
            case 0x040c: container.previews.append(resource.body.available(at: 28))
            case 0x040f: container.profile = Array(resource.body.bytes)
            // Four bytes of version, then a flag for a real composite.
            case 0x0421 where resource.body.byte(at: 4) == 0:
                container.refusal =
                    "The Photoshop document has no composite image. Save it in Photoshop with "
                    + "“Maximize Compatibility”."
            case 0x0422: container.exif = resource.body
            case 0x0424: container.xmp.append(resource.body)
            default: break
            }
        }
    }

    private static func undecodable(mode: Int, channels: Int, depth: Int) -> String? {
        let colors = [
            Mode.bitmap: 1, Mode.gray: 1, Mode.indexed: 1, Mode.rgb: 3, Mode.cmyk: 4,
            Mode.duotone: 1,
        ]
        guard let count = colors[mode] else {
            return "Its color mode is not supported. Convert it to RGB."
        }
        let hasOpacity = ![Mode.bitmap, Mode.indexed].contains(mode) && channels == count + 1
        guard channels == count || hasOpacity else {
            return
                "It has \(channels) channels, which are not supported. Remove the saved selections."
        }
        let depths: [Int] =
            switch mode {
            case Mode.bitmap: [1]
            case Mode.indexed: [8]
            case Mode.gray, Mode.duotone: [8, 16, 32]
            default: [8, 16]
            }
        guard depths.contains(depth) else {
            return "It has \(depth) bits per channel, which are not supported."
        }
        return nil
    }

    /// Determines whether the channel after the color channels is alpha or a saved selection.
    ///
    /// A negative layer count means that the channel is the composite's alpha.
    private static func describeAlpha(
        mode: Int,
        channels: Int,
        layers: ByteView,
        in container: inout Container
    ) {
        let count = layers.integer16(at: 4).map { Int(Int16(truncatingIfNeeded: $0)) } ?? 0
        container.hasUnusedAlpha = count >= 0
        container.isMatted = count < 0
    }
}
