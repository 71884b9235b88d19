// The functions of Core Media's C interface, which programs call as often as the members.

/// Makes a time of so many units; invalid when `timescale` is not positive.
public func CMTimeMake(value: Int64, timescale: Int32) -> CMTime {
    CMTime(value: value, timescale: timescale)
}

/// Makes a time of so many units on a timeline.
public func CMTimeMakeWithEpoch(value: Int64, timescale: Int32, epoch: Int64) -> CMTime {
    var time = CMTime(value: value, timescale: timescale)
    time.epoch = epoch
    return time
}

/// Makes a time near a number of seconds, as ``CMTime/init(seconds:preferredTimescale:)`` does.
public func CMTimeMakeWithSeconds(_ seconds: Double, preferredTimescale: Int32) -> CMTime {
    CMTime(seconds: seconds, preferredTimescale: preferredTimescale)
}

/// The time in seconds: not a number where it is invalid or indefinite.
public func CMTimeGetSeconds(_ time: CMTime) -> Double { time.seconds }

/// The same time with other units, as near as they allow.
public func CMTimeConvertScale(
    _ time: CMTime,
    timescale: Int32,
    method: CMTimeRoundingMethod
) -> CMTime {
    time.convertScale(timescale, method: method)
}

/// The sum.
public func CMTimeAdd(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { lhs + rhs }

/// The difference.
public func CMTimeSubtract(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { lhs - rhs }

/// The product with a whole number, in the same timescale as long as the units fit.
public func CMTimeMultiply(_ time: CMTime, multiplier: Int32) -> CMTime {
    time.multiplied(by: multiplier)
}

/// The product with any number; of at least 65,536 units a second where that is not exact.
public func CMTimeMultiplyByFloat64(_ time: CMTime, multiplier: Double) -> CMTime {
    time.multiplied(by: multiplier)
}

/// The product with a fraction; invalid when `divisor` is 0.
public func CMTimeMultiplyByRatio(
    _ time: CMTime,
    multiplier: Int32,
    divisor: Int32
) -> CMTime {
    time.multiplied(by: multiplier, over: divisor)
}

/// -1, 0 or 1: before, equal or after.
public func CMTimeCompare(_ time1: CMTime, _ time2: CMTime) -> Int32 {
    time1.order(against: time2)
}

/// The earlier of two times.
public func CMTimeMinimum(_ time1: CMTime, _ time2: CMTime) -> CMTime { min(time1, time2) }

/// The later of two times.
public func CMTimeMaximum(_ time1: CMTime, _ time2: CMTime) -> CMTime { max(time1, time2) }

/// The time without its sign.
public func CMTimeAbsoluteValue(_ time: CMTime) -> CMTime { time.magnitude }

/// Whether it is a time at all.
public func CMTIME_IS_VALID(_ time: CMTime) -> Bool { time.isValid }

/// Whether it is no time.
public func CMTIME_IS_INVALID(_ time: CMTime) -> Bool { !time.isValid }

/// Whether it is a number.
public func CMTIME_IS_NUMERIC(_ time: CMTime) -> Bool { time.isNumeric }

/// Whether it is not known.
public func CMTIME_IS_INDEFINITE(_ time: CMTime) -> Bool { time.isIndefinite }

/// Whether it comes after all others.
public func CMTIME_IS_POSITIVE_INFINITY(_ time: CMTime) -> Bool { time.isPositiveInfinity }

/// Whether it comes before all others.
public func CMTIME_IS_NEGATIVE_INFINITY(_ time: CMTime) -> Bool { time.isNegativeInfinity }

/// Makes a range by its start and its length.
public func CMTimeRangeMake(start: CMTime, duration: CMTime) -> CMTimeRange {
    CMTimeRange(start: start, duration: duration)
}

/// Makes a range by its ends.
public func CMTimeRangeFromTimeToTime(start: CMTime, end: CMTime) -> CMTimeRange {
    CMTimeRange(start: start, end: end)
}

/// Where a range ends.
public func CMTimeRangeGetEnd(_ range: CMTimeRange) -> CMTime { range.end }

/// What two ranges have in common; `zero` where that is nothing.
public func CMTimeRangeGetIntersection(
    _ range: CMTimeRange,
    otherRange: CMTimeRange
) -> CMTimeRange {
    range.intersection(otherRange)
}

/// The smallest range that holds both.
public func CMTimeRangeGetUnion(_ range: CMTimeRange, otherRange: CMTimeRange) -> CMTimeRange {
    range.union(otherRange)
}

/// Whether a time is in a range: its start is, its end is not.
public func CMTimeRangeContainsTime(_ range: CMTimeRange, time: CMTime) -> Bool {
    range.containsTime(time)
}

/// Whether all of another range is in a range.
public func CMTimeRangeContainsTimeRange(_ range: CMTimeRange, otherRange: CMTimeRange) -> Bool {
    range.containsTimeRange(otherRange)
}

/// Whether both ranges begin and end at the same times.
public func CMTimeRangeEqual(_ range1: CMTimeRange, _ range2: CMTimeRange) -> Bool {
    range1 == range2
}
