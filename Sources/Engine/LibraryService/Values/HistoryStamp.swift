package import FoundationEssentials

/// A stamp that distinguishes versions that have the same number in different histories.
///
/// A library that was restored to an older state assigns the same numbers again, at other times.
package struct HistoryStamp: Codable, Hashable, Sendable, LosslessStringConvertible {
    /// The bit pattern of the commit time.
    private let bits: UInt64

    /// Creates the stamp of a version from its commit time.
    package init(_ time: Date) {
        bits = time.timeIntervalSinceReferenceDate.bitPattern
    }

    /// Parses the text from `description`; returns nil for anything else.
    package init?(_ description: String) {
        guard description.first?.isHexDigit == true, let bits = UInt64(description, radix: 16)
        else { return nil }
        self.bits = bits
    }

    /// The stamp as hexadecimal digits.
    package var description: String { String(bits, radix: 16, uppercase: true) }
}
