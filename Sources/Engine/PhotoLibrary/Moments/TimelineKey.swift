internal import GRDB
internal import Glibc
internal import PhotoModel

/// A position in the timeline: the time and location of capture.
///
/// Keys are in the order of moments. Assets with equal keys are never separated.
struct TimelineKey: Hashable, Comparable {
    /// The value of both coordinates for an asset without a known location; it is not a valid
    /// coordinate.
    static let nowhere = 1_000.0

    /// Milliseconds since 2001-01-01 00:00, in the local wall time of the capture.
    var time: Int64
    var latitude: Double
    var longitude: Double

    static func < (one: TimelineKey, other: TimelineKey) -> Bool {
        (one.time, one.latitude, one.longitude) < (other.time, other.latitude, other.longitude)
    }

    /// Reads a key from three consecutive columns of a row.
    init(_ row: Row, at index: Int = 0) {
        time = row[index]
        latitude = row[index + 1]
        longitude = row[index + 2]
    }

    /// Reads the first three columns of a statement's row.
    init(_ reader: borrowing StatementReader) {
        time = Int64(reader.integer(0))
        latitude = reader.real(1)
        longitude = reader.real(2)
    }

    init(time: Int64, latitude: Double, longitude: Double) {
        self.time = time
        self.latitude = latitude
        self.longitude = longitude
    }

    /// The statement arguments for the columns `(time, latitude, longitude)`.
    var arguments: StatementArguments { [time, latitude, longitude] }

    var databaseValues: [DatabaseValue] {
        [time.databaseValue, latitude.databaseValue, longitude.databaseValue]
    }

    /// Indicates whether the location is known.
    var hasPlace: Bool { latitude < Self.nowhere }

    /// The number of days since 2001-01-01.
    var day: Int64 { Int64((Double(time) / 86_400_000).rounded(.down)) }

    /// Returns the great-circle distance to another key in kilometers; both locations must be
    /// known.
    func distance(to other: TimelineKey) -> Double {
        // Pictures of one place usually have identical coordinates.
        if latitude == other.latitude, longitude == other.longitude { return 0 }
        let (a, b) = (UnitVector(self), UnitVector(other))
        let chord = hypot(hypot(a.x - b.x, a.y - b.y), a.z - b.z)
        return 2 * asin(min(1, chord / 2)) * UnitVector.earthRadius
    }
}

/// A location on the globe as a unit vector.
struct UnitVector {
    /// The radius of the Earth in kilometers.
    static let earthRadius = 6_371.0

    var x: Double
    var y: Double
    var z: Double

    init(_ key: TimelineKey) { self.init(latitude: key.latitude, longitude: key.longitude) }

    /// Creates the vector of coordinates in degrees.
    init(latitude: Double, longitude: Double) {
        let (phi, lambda) = (latitude * .pi / 180, longitude * .pi / 180)
        x = cos(phi) * cos(lambda)
        y = cos(phi) * sin(lambda)
        z = sin(phi)
    }
}
