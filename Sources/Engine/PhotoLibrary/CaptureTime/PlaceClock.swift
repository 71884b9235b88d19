internal import Foundation

/// Determines UTC offsets of time zones from the system's tz database.
enum PlaceClock {
    /// Returns the UTC offset that all the given zones had in common at a wall time.
    ///
    /// Nil if there are no zones, if the zones' offsets differ, if the system does not know a zone,
    /// or if the wall time occurs twice or never because clocks are set back or forward.
    ///
    /// - Parameters:
    ///   - wallSeconds: Seconds from 1970 to the wall time, interpreted as UTC.
    ///   - zones: Names of the tz database.
    /// - Returns: Seconds east of UTC.
    static func offset(ofWallSeconds wallSeconds: Double, zones: [String]) -> Int? {
        var shared: Int?
        for name in zones {
            guard let zone = TimeZone(identifier: name),
                let offset = Self.offset(ofWallSeconds: wallSeconds, in: zone),
                offset == shared ?? offset
            else { return nil }
            shared = offset
        }
        return shared
    }

    private static func offset(ofWallSeconds wallSeconds: Double, in zone: TimeZone) -> Int? {
        let day = 86_400.0
        func offset(at seconds: Double) -> Int {
            zone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds))
        }
        // No zone is a day from UTC, so the two instants enclose the wall time and have its
        // possible offsets.
        let near = Set([offset(at: wallSeconds - day), offset(at: wallSeconds + day)])
        let shown = near.filter { offset(at: wallSeconds - Double($0)) == $0 }
        return shown.count == 1 ? shown.first : nil
    }
}
