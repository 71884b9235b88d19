internal import Foundation
internal import GRDB
internal import PhotoModel

/// The rule that divides the timeline into moments, clusters and years.
///
/// A few lookups decide whether a group begins at an asset, since that depends only on the asset
/// and its neighbors: the preceding asset and the preceding asset with a known location. It does
/// not depend on the order of import.
///
/// - A **moment** begins with a new day, after a pause of more than six hours, or more than ten
///   kilometers from the last known location of that day. Days and times are local wall times of
///   the place of capture.
/// - A **cluster** begins with a moment in a new month, after more than three days without a
///   moment, or more than a hundred kilometers from the last known location in those days.
/// - A **year** begins with a calendar year.
struct MomentRule {
    /// The version of this rule; a library grouped under another version is regrouped.
    static let version = "1"

    static let longestPause: Int64 = 6 * 3_600_000
    static let longestWay = 10.0
    static let longestGapInDays: Int64 = 3
    static let longestJourney = 100.0

    let timeline: Timeline

    /// Returns whether a group of the given level begins at a key, which must be the key of an
    /// asset.
    ///
    /// For clusters, moments must be up to date.
    func begins(_ level: MomentLevel, at key: TimelineKey) throws -> Bool {
        guard let before = try timeline.last(before: key) else { return true }
        switch level {
        case .moment:
            if Self.dividesMoments(before, key) { return true }
            guard key.hasPlace, let place = try timeline.lastPlace(before: key) else {
                return false
            }
            return Self.dividesMoments(place: place, key)
        case .cluster:
            guard try timeline.moment(at: key) != nil else { return false }
            if Self.dividesClusters(before, key) { return true }
            guard let from = try timeline.lastPlace(before: key),
                let to = try timeline.firstPlace(from: key)
            else { return false }
            if let next = try timeline.start(of: .moment, after: key), next <= to { return false }
            return Self.dividesClusters(place: from, at: key, place: to)
        case .year: return Self.year(before) != Self.year(key)
        }
    }

    /// Returns whether two neighboring assets belong to different moments, judging by their times.
    static func dividesMoments(_ before: TimelineKey, _ key: TimelineKey) -> Bool {
        before.day != key.day || key.time - before.time > longestPause
    }

    /// Returns whether two consecutive located assets belong to different moments, judging by their
    /// locations.
    static func dividesMoments(place: TimelineKey, _ key: TimelineKey) -> Bool {
        place.day == key.day && place.distance(to: key) > longestWay
    }

    /// Returns whether two consecutive moments belong to different clusters, judging by their
    /// times.
    ///
    /// `before` is the last asset of the first moment, and `key` is the first asset of the second.
    static func dividesClusters(_ before: TimelineKey, _ key: TimelineKey) -> Bool {
        month(before) != month(key) || key.day - before.day > longestGapInDays
    }

    /// Returns whether two consecutive moments belong to different clusters, judging by their
    /// locations.
    ///
    /// `place` is the last known location before the second moment, and `first` is the first known
    /// location in it.
    static func dividesClusters(place: TimelineKey, at key: TimelineKey, place first: TimelineKey)
        -> Bool
    {
        !dividesClusters(place, key) && place.distance(to: first) > longestJourney
    }

    /// Returns the local year of a timeline key.
    static func year(_ key: TimelineKey) -> Int { civil(key.day).year }

    /// Returns a number that identifies the local year and month of a timeline key.
    static func month(_ key: TimelineKey) -> Int {
        let date = civil(key.day)
        return date.year * 12 + date.month - 1
    }

    /// Returns the Gregorian date for a number of days since 2001-01-01.
    ///
    /// Years are counted from March, so that the leap day is the last of a year.
    static func civil(_ day: Int64) -> (year: Int, month: Int, day: Int) {
        let shifted = day + 730_791  // since 0000-03-01
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let ofEra = shifted - era * 146_097
        let years = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * years + years / 4 - years / 100)
        let march = (5 * ofYear + 2) / 153
        let month = march < 10 ? march + 3 : march - 9
        let year = years + era * 400 + (month <= 2 ? 1 : 0)
        return (Int(year), Int(month), Int(ofYear - (153 * march + 2) / 5 + 1))
    }
}
