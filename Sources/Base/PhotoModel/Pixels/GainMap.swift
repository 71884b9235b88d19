/// How a small picture beside a photo says which parts of it are brighter than white.
package struct GainMap: Codable, Hashable, Sendable {
    /// Of one colour; ISO 21496-1 and Adobe's "Gain Map" have these numbers.
    package struct Channel: Codable, Hashable, Sendable {
        /// Stops at the map's 0 and at its 1.
        package var minimum = 0.0
        package var maximum = 1.0
        package var gamma = 1.0
        /// Added to light before it is multiplied, and taken away after that.
        package var baseOffset = 1.0 / 64
        package var alternateOffset = 1.0 / 64

        package init() {}
    }

    /// How the map's numbers are meant.
    package enum Meaning: Codable, Hashable, Sendable {
        /// Stops, by channel: one or three.
        case stops([Channel])
        /// As Apple's cameras wrote it first: how much of a headroom, by sRGB's curve.
        case share(ofHeadroom: Double)
    }

    package var meaning: Meaning
    /// The headroom in stops from which on the map counts, and at which it counts in full.
    package var capacity: ClosedRange<Double>

    package init(_ meaning: Meaning, capacity: ClosedRange<Double>) {
        self.meaning = meaning
        self.capacity = capacity
    }

    /// How much of the map counts where pixels may be so many stops brighter than white; nil for as bright
    /// as they are.
    package func weight(forStops stops: Double?) -> Double {
        guard let stops else { return 1 }
        let span = capacity.upperBound - capacity.lowerBound
        guard span > 0 else { return stops >= capacity.upperBound ? 1 : 0 }
        return min(1, max(0, (stops - capacity.lowerBound) / span))
    }
}
