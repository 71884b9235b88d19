internal import GRDB
internal import Glibc
internal import PhotoModel

/// A place in the timeline: when and where something was captured.
///
/// Keys are in the order in which moments follow one another. Assets of equal keys are never apart.
struct TimelineKey: Hashable, Comparable {
    /// Stands for both coordinates of an asset of which no place is known; no place has it.
    static let nowhere = 1_000.0

    /// Milliseconds since 2001-01-01 00:00 by the clock on the wall where it was captured.
    var time: Int64
    var latitude: Double
    var longitude: Double

    static func < (one: TimelineKey, other: TimelineKey) -> Bool {
        (one.time, one.latitude, one.longitude) < (other.time, other.latitude, other.longitude)
    }

    /// Reads three columns of a row.
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

    /// For `(time, latitude, longitude)` in a statement.
    var arguments: StatementArguments { [time, latitude, longitude] }

    var databaseValues: [DatabaseValue] {
        [time.databaseValue, latitude.databaseValue, longitude.databaseValue]
    }

    /// Whether its place is known.
    var hasPlace: Bool { latitude < Self.nowhere }

    /// Days since 2001-01-01.
    var day: Int64 { Int64((Double(time) / 86_400_000).rounded(.down)) }

    /// Kilometres along the surface, for two of which the places are known.
    func distance(to other: TimelineKey) -> Double {
        // Pictures of one place have the very same coordinates more often than not.
        if latitude == other.latitude, longitude == other.longitude { return 0 }
        let (a, b) = (UnitVector(self), UnitVector(other))
        let chord = hypot(hypot(a.x - b.x, a.y - b.y), a.z - b.z)
        return 2 * asin(min(1, chord / 2)) * UnitVector.earthRadius
    }
}

/// A place on the globe as a vector of length one.
struct UnitVector {
    /// Kilometres.
    static let earthRadius = 6_371.0

    var x: Double
    var y: Double
    var z: Double

    init(_ key: TimelineKey) { self.init(latitude: key.latitude, longitude: key.longitude) }

    /// Degrees.
    init(latitude: Double, longitude: Double) {
        let (phi, lambda) = (latitude * .pi / 180, longitude * .pi / 180)
        x = cos(phi) * cos(lambda)
        y = cos(phi) * sin(lambda)
        z = sin(phi)
    }
}
