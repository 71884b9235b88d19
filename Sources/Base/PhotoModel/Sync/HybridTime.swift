/// A time of the hybrid logical clock: milliseconds since 1970 in the upper 44 bits, a counter in
/// the lower 20.
package struct HybridTime: Hashable, Comparable, Sendable {
    package var rawValue: UInt64

    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    package static let zero = HybridTime(rawValue: 0)

    /// The milliseconds since 1970 that the wall clock contributed, or the clock that was seen.
    package var milliseconds: UInt64 { rawValue >> 20 }

    /// The highest value that a wall clock can contribute, so that a wild clock leaves as many
    /// increments again.
    package static let wallLimit: UInt64 = 1 << 62

    /// The first invalid value; a segment that contains it or a higher one is invalid.
    package static let limit: UInt64 = 1 << 63

    package static func < (left: HybridTime, right: HybridTime) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// A hybrid logical clock: an edit that is made after another one was seen has the later time,
/// whatever the wall clocks say.
package struct HybridClock: Sendable {
    /// The highest time that was given out or seen.
    package private(set) var last = HybridTime.zero

    package init() {}

    /// Creates a clock that continues after the highest time given out or seen.
    package init(last: HybridTime) { self.last = last }

    /// Returns the time of a new commit, which is after all that were given out or seen.
    ///
    /// The wall clock, in milliseconds since 1970, may be wrong by any amount.
    package mutating func next(now: UInt64) -> HybridTime {
        let wall = now >= HybridTime.wallLimit >> 20 ? HybridTime.wallLimit : now << 20
        last = HybridTime(rawValue: max(min(last.rawValue, HybridTime.limit - 2) + 1, wall))
        return last
    }

    /// Advances the clock past a time that another device gave out.
    package mutating func observe(_ time: HybridTime) {
        guard time.rawValue < HybridTime.limit else { return }
        last = max(last, time)
    }
}
