internal import Foundation
internal import GRDB
internal import PhotoModel

/// The totals of a group of assets: asset counts, date range and sum of locations.
///
/// Locations are summed as integers, so that the sum does not depend on the order.
struct MomentTotals: Equatable {
    /// The number of assets.
    var count = 0
    /// The earliest date, in seconds since 2001-01-01 UTC; `endDate` is the latest.
    var startDate = Double.infinity
    var endDate = -Double.infinity
    /// The number of assets with a location.
    var placeCount = 0
    /// The x component of the sum of the location vectors, each of length 10⁹.
    ///
    /// `y` and `z` are the other components.
    var x: Int64 = 0
    var y: Int64 = 0
    var z: Int64 = 0

    private static let scale = 1e9

    /// A location as a vector of length 10⁹, with its coordinates.
    struct Place {
        fileprivate var x: Int64
        fileprivate var y: Int64
        fileprivate var z: Int64
        private let latitude: Double
        private let longitude: Double

        init(_ key: TimelineKey) {
            let vector = UnitVector(key)
            x = MomentTotals.whole(vector.x)
            y = MomentTotals.whole(vector.y)
            z = MomentTotals.whole(vector.z)
            (latitude, longitude) = (key.latitude, key.longitude)
        }

        /// Returns whether a key has exactly this location, which is common for neighbors in the
        /// timeline.
        func isPlace(of key: TimelineKey) -> Bool {
            latitude == key.latitude && longitude == key.longitude
        }
    }

    /// Adds an asset.
    mutating func add(_ key: TimelineKey, date: Double) {
        add(key.hasPlace ? Place(key) : nil, date: date)
    }

    /// Adds an asset at a place, or without a location.
    mutating func add(_ place: Place?, date: Double) {
        count += 1
        startDate = min(startDate, date)
        endDate = max(endDate, date)
        if let place { add(place, sign: 1) }
    }

    /// Removes an asset.
    ///
    /// Returns false if it may have been the first or the last; the dates must then be queried.
    mutating func remove(_ key: TimelineKey, date: Double) -> Bool {
        count -= 1
        if key.hasPlace { add(Place(key), sign: -1) }
        return startDate < date && date < endDate
    }

    /// Adds the totals of another group.
    mutating func add(_ other: MomentTotals) {
        count += other.count
        startDate = min(startDate, other.startDate)
        endDate = max(endDate, other.endDate)
        placeCount += other.placeCount
        x &+= other.x
        y &+= other.y
        z &+= other.z
    }

    private mutating func add(_ place: Place, sign: Int64) {
        placeCount += Int(sign)
        x &+= sign &* place.x
        y &+= sign &* place.y
        z &+= sign &* place.z
    }

    private static func whole(_ length: Double) -> Int64 {
        Int64(exactly: (length * scale).rounded()) ?? 0
    }

    /// Returns the center of the locations; nil if there are none or they are spread around the
    /// globe.
    static func place(count: Int, x: Int64, y: Int64, z: Int64) -> Location? {
        let (x, y, z) = (Double(x), Double(y), Double(z))
        let flat = (x * x + y * y).squareRoot()
        guard count > 0, (flat * flat + z * z).squareRoot() > 1e-3 * scale else { return nil }
        return Location(
            latitude: atan2(z, flat) * 180 / .pi,
            longitude: atan2(y, x) * 180 / .pi
        )
    }
}

/// A row of `moment`.
struct MomentRow {
    var id: Int64
    var level: MomentLevel
    var start: TimelineKey
    var totals: MomentTotals

    /// The columns that `init(_:)` reads, in order.
    static let columns = """
        id, level, time, latitude, longitude, assetCount, startDate, endDate, placeCount, x, y, z
        """

    /// Reads the columns of a statement's row.
    init(_ reader: borrowing StatementReader) {
        id = Int64(reader.integer(0))
        level = MomentLevel(rawValue: reader.integer(1)) ?? .moment
        start = TimelineKey(
            time: Int64(reader.integer(2)),
            latitude: reader.real(3),
            longitude: reader.real(4)
        )
        totals = MomentTotals(
            count: reader.integer(5),
            startDate: reader.real(6),
            endDate: reader.real(7),
            placeCount: reader.integer(8),
            x: Int64(reader.integer(9)),
            y: Int64(reader.integer(10)),
            z: Int64(reader.integer(11))
        )
    }

    init(_ row: Row) {
        id = row[0]
        level = MomentLevel(rawValue: row[1]) ?? .moment
        start = TimelineKey(row, at: 2)
        totals = MomentTotals(
            count: row[5],
            startDate: row[6],
            endDate: row[7],
            placeCount: row[8],
            x: row[9],
            y: row[10],
            z: row[11]
        )
    }
}
