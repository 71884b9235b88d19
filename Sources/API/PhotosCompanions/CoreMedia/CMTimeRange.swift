/// A half-open time range that includes its start and excludes its end.
public struct CMTimeRange: Sendable, Hashable {
    /// The start of the range.
    public var start: CMTime
    /// The duration of the range.
    public var duration: CMTime

    /// Creates an invalid range.
    public init() {
        self.init(start: .invalid, duration: .invalid)
    }

    /// Creates a range from a start and a duration.
    public init(start: CMTime, duration: CMTime) {
        self.start = start
        self.duration = duration
    }

    /// Creates a range from a start and an end.
    public init(start: CMTime, end: CMTime) {
        self.init(start: start, duration: end - start)
    }

    /// An empty range at zero.
    public static let zero = CMTimeRange(start: .zero, duration: .zero)
    /// The invalid range.
    public static let invalid = CMTimeRange()

    /// The end of the range, which the range does not contain.
    public var end: CMTime { start + duration }

    /// A Boolean value that indicates whether start and duration are valid and the duration is not
    /// negative.
    public var isValid: Bool {
        start.isValid && duration.isValid && duration.epoch == 0
            && !(duration.isNumeric && duration.value < 0) && !duration.isNegativeInfinity
    }

    /// A Boolean value that indicates whether the range is valid and its duration is zero.
    public var isEmpty: Bool { isValid && duration == .zero }

    /// A Boolean value that indicates whether the range is valid and its start or duration is
    /// indefinite.
    public var isIndefinite: Bool { isValid && (start.isIndefinite || duration.isIndefinite) }

    /// Returns whether the range contains a time; the start is inclusive, the end exclusive.
    public func containsTime(_ time: CMTime) -> Bool {
        isValid && time.isValid && start <= time && time < end
    }

    /// Returns whether the range contains another range.
    public func containsTimeRange(_ range: CMTimeRange) -> Bool {
        isValid && range.isValid && start <= range.start && range.end <= end
    }

    /// Returns the intersection with another range; `zero` if they don't overlap.
    public func intersection(_ otherRange: CMTimeRange) -> CMTimeRange {
        guard isValid, otherRange.isValid else { return .invalid }
        let begin = max(start, otherRange.start)
        let finish = min(end, otherRange.end)
        return begin < finish ? CMTimeRange(start: begin, end: finish) : .zero
    }

    /// Returns the smallest range that contains both ranges.
    public func union(_ otherRange: CMTimeRange) -> CMTimeRange {
        guard isValid, otherRange.isValid else { return .invalid }
        return CMTimeRange(start: min(start, otherRange.start), end: max(end, otherRange.end))
    }
}

extension CMTimeRange: CustomStringConvertible {
    /// A debug description with start and duration.
    public var description: String { "{\(start), \(duration)}" }
}
