public import Foundation

/// An angle in degrees.
public typealias CLLocationDegrees = Double

/// A distance in meters.
public typealias CLLocationDistance = Double

/// An accuracy in meters; negative if invalid.
public typealias CLLocationAccuracy = Double

/// A speed in meters per second; negative if invalid.
public typealias CLLocationSpeed = Double

/// A direction in degrees clockwise from true north; negative if invalid.
public typealias CLLocationDirection = Double

/// A WGS 84 coordinate, in degrees.
public struct CLLocationCoordinate2D: Sendable, Hashable {
    /// The latitude; positive values are north of the equator.
    public var latitude: CLLocationDegrees
    /// The longitude; positive values are east of the prime meridian.
    public var longitude: CLLocationDegrees

    /// Creates a coordinate at the intersection of the equator and the prime meridian.
    public init() {
        self.init(latitude: 0, longitude: 0)
    }

    /// Creates a coordinate.
    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// An invalid coordinate.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(latitude: -180, longitude: -180)

/// Returns whether latitude is within ±90 and longitude within ±180 degrees.
public func CLLocationCoordinate2DIsValid(_ coordinate: CLLocationCoordinate2D) -> Bool {
    abs(coordinate.latitude) <= 90 && abs(coordinate.longitude) <= 180
}

/// Creates a coordinate.
public func CLLocationCoordinate2DMake(
    _ latitude: CLLocationDegrees,
    _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
    CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

/// A location at a point in time.
///
/// Unknown values follow Core Location's convention: the altitude is valid only if
/// `verticalAccuracy` is positive, and speed and course only if they are not negative themselves.
open class CLLocation: NSObject, NSCopying, @unchecked Sendable {
    // Unchecked because the class is open; every stored property is an immutable value.

    /// The latitude and longitude in degrees.
    public let coordinate: CLLocationCoordinate2D
    /// The altitude above sea level in meters; valid only if `verticalAccuracy` is positive.
    public let altitude: CLLocationDistance
    /// The radius of uncertainty in meters; negative if the coordinate is invalid.
    public let horizontalAccuracy: CLLocationAccuracy
    /// The uncertainty of the altitude in meters; 0 or negative if the altitude is unknown.
    public let verticalAccuracy: CLLocationAccuracy
    /// The course in degrees clockwise from true north; negative if unknown.
    public let course: CLLocationDirection
    /// The uncertainty of the course in degrees; negative if the course is unknown.
    public let courseAccuracy: CLLocationDirection
    /// The speed in meters per second; negative if unknown.
    public let speed: CLLocationSpeed
    /// The uncertainty of the speed in meters per second; negative if the speed is unknown.
    public let speedAccuracy: CLLocationSpeed
    /// The time at which the location was determined.
    public let timestamp: Date

    /// Creates a location without an altitude, with the current time.
    ///
    /// - Parameters:
    ///   - latitude: Degrees; north is positive.
    ///   - longitude: Degrees; east is positive.
    public convenience init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.init(
            coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude),
            altitude: 0,
            horizontalAccuracy: 0,
            verticalAccuracy: -1,
            timestamp: Date()
        )
    }

    /// Creates a location with an altitude.
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

    /// Creates a location with altitude, course and speed.
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

    /// Creates a location with altitude, course and speed, and the accuracy of each.
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

    /// Returns the distance along the Earth's surface in meters, ignoring altitude.
    ///
    /// This is the great-circle distance on a sphere of the Earth's mean radius. It deviates at
    /// most 0.6 % from the distance on the ellipsoid.
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

    /// Returns the location itself, because locations are immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns the location itself, because locations are immutable.
    open override func copy() -> Any { self }

    /// A debug description with latitude, longitude, altitude and time.
    open override var description: String {
        let height = verticalAccuracy > 0 ? ", \(altitude) m" : ""
        return "<\(coordinate.latitude), \(coordinate.longitude)\(height)> @ \(timestamp)"
    }
}
