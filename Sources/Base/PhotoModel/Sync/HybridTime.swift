/// A time of a hybrid logical clock.
///
/// The upper 44 bits are milliseconds since 1970, and the lower 20 bits are a counter.
package struct HybridTime: Hashable, Comparable, Sendable {
    package var rawValue: UInt64

    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    package static let zero = HybridTime(rawValue: 0)

    /// The milliseconds since 1970, usually from the wall clock of the issuing device.
    ///
    /// If that clock was behind the highest time that the device had issued or observed, the value
    /// is from that time.
    package var milliseconds: UInt64 { rawValue >> 20 }

    /// The maximum raw value of a wall-clock time; later times are clamped to it.
    ///
    /// It is half of `limit`, so a clock that is far ahead leaves room for increments.
    package static let wallLimit: UInt64 = 1 << 62

    /// The lowest invalid raw value; a segment that contains a time with this or a higher raw value
    /// is rejected.
    package static let limit: UInt64 = 1 << 63

    package static func < (left: HybridTime, right: HybridTime) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// A hybrid logical clock, which orders edits even if wall clocks are wrong.
///
/// An edit that is made after another one was observed has a later time.
package struct HybridClock: Sendable {
    /// The highest time that was returned or observed.
    package private(set) var last = HybridTime.zero

    package init() {}

    /// Creates a clock that continues after the highest time that was returned or observed before.
    package init(last: HybridTime) { self.last = last }

    /// Returns the time of a new commit, which is later than all times that were returned or
    /// observed.
    ///
    /// The wall clock, in milliseconds since 1970, may be wrong by any amount.
    package mutating func next(now: UInt64) -> HybridTime {
        let wall = now >= HybridTime.wallLimit >> 20 ? HybridTime.wallLimit : now << 20
        last = HybridTime(rawValue: max(min(last.rawValue, HybridTime.limit - 2) + 1, wall))
        return last
    }

    /// Advances the clock so that its next time is later than the given time of another device.
    package mutating func observe(_ time: HybridTime) {
        guard time.rawValue < HybridTime.limit else { return }
        last = max(last, time)
    }
}
