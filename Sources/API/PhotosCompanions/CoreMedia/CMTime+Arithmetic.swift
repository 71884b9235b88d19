/// The rounding method for converting a time to another timescale.
public enum CMTimeRoundingMethod: UInt32, Sendable, CaseIterable {
    /// Rounds to the nearest unit, halves away from zero.
    case roundHalfAwayFromZero = 1
    /// Rounds toward zero.
    case roundTowardZero = 2
    /// Rounds away from zero.
    case roundAwayFromZero = 3
    /// Rounds toward zero if the new timescale is coarser than the old one, otherwise away from
    /// zero.
    ///
    /// A negative time is never rounded to zero.
    case quickTime = 4
    /// Rounds up.
    case roundTowardPositiveInfinity = 5
    /// Rounds down.
    case roundTowardNegativeInfinity = 6

    /// The default method, ``roundHalfAwayFromZero``.
    public static var `default`: CMTimeRoundingMethod { .roundHalfAwayFromZero }
}

extension CMTime {
    /// Returns the time in another timescale, rounded if necessary.
    ///
    /// - Parameters:
    ///   - newTimescale: The number of units per second; the result is invalid if this is not
    ///     positive.
    ///   - method: The rounding method.
    /// - Returns: The time; infinite if the value overflows. A time that is not numeric is returned
    ///   unchanged.
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

    /// Returns the sum of two times.
    ///
    /// For times that are not numeric, see ``-(_:_:)``.
    ///
    /// The sum of two numeric times is invalid if their epochs differ and neither is 0.
    public static func + (addend1: CMTime, addend2: CMTime) -> CMTime {
        combine(addend1, addend2, subtracts: false)
    }

    /// Returns the difference of two times.
    ///
    /// The result is invalid if an operand is invalid or if infinities cancel out. Otherwise
    /// infinity takes precedence over indefinite, and indefinite over numeric times. The timescale
    /// is the smallest one that represents both operands exactly, at most ``kCMTimeMaxTimescale``;
    /// it is halved until the value of the result fits.
    public static func - (minuend: CMTime, subtrahend: CMTime) -> CMTime {
        combine(minuend, subtrahend, subtracts: true)
    }

    /// Returns the time multiplied by an integer.
    package func multiplied(by multiplier: Int32) -> CMTime {
        guard isNumeric else { return signed(by: Double(multiplier)) }
        return Self.make(
            Int128(value) * Int128(multiplier),
            over: Int128(timescale),
            timescale: timescale,
            like: self
        )
    }

    /// Returns the time multiplied by the fraction `multiplier / divisor`.
    ///
    /// The timescale is kept if the result is exact in it; otherwise it is multiplied by the
    /// divisor.
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

    /// Returns the time multiplied by a floating-point number.
    ///
    /// An inexact result has a timescale of at least 65,536 units per second.
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

    /// The absolute value of the time.
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

    // MARK: - Helpers

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

    /// Creates a time of `numerator / denominator` seconds in a timescale.
    ///
    /// The timescale is halved until the value fits.
    private static func make(
        _ numerator: Int128,
        over denominator: Int128,
        timescale: Int32,
        like model: CMTime
    ) -> CMTime {
        // Reducing the fraction first leaves room for the product below.
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

    /// Returns an infinite time multiplied by a factor, or an invalid time if the factor is 0 or
    /// NaN; numeric and indefinite times are returned unchanged.
    private func signed(by factor: Double) -> CMTime {
        if isInfinite {
            guard factor != 0, !factor.isNaN else { return .invalid }
            return isPositiveInfinity == (factor > 0) ? .positiveInfinity : .negativeInfinity
        }
        return isNumeric || isIndefinite ? self : .invalid
    }

    private var isInfinite: Bool { isPositiveInfinity || isNegativeInfinity }

    /// Indicates whether the time is numeric, infinite or indefinite.
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
