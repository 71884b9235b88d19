/// A reader for the color codes of PNG files, the chunk `cICP`.
///
/// libvips does not read the chunk. It takes precedence over a color profile.
enum PNGColorCodes {
    /// The maximum number of chunks before the pixels.
    private static let maximumChunks = 10_000
    /// The position of the color type in a PNG, whose header is always the first chunk.
    private static let colorTypePosition = 25
    /// The color types RGB, palette, and RGB with alpha.
    ///
    /// A profile of three components does not fit gray.
    private static let colorTypes: Set<UInt8> = [2, 3, 6]

    /// Returns the primaries and the transfer function that a PNG states with codes; nil without
    /// codes, for gray, and for values that are not full-range RGB.
    static func read(_ png: UnsafeRawBufferPointer) -> PictureSignal? {
        guard png.count > colorTypePosition, colorTypes.contains(png[colorTypePosition]) else {
            return nil
        }
        let (codes, pixels) = (number("cICP"), number("IDAT"))
        var position = 8
        for _ in 0..<maximumChunks {
            guard let length = word(png, position), let name = word(png, position + 4),
                name != pixels
            else { return nil }
            if name == codes {
                guard length == 4, let value = word(png, position + 8), value & 0xffff == 1 else {
                    return nil
                }
                return PictureSignal(
                    primaries: Int(value >> 24),
                    transfer: Int(value >> 16 & 0xff)
                )
            }
            position += 12 + Int(length)
        }
        return nil
    }

    private static func word(_ png: UnsafeRawBufferPointer, _ position: Int) -> UInt32? {
        guard position <= png.count - 4 else { return nil }
        return UInt32(bigEndian: png.loadUnaligned(fromByteOffset: position, as: UInt32.self))
    }

    private static func number(_ name: StaticString) -> UInt32 {
        name.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
    }
}
