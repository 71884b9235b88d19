// Core Media's C functions, which programs call as often as the members.

/// Creates a time from a value and a timescale; invalid if `timescale` is not positive.
public func CMTimeMake(value: Int64, timescale: Int32) -> CMTime {
    CMTime(value: value, timescale: timescale)
}

/// Creates a time from a value, a timescale and an epoch; invalid if `timescale` is not positive.
public func CMTimeMakeWithEpoch(value: Int64, timescale: Int32, epoch: Int64) -> CMTime {
    var time = CMTime(value: value, timescale: timescale)
    time.epoch = epoch
    return time
}

/// Creates a time from a number of seconds, like ``CMTime/init(seconds:preferredTimescale:)``.
public func CMTimeMakeWithSeconds(_ seconds: Double, preferredTimescale: Int32) -> CMTime {
    CMTime(seconds: seconds, preferredTimescale: preferredTimescale)
}

/// Returns a time in seconds; NaN for the invalid and the indefinite time.
public func CMTimeGetSeconds(_ time: CMTime) -> Double { time.seconds }

/// Returns the time in another timescale, rounded if necessary.
public func CMTimeConvertScale(
    _ time: CMTime,
    timescale: Int32,
    method: CMTimeRoundingMethod
) -> CMTime {
    time.convertScale(timescale, method: method)
}

/// Returns the sum of two times.
public func CMTimeAdd(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { lhs + rhs }

/// Returns the difference of two times.
public func CMTimeSubtract(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { lhs - rhs }

/// Returns a time multiplied by an integer, in the same timescale unless the value overflows.
public func CMTimeMultiply(_ time: CMTime, multiplier: Int32) -> CMTime {
    time.multiplied(by: multiplier)
}

/// Returns a time multiplied by a floating-point number.
///
/// An inexact result has a timescale of at least 65,536 units per second.
public func CMTimeMultiplyByFloat64(_ time: CMTime, multiplier: Double) -> CMTime {
    time.multiplied(by: multiplier)
}

/// Returns a time multiplied by a fraction; invalid if `divisor` is 0.
public func CMTimeMultiplyByRatio(
    _ time: CMTime,
    multiplier: Int32,
    divisor: Int32
) -> CMTime {
    time.multiplied(by: multiplier, over: divisor)
}

/// Returns -1, 0 or 1 if the first time precedes, equals or follows the second.
public func CMTimeCompare(_ time1: CMTime, _ time2: CMTime) -> Int32 {
    time1.order(against: time2)
}

/// Returns the earlier of two times.
public func CMTimeMinimum(_ time1: CMTime, _ time2: CMTime) -> CMTime { min(time1, time2) }

/// Returns the later of two times.
public func CMTimeMaximum(_ time1: CMTime, _ time2: CMTime) -> CMTime { max(time1, time2) }

/// Returns the absolute value of a time.
public func CMTimeAbsoluteValue(_ time: CMTime) -> CMTime { time.magnitude }

/// Returns whether a time is valid.
public func CMTIME_IS_VALID(_ time: CMTime) -> Bool { time.isValid }

/// Returns whether a time is invalid.
public func CMTIME_IS_INVALID(_ time: CMTime) -> Bool { !time.isValid }

/// Returns whether a time is numeric.
public func CMTIME_IS_NUMERIC(_ time: CMTime) -> Bool { time.isNumeric }

/// Returns whether a time is indefinite.
public func CMTIME_IS_INDEFINITE(_ time: CMTime) -> Bool { time.isIndefinite }

/// Returns whether a time is positive infinity.
public func CMTIME_IS_POSITIVE_INFINITY(_ time: CMTime) -> Bool { time.isPositiveInfinity }

/// Returns whether a time is negative infinity.
public func CMTIME_IS_NEGATIVE_INFINITY(_ time: CMTime) -> Bool { time.isNegativeInfinity }

/// Creates a range from a start and a duration.
public func CMTimeRangeMake(start: CMTime, duration: CMTime) -> CMTimeRange {
    CMTimeRange(start: start, duration: duration)
}

/// Creates a range from a start and an end.
public func CMTimeRangeFromTimeToTime(start: CMTime, end: CMTime) -> CMTimeRange {
    CMTimeRange(start: start, end: end)
}

/// Returns the end of a range.
public func CMTimeRangeGetEnd(_ range: CMTimeRange) -> CMTime { range.end }

/// Returns the intersection of two ranges; `zero` if they don't overlap.
public func CMTimeRangeGetIntersection(
    _ range: CMTimeRange,
    otherRange: CMTimeRange
) -> CMTimeRange {
    range.intersection(otherRange)
}

/// Returns the smallest range that contains both ranges.
public func CMTimeRangeGetUnion(_ range: CMTimeRange, otherRange: CMTimeRange) -> CMTimeRange {
    range.union(otherRange)
}

/// Returns whether a range contains a time; the start is inclusive, the end exclusive.
public func CMTimeRangeContainsTime(_ range: CMTimeRange, time: CMTime) -> Bool {
    range.containsTime(time)
}

/// Returns whether a range contains another range.
public func CMTimeRangeContainsTimeRange(_ range: CMTimeRange, otherRange: CMTimeRange) -> Bool {
    range.containsTimeRange(otherRange)
}

/// Returns whether two ranges have the same start and duration.
public func CMTimeRangeEqual(_ range1: CMTimeRange, _ range2: CMTimeRange) -> Bool {
    range1 == range2
}
