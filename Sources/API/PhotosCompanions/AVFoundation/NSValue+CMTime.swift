public import Foundation

extension NSValue {
    /// Says that a rectangle holds a time.
    private static let mark: UInt64 = 0x434d_5469_6d65_0001

    /// A time as an object.
    public convenience init(time: CMTime) {
        // The largest value that Foundation's objects hold here, taken bit by bit.
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

    /// The time that the object was made of; invalid for another object.
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
