extension CMTime: Comparable, Hashable {
    /// Returns whether both times are the same instant or the same non-numeric value.
    public static func == (time1: CMTime, time2: CMTime) -> Bool {
        time1.order(against: time2) == 0
    }

    /// Returns whether the first time precedes the second.
    public static func < (time1: CMTime, time2: CMTime) -> Bool {
        time1.order(against: time2) < 0
    }

    /// Hashes the time, consistently with equality.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(rank)
        guard isNumeric else { return }
        hasher.combine(epoch)
        var (a, b) = (value.magnitude, UInt64(timescale))
        while b != 0 { (a, b) = (b, a % b) }
        let common = Int64(clamping: max(1, a))
        hasher.combine(value / common)
        hasher.combine(Int64(timescale) / common)
    }

    /// Returns -1, 0 or 1 if the time precedes, equals or follows another.
    package func order(against other: CMTime) -> Int32 {
        guard isNumeric, other.isNumeric else { return Self.order(rank, other.rank) }
        guard epoch == other.epoch else { return Self.order(epoch, other.epoch) }
        return Self.order(
            Int128(value) * Int128(other.timescale),
            Int128(other.value) * Int128(timescale)
        )
    }

    private static func order<Number: Comparable>(_ one: Number, _ other: Number) -> Int32 {
        one < other ? -1 : one == other ? 0 : 1
    }

    /// The rank of this kind of time (numeric, infinite, indefinite or invalid) in the overall
    /// order.
    ///
    /// All numeric times have the same rank.
    private var rank: Int {
        if isNumeric { return 1 }
        if isNegativeInfinity { return 0 }
        if isIndefinite { return 2 }
        return isPositiveInfinity ? 3 : 4
    }
}
