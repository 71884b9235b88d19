/// A size in pixels.
///
/// The sides are never negative. Either side is zero if it is unknown.
package struct PixelSize: Codable, Hashable, Sendable {
    package var width: Int
    package var height: Int

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Returns the size after `orientation` is applied; orientations 5…8 swap the sides.
    package func displayed(with orientation: Orientation) -> PixelSize {
        orientation.swapsSides ? PixelSize(width: height, height: width) : self
    }
}

/// The rotation and mirroring of stored pixels for display: EXIF's eight values.
package enum Orientation: Int, Codable, Hashable, Sendable, CaseIterable {
    case up = 1
    case upMirrored = 2
    case down = 3
    case downMirrored = 4
    case leftMirrored = 5
    case right = 6
    case rightMirrored = 7
    case left = 8

    /// Indicates whether width and height are swapped for display.
    package var swapsSides: Bool { rawValue >= 5 }

    /// Returns the orientation for a clockwise rotation, followed by an optional horizontal flip.
    package static func turned(quarterTurns: Int, isMirrored: Bool) -> Orientation {
        switch (quarterTurns, isMirrored) {
        case (1, false): .right
        case (2, false): .down
        case (3, false): .left
        case (0, true): .upMirrored
        case (1, true): .leftMirrored
        case (2, true): .downMirrored
        case (3, true): .rightMirrored
        default: .up
        }
    }
}

/// A location on Earth in degrees (WGS 84) and meters.
package struct Location: Codable, Hashable, Sendable {
    /// Degrees, -90...90, north is positive.
    package var latitude: Double
    /// Degrees, -180...180, east is positive.
    package var longitude: Double
    /// Meters above sea level, nil when unknown.
    package var altitude: Double?

    package init(latitude: Double, longitude: Double, altitude: Double? = nil) {
        self.latitude = latitude
        self.longitude = longitude
        self.altitude = altitude
    }

    /// Indicates whether both coordinates are 0, which devices write when they have no GPS fix.
    package var isNullIsland: Bool { latitude == 0 && longitude == 0 }
}
