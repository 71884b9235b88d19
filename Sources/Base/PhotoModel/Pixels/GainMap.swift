/// The parameters of a gain map, an image that states how much brighter than SDR each part of a
/// photo is.
package struct GainMap: Codable, Hashable, Sendable {
    /// The parameters of one color channel, as in ISO 21496-1 and Adobe's "Gain Map".
    package struct Channel: Codable, Hashable, Sendable {
        /// The gain in stops for a map value of 0; `maximum` is the gain for a map value of 1.
        package var minimum = 0.0
        package var maximum = 1.0
        package var gamma = 1.0
        /// The offset that is added to linear light before the gain is applied.
        ///
        /// `alternateOffset` is subtracted afterward.
        package var baseOffset = 1.0 / 64
        package var alternateOffset = 1.0 / 64

        package init() {}
    }

    /// The interpretation of the map's values.
    package enum Meaning: Codable, Hashable, Sendable {
        /// Gains in stops, for one channel or three.
        case stops([Channel])
        /// Fractions of a headroom, encoded with the sRGB transfer curve, as in Apple's original
        /// format.
        case share(ofHeadroom: Double)
    }

    package var meaning: Meaning
    /// The range of display headrooms, in stops, over which the map's weight (the share of its gain
    /// that is applied) rises from 0 to 1.
    package var capacity: ClosedRange<Double>

    package init(_ meaning: Meaning, capacity: ClosedRange<Double>) {
        self.meaning = meaning
        self.capacity = capacity
    }

    /// Returns the weight of the map for a display headroom in stops, where nil means unlimited
    /// headroom.
    package func weight(forStops stops: Double?) -> Double {
        guard let stops else { return 1 }
        let span = capacity.upperBound - capacity.lowerBound
        guard span > 0 else { return stops >= capacity.upperBound ? 1 : 0 }
        return min(1, max(0, (stops - capacity.lowerBound) / span))
    }
}
