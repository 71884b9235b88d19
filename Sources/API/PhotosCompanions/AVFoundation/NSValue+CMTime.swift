public import Foundation

extension NSValue {
    /// The bit pattern of the height by which a wrapped rectangle is recognized as an encoded
    /// `CMTime`.
    private static let mark: UInt64 = 0x434d_5469_6d65_0001

    /// Creates a value object that wraps a time.
    public convenience init(time: CMTime) {
        // A rectangle is the largest value that Foundation's value objects store on Linux; it
        // carries the bits.
        let rest = UInt64(UInt32(bitPattern: time.timescale)) | UInt64(time.flags.rawValue) << 32
        func number(_ bits: UInt64) -> CGFloat { CGFloat(Double(bitPattern: bits)) }
        self.init(
            rect: NSRect(
                x: number(UInt64(bitPattern: time.value)),
                y: number(rest),
                width: number(UInt64(bitPattern: time.epoch)),
                height: number(Self.mark)
            )
        )
    }

    /// The wrapped time; invalid if the object wraps something else.
    public var timeValue: CMTime {
        let rect = rectValue
        func bits(_ number: CGFloat) -> UInt64 { Double(number).bitPattern }
        guard bits(rect.size.height) == Self.mark else { return .invalid }
        let rest = bits(rect.origin.y)
        return CMTime(
            value: Int64(bitPattern: bits(rect.origin.x)),
            timescale: Int32(bitPattern: UInt32(truncatingIfNeeded: rest)),
            flags: CMTimeFlags(rawValue: UInt32(truncatingIfNeeded: rest >> 32)),
            epoch: Int64(bitPattern: bits(rect.size.width))
        )
    }
}
