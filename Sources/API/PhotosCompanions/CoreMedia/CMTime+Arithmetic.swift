/// How a time is brought to a timescale that can't hold it exactly.
public enum CMTimeRoundingMethod: UInt32, Sendable, CaseIterable {
    /// To the nearest; halves away from zero.
    case roundHalfAwayFromZero = 1
    /// To the nearest that is nearer to zero.
    case roundTowardZero = 2
    /// To the nearest that is farther from zero.
    case roundAwayFromZero = 3
    /// Toward zero when the new scale is coarser, else away from it; never a negative time to zero.
    case quickTime = 4
    /// Upward.
    case roundTowardPositiveInfinity = 5
    /// Downward.
    case roundTowardNegativeInfinity = 6

    /// ``roundHalfAwayFromZero``.
    public static var `default`: CMTimeRoundingMethod { .roundHalfAwayFromZero }
}

extension CMTime {
    /// The same time with other units, as near as they allow.
    ///
    /// - Parameters:
    ///   - newTimescale: Units per second; not positive gives an invalid time.
    ///   - method: Where to, between two units.
    /// - Returns: The time; infinite where the units are more than fit. What is no number stays so.
    public func convertScale(_ newTimescale: Int32, method: CMTimeRoundingMethod) -> CMTime {
        guard newTimescale > 0 else { return .invalid }
        guard isNumeric else { return self }
        let isQuickTime = method == .quickTime
        let (quotient, isExact) = Self.divide(
            Int128(value) * Int128(newTimescale),
            Int128(timescale),
            !isQuickTime
                ? method : newTimescale < timescale ? .roundTowardZero : .roundAwayFromZero
        )
        guard var units = Int64(exactly: quotient) else {
            return value > 0 ? .positiveInfinity : .negativeInfinity
        }
        if units == 0, value < 0, isQuickTime { units = -1 }
        var result = CMTime(value: units, timescale: newTimescale)
        result.epoch = epoch
        if !isExact || hasBeenRounded { result.flags.insert(.hasBeenRounded) }
        return result
    }

    /// The sum; see ``-(_:_:)`` for what is no number.
    ///
    /// Two numbers of different epochs other than 0 have no sum: it is invalid.
    public static func + (addend1: CMTime, addend2: CMTime) -> CMTime {
        combine(addend1, addend2, subtracts: false)
    }

    /// The difference.
    ///
    /// Of an invalid time it is invalid, of infinities that cancel out too; else infinity goes before
    /// indefinite, and that before numbers. The timescale is the smallest that holds both exactly, at
    /// most ``kCMTimeMaxTimescale``, and is halved as long as the units do not fit.
    public static func - (minuend: CMTime, subtrahend: CMTime) -> CMTime {
        combine(minuend, subtrahend, subtracts: true)
    }

    /// The product with a whole number.
    package func multiplied(by multiplier: Int32) -> CMTime {
        guard isNumeric else { return signed(by: Double(multiplier)) }
        return Self.make(
            Int128(value) * Int128(multiplier),
            over: Int128(timescale),
            timescale: timescale,
            like: self
        )
    }

    /// The product with a fraction.
    ///
    /// In its own timescale where that is exact, else in one so many times larger as the divisor says.
    package func multiplied(by multiplier: Int32, over divisor: Int32) -> CMTime {
        guard divisor != 0 else { return .invalid }
        guard isNumeric else { return signed(by: Double(multiplier) / Double(divisor)) }
        let sign: Int128 = divisor < 0 ? -1 : 1
        let units = Int128(value) * Int128(multiplier) * sign
        let parts = Int128(divisor) * sign
        let isExact = units % parts == 0
        let wanted = isExact ? Int128(timescale) : Int128(timescale) * parts
        return Self.make(
            units,
            over: Int128(timescale) * parts,
            timescale: Int32(clamping: wanted),
            like: self
        )
    }

    /// The product with any number; of at least 65,536 units a second where that is not exact.
    package func multiplied(by multiplier: Double) -> CMTime {
        guard !multiplier.isNaN else { return .invalid }
        guard isNumeric else { return signed(by: multiplier) }
        if let whole = Int32(exactly: multiplier) { return multiplied(by: whole) }
        let units = Double(value) * multiplier
        if units.rounded() == units, abs(units) < 9e15 {
            var result = CMTime(value: Int64(units), timescale: timescale)
            result.epoch = epoch
            if hasBeenRounded { result.flags.insert(.hasBeenRounded) }
            return result
        }
        let factor = timescale >= 65_536 ? 1 : (65_536 + timescale - 1) / timescale
        var result = CMTime(
            seconds: seconds * multiplier,
            preferredTimescale: timescale * factor
        )
        result.epoch = epoch
        if result.isNumeric { result.flags.insert(.hasBeenRounded) }
        return result
    }

