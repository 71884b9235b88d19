public import Foundation

/// Degrees.
public typealias CLLocationDegrees = Double

/// Metres.
public typealias CLLocationDistance = Double

/// Metres; negative when unknown.
public typealias CLLocationAccuracy = Double

/// Metres per second; negative when unknown.
public typealias CLLocationSpeed = Double

/// Degrees clockwise from true north; negative when unknown.
public typealias CLLocationDirection = Double

/// A place on Earth: WGS 84, in degrees.
public struct CLLocationCoordinate2D: Sendable, Hashable {
    /// North is positive.
    public var latitude: CLLocationDegrees
    /// East is positive.
    public var longitude: CLLocationDegrees

    /// The point where the equator meets the prime meridian.
    public init() {
        self.init(latitude: 0, longitude: 0)
    }

    /// A place by its degrees.
    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// A coordinate that no place has.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(latitude: -180, longitude: -180)

/// Whether latitude is within ±90 and longitude within ±180 degrees.
public func CLLocationCoordinate2DIsValid(_ coordinate: CLLocationCoordinate2D) -> Bool {
    abs(coordinate.latitude) <= 90 && abs(coordinate.longitude) <= 180
}

/// Makes a coordinate.
public func CLLocationCoordinate2DMake(
    _ latitude: CLLocationDegrees,
    _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
    CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

/// Where something was, and when.
///
/// What is unknown follows Core Location's convention: an altitude means something only where
/// `verticalAccuracy` is not negative, speed and course only where they are not.
open class CLLocation: NSObject, NSCopying, @unchecked Sendable {
    // Unchecked because the class is open; every stored property is an immutable value.

    /// Degrees north and east.
    public let coordinate: CLLocationCoordinate2D
    /// Metres above sea level; 0 when `verticalAccuracy` is negative.
    public let altitude: CLLocationDistance
    /// The radius of uncertainty in metres; negative when the place is not valid.
    public let horizontalAccuracy: CLLocationAccuracy
    /// The uncertainty of the altitude in metres; negative when the altitude is unknown.
    public let verticalAccuracy: CLLocationAccuracy
    /// Degrees clockwise from true north; negative when unknown.
    public let course: CLLocationDirection
    /// The uncertainty of the course in degrees; negative when the course is unknown.
    public let courseAccuracy: CLLocationDirection
    /// Metres per second; negative when unknown.
    public let speed: CLLocationSpeed
    /// The uncertainty of the speed in metres per second; negative when the speed is unknown.
    public let speedAccuracy: CLLocationSpeed
    /// When it was there.
    public let timestamp: Date

    /// A place without an altitude.
    ///
    /// - Parameters:
    ///   - latitude: Degrees, north is positive.
    ///   - longitude: Degrees, east is positive.
    public convenience init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.init(
            coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude),
            altitude: 0,
            horizontalAccuracy: 0,
            verticalAccuracy: -1,
            timestamp: Date()
        )
    }

    /// A place with an altitude.
    public convenience init(
        coordinate: CLLocationCoordinate2D,
        altitude: CLLocationDistance,
        horizontalAccuracy: CLLocationAccuracy,
        verticalAccuracy: CLLocationAccuracy,
        timestamp: Date
    ) {
        self.init(
            coordinate: coordinate,
            altitude: altitude,
            horizontalAccuracy: horizontalAccuracy,
            verticalAccuracy: verticalAccuracy,
            course: -1,
            speed: -1,
            timestamp: timestamp
        )
    }

    /// A place with an altitude and a movement.
    public convenience init(
        coordinate: CLLocationCoordinate2D,
        altitude: CLLocationDistance,
        horizontalAccuracy: CLLocationAccuracy,
        verticalAccuracy: CLLocationAccuracy,
        course: CLLocationDirection,
        speed: CLLocationSpeed,
        timestamp: Date
    ) {
        self.init(
            coordinate: coordinate,
            altitude: altitude,
            horizontalAccuracy: horizontalAccuracy,
            verticalAccuracy: verticalAccuracy,
            course: course,
            courseAccuracy: -1,
            speed: speed,
            speedAccuracy: -1,
            timestamp: timestamp
        )
    }

    /// A place with an altitude, a movement, and how well that is known.
    public init(
        coordinate: CLLocationCoordinate2D,
        altitude: CLLocationDistance,
        horizontalAccuracy: CLLocationAccuracy,
        verticalAccuracy: CLLocationAccuracy,
        course: CLLocationDirection,
        courseAccuracy: CLLocationDirection,
        speed: CLLocationSpeed,
        speedAccuracy: CLLocationSpeed,
        timestamp: Date
    ) {
        self.coordinate = coordinate
        self.altitude = altitude
        self.horizontalAccuracy = horizontalAccuracy
        self.verticalAccuracy = verticalAccuracy
        self.course = course
        self.courseAccuracy = courseAccuracy
        self.speed = speed
        self.speedAccuracy = speedAccuracy
        self.timestamp = timestamp
        super.init()
    }

    /// The distance along the Earth's surface in metres, altitudes aside.
    ///
    /// Great-circle distance on a sphere of the Earth's mean radius: within 0.6 % of the distance on
    /// the ellipsoid.
    open func distance(from location: CLLocation) -> CLLocationDistance {
        let radius = 6_371_008.8
        let here = coordinate.latitude * .pi / 180
        let there = location.coordinate.latitude * .pi / 180
        let northward = sin((there - here) / 2)
        let eastward =
            sin((location.coordinate.longitude - coordinate.longitude) * .pi / 360)
        let chord = northward * northward + cos(here) * cos(there) * eastward * eastward
        return 2 * radius * asin(min(1, chord.squareRoot()))
    }

    /// Itself: a location never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Itself: a location never changes.
    open override func copy() -> Any { self }

    /// Latitude, longitude, altitude and time, for a person.
    open override var description: String {
        let height = verticalAccuracy < 0 ? "" : ", \(altitude) m"
        return "<\(coordinate.latitude), \(coordinate.longitude)\(height)> @ \(timestamp)"
    }
}
