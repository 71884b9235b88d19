/// Order keys, which define the order in albums and folders and are equal on all devices.
///
/// Keys are compared byte by byte, as fractions. At the end or the front, a key is 2⁴⁰ away from
/// its neighbor and has 8 bytes. Between two others it is in the middle, with 32 random bits, so
/// that two devices that insert at one place choose different keys.
enum OrderKey {
    typealias Key = [UInt8]

    /// The maximum length of a key in bytes.
    ///
    /// If a longer key would be needed, all rows of the list get new keys.
    static let maximumLength = 48
    private static let gap: UInt64 = 1 << 40
    private static let start: UInt64 = 1 << 62

    /// Returns ascending keys between two keys; nil if there is no room, or if the two keys are not
    /// ascending.
    static func keys(
        after lower: Key?,
        before upper: Key?,
        count: Int,
        using generator: inout some RandomNumberGenerator
    ) -> [Key]? {
        guard count > 0 else { return [] }
        switch (lower, upper) {
        case (nil, nil): return ascending(from: start, count: count)
        case (let lower?, nil):
            let (first, overflow) = head(of: lower).addingReportingOverflow(gap)
            return overflow ? nil : ascending(from: first, count: count)
        case (nil, let upper?):
            let (room, overflow) = gap.multipliedReportingOverflow(by: UInt64(count))
            let last = head(of: upper)
            guard !overflow, last > room else { return nil }
            return ascending(from: last - room, count: count)
        case (let lower?, let upper?):
            for length in stride(from: 8, through: maximumLength, by: 4) {
                let found = between(lower, upper, count: count, length: length, using: &generator)
                if let found { return found }
            }
            return nil
        }
    }

    private static func ascending(from first: UInt64, count: Int) -> [Key]? {
        let (room, overflow) = gap.multipliedReportingOverflow(by: UInt64(count))
        guard !overflow, !first.addingReportingOverflow(room).overflow else { return nil }
        return (0..<UInt64(count)).map { index in
            withUnsafeBytes(of: (first + index * gap).bigEndian) { Array($0) }
        }
    }

    private static func head(of key: Key) -> UInt64 {
        (0..<8).reduce(0) { $0 << 8 | UInt64($1 < key.count ? key[$1] : 0) }
    }

    /// Returns keys of a given length between two keys; nil if they would be less than 2³⁴ apart.
    private static func between(
        _ lower: Key,
        _ upper: Key,
        count: Int,
        length: Int,
        using generator: inout some RandomNumberGenerator
    ) -> [Key]? {
        var number = LongNumber(lower, length: length)
        guard let room = LongNumber(upper, length: length).subtracting(number) else { return nil }
        let step = room.divided(by: UInt64(count) + 1)
        guard step.isAtLeast34Bits else { return nil }
        return (0..<count).map { _ in
            number.add(step)
            var key = number
            key.subtract(1 << 31)
            key.add(UInt32.random(in: .min ... .max, using: &generator))
            return key.bytes
        }
    }
}

/// An unsigned integer of a fixed length, in 32-bit digits, the most significant first.
private struct LongNumber {
    private var parts: [UInt32]

    init(_ bytes: [UInt8], length: Int) {
        parts = stride(from: 0, to: length, by: 4).map { start in
            (start..<start + 4).reduce(0) { $0 << 8 | UInt32($1 < bytes.count ? bytes[$1] : 0) }
        }
    }

    var bytes: [UInt8] {
        parts.flatMap { part in withUnsafeBytes(of: part.bigEndian) { Array($0) } }
    }

    var isAtLeast34Bits: Bool {
        parts.dropLast(2).contains { $0 > 0 } || parts[parts.count - 2] >= 4
    }

    /// Returns the difference; nil if it is not positive.
    func subtracting(_ other: LongNumber) -> LongNumber? {
        var result = self
        var borrow: UInt64 = 0
        for index in parts.indices.reversed() {
            let difference = UInt64(parts[index]) &- UInt64(other.parts[index]) &- borrow
            result.parts[index] = UInt32(truncatingIfNeeded: difference)
            borrow = difference >> 63
        }
        return borrow == 0 && result.parts.contains { $0 > 0 } ? result : nil
    }

    func divided(by divisor: UInt64) -> LongNumber {
        var result = self
        var rest: UInt64 = 0
        for index in parts.indices {
            let (quotient, remainder) = divisor.dividingFullWidth(
                (rest >> 32, rest << 32 | UInt64(parts[index]))
            )
            result.parts[index] = UInt32(truncatingIfNeeded: quotient)
            rest = remainder
        }
        return result
    }

    mutating func add(_ other: LongNumber) {
        var carry: UInt64 = 0
        for index in parts.indices.reversed() {
            let sum = UInt64(parts[index]) + UInt64(other.parts[index]) + carry
            parts[index] = UInt32(truncatingIfNeeded: sum)
            carry = sum >> 32
        }
    }

    mutating func add(_ small: UInt32) {
        var carry = UInt64(small)
        for index in parts.indices.reversed() where carry > 0 {
            let sum = UInt64(parts[index]) + carry
            parts[index] = UInt32(truncatingIfNeeded: sum)
            carry = sum >> 32
        }
    }

    mutating func subtract(_ small: UInt32) {
        var borrow = UInt64(small)
        for index in parts.indices.reversed() where borrow > 0 {
            let difference = UInt64(parts[index]) &- borrow
            parts[index] = UInt32(truncatingIfNeeded: difference)
            borrow = difference >> 63
        }
    }
}