    /// The time without its sign.
    package var magnitude: CMTime {
        if isNegativeInfinity { return .positiveInfinity }
        guard isNumeric, value < 0 else { return self }
        return Self.make(
            -Int128(value),
            over: Int128(timescale),
            timescale: timescale,
            like: self
        )
    }

    // MARK: - Parts

    private static func combine(_ one: CMTime, _ other: CMTime, subtracts: Bool) -> CMTime {
        guard one.isOrdered, other.isOrdered else { return .invalid }
        let right = subtracts ? other.signed(by: -1) : other
        if one.isInfinite || right.isInfinite {
            guard one.isInfinite, right.isInfinite else { return one.isInfinite ? one : right }
            return one.isPositiveInfinity == right.isPositiveInfinity ? one : .invalid
        }
        guard one.isNumeric, right.isNumeric else { return .indefinite }
        guard one.epoch == 0 || other.epoch == 0 || one.epoch == other.epoch else {
            return .invalid
        }
        let (left, scale) = (Int128(one.timescale), Int128(other.timescale))
        let product = Int128(other.value) * left
        let units = Int128(one.value) * scale + (subtracts ? -product : product)
        let common = left / divisor(left, scale) * scale
        var result = make(
            units,
            over: left * scale,
            timescale: Int32(clamping: common),
            like: one
        )
        guard result.isNumeric else { return result }
        let isSame = one.epoch == other.epoch
        result.epoch = subtracts && isSame ? 0 : max(one.epoch, other.epoch)
        if other.hasBeenRounded { result.flags.insert(.hasBeenRounded) }
        return result
    }

    /// A fraction of seconds in a timescale, which is halved until the units fit.
    private static func make(
        _ numerator: Int128,
        over denominator: Int128,
        timescale: Int32,
        like model: CMTime
    ) -> CMTime {
        // Reduced, so that the product below has room.
        let common = divisor(numerator < 0 ? -numerator : numerator, denominator)
        let (top, bottom) = (numerator / common, denominator / common)
        var scale = timescale
        while true {
            let (product, overflows) = top.multipliedReportingOverflow(by: Int128(scale))
            if !overflows {
                let (quotient, isExact) = divide(product, bottom, .default)
                if let value = Int64(exactly: quotient) {
                    var result = CMTime(value: value, timescale: scale)
                    result.epoch = model.epoch
                    if !isExact || model.hasBeenRounded { result.flags.insert(.hasBeenRounded) }
                    return result
                }
            }
            guard scale > 1 else { return top > 0 ? .positiveInfinity : .negativeInfinity }
            scale /= 2
        }
    }

    /// What is no number, with the sign of a factor.
    private func signed(by factor: Double) -> CMTime {
        if isInfinite {
            guard factor != 0, !factor.isNaN else { return .invalid }
            return isPositiveInfinity == (factor > 0) ? .positiveInfinity : .negativeInfinity
        }
        return isNumeric || isIndefinite ? self : .invalid
    }

    private var isInfinite: Bool { isPositiveInfinity || isNegativeInfinity }

    /// Whether it is a number, infinite or indefinite.
    private var isOrdered: Bool { isNumeric || isInfinite || isIndefinite }

    private static func divide(
        _ numerator: Int128,
        _ denominator: Int128,
        _ method: CMTimeRoundingMethod
    ) -> (quotient: Int128, isExact: Bool) {
        let (quotient, rest) = numerator.quotientAndRemainder(dividingBy: denominator)
        guard rest != 0 else { return (quotient, true) }
        let away: Int128 = numerator < 0 ? -1 : 1
        let isAway =
            switch method {
            case .roundTowardZero: false
            case .roundAwayFromZero: true
            case .roundTowardPositiveInfinity: numerator > 0
            case .roundTowardNegativeInfinity: numerator < 0
            case .roundHalfAwayFromZero, .quickTime: rest.magnitude * 2 >= denominator.magnitude
            }
        return (isAway ? quotient + away : quotient, false)
    }

    fileprivate static func divisor(_ one: Int128, _ other: Int128) -> Int128 {
        var (a, b) = (one, other)
        while b != 0 { (a, b) = (b, a % b) }
        return a == 0 ? 1 : a
    }
}
