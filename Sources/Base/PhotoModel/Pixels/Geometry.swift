/// A size in pixels.
///
/// Never negative; either side can be zero when it is unknown.
package struct PixelSize: Codable, Hashable, Sendable {
    package var width: Int
    package var height: Int

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// The size after `orientation` was applied: sides change places for 5…8.
    package func displayed(with orientation: Orientation) -> PixelSize {
        orientation.swapsSides ? PixelSize(width: height, height: width) : self
    }
}

/// How stored pixels are turned for display: EXIF's eight values.
package enum Orientation: Int, Codable, Hashable, Sendable, CaseIterable {
    case up = 1
    case upMirrored = 2
    case down = 3
    case downMirrored = 4
    case leftMirrored = 5
    case right = 6
    case rightMirrored = 7
    case left = 8

    /// Whether width and height change places on display.
    package var swapsSides: Bool { rawValue >= 5 }

    /// Turned clockwise, then mirrored left to right, when it is.
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

/// A place on Earth in degrees (WGS 84) and metres.
package struct Location: Codable, Hashable, Sendable {
    /// Degrees, -90...90, north is positive.
    package var latitude: Double
    /// Degrees, -180...180, east is positive.
    package var longitude: Double
    /// Metres above sea level, nil when unknown.
    package var altitude: Double?

    package init(latitude: Double, longitude: Double, altitude: Double? = nil) {
        self.latitude = latitude
        self.longitude = longitude
        self.altitude = altitude
    }

    /// Whether both coordinates are 0: a point at sea, and what devices write that have no fix.
    package var isNullIsland: Bool { latitude == 0 && longitude == 0 }
}
