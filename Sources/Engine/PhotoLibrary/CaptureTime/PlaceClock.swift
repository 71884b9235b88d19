internal import Foundation

/// The clocks of time zones, by the system's tz database.
enum PlaceClock {
    /// The offset that clocks in all of these zones had when they showed a wall time.
    ///
    /// Nil without zones, where clocks of two zones differ, for a zone that the system does not know,
    /// and for wall times that come twice or never, as when clocks are set back or forward.
    ///
    /// - Parameters:
    ///   - wallSeconds: Seconds between 1970 and the wall time, were it UTC.
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
        // No place is a day from UTC, so both are in effect before and after the wall time.
        let near = Set([offset(at: wallSeconds - day), offset(at: wallSeconds + day)])
        let shown = near.filter { offset(at: wallSeconds - Double($0)) == $0 }
        return shown.count == 1 ? shown.first : nil
    }
}
