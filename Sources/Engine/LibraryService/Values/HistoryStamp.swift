package import FoundationEssentials

/// What tells a version from others of the same number.
///
/// A library that was put back to an older state gives the numbers anew, at other times.
package struct HistoryStamp: Codable, Hashable, Sendable, LosslessStringConvertible {
    /// The bits of the time of the commit.
    private let bits: UInt64

    /// The stamp of a version that was committed at a time.
    package init(_ time: Date) {
        bits = time.timeIntervalSinceReferenceDate.bitPattern
    }

    /// Reads what `description` gives; nil for anything else.
    package init?(_ description: String) {
        guard description.first?.isHexDigit == true, let bits = UInt64(description, radix: 16)
        else { return nil }
        self.bits = bits
    }

    /// Hexadecimal digits.
    package var description: String { String(bits, radix: 16, uppercase: true) }
}
