/// A stretch of time: from its start on, up to and without its end.
public struct CMTimeRange: Sendable, Hashable {
    /// Where it begins.
    public var start: CMTime
    /// How long it is.
    public var duration: CMTime

    /// An invalid range.
    public init() {
        self.init(start: .invalid, duration: .invalid)
    }

    /// A range by its start and its length.
    public init(start: CMTime, duration: CMTime) {
        self.start = start
        self.duration = duration
    }

    /// A range by its ends.
    public init(start: CMTime, end: CMTime) {
        self.init(start: start, duration: end - start)
    }

    /// Nothing, at zero.
    public static let zero = CMTimeRange(start: .zero, duration: .zero)
    /// No range at all.
    public static let invalid = CMTimeRange()

    /// Where it ends.
    public var end: CMTime { start + duration }

    /// Whether it has a start and a length that is not negative.
    public var isValid: Bool {
        start.isValid && duration.isValid && duration.epoch == 0
            && !(duration.isNumeric && duration.value < 0) && !duration.isNegativeInfinity
    }

    /// Whether it has no length.
    public var isEmpty: Bool { isValid && duration == .zero }

    /// Whether it is valid, but its start or its length is not known.
    public var isIndefinite: Bool { isValid && (start.isIndefinite || duration.isIndefinite) }

    /// Whether a time is in it: its start is, its end is not.
    public func containsTime(_ time: CMTime) -> Bool {
        isValid && time.isValid && start <= time && time < end
    }

    /// Whether all of another range is in it.
    public func containsTimeRange(_ range: CMTimeRange) -> Bool {
        isValid && range.isValid && start <= range.start && range.end <= end
    }

    /// What both have in common; `zero` where that is nothing.
    public func intersection(_ otherRange: CMTimeRange) -> CMTimeRange {
        guard isValid, otherRange.isValid else { return .invalid }
        let begin = max(start, otherRange.start)
        let finish = min(end, otherRange.end)
        return begin < finish ? CMTimeRange(start: begin, end: finish) : .zero
    }

    /// The smallest range that holds both.
    public func union(_ otherRange: CMTimeRange) -> CMTimeRange {
        guard isValid, otherRange.isValid else { return .invalid }
        return CMTimeRange(start: min(start, otherRange.start), end: max(end, otherRange.end))
    }
}

extension CMTimeRange: CustomStringConvertible {
    /// Start and length, for a person.
    public var description: String { "{\(start), \(duration)}" }
}
