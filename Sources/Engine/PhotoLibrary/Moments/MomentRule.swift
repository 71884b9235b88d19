internal import Foundation
internal import GRDB
internal import PhotoModel

/// What keeps assets together: where moments, clusters and years begin in the timeline.
///
/// Whether a group begins at an asset follows from that asset and its neighbours, the one before it
/// and the one before it whose place is known: so it can be told by a few look-ups, and does not
/// depend on what came to the library first.
///
/// - A **moment** begins on another day, after a pause of more than six hours, and more than ten
///   kilometres from the last known place of that day. Days and times are those of the clock on the
///   wall where the picture was taken.
/// - A **cluster** begins with a moment, in another month, after more than three days without one,
///   and more than a hundred kilometres from the last place known in those days.
/// - A **year** begins with a year.
struct MomentRule {
    /// Of this rule: where a library was grouped by another one, it is grouped anew.
    static let version = "1"

    static let longestPause: Int64 = 6 * 3_600_000
    static let longestWay = 10.0
    static let longestGapInDays: Int64 = 3
    static let longestJourney = 100.0

    let timeline: Timeline

    /// Whether a group of a level begins at a key at which there is an asset.
    ///
    /// For clusters, moments have to be settled.
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

    /// Whether two neighbours are of two moments by their times.
    static func dividesMoments(_ before: TimelineKey, _ key: TimelineKey) -> Bool {
        before.day != key.day || key.time - before.time > longestPause
    }

    /// Whether two neighbours among those with places are of two moments by their places.
    static func dividesMoments(place: TimelineKey, _ key: TimelineKey) -> Bool {
        place.day == key.day && place.distance(to: key) > longestWay
    }

    /// Whether the last asset of a moment and the first of the next are of two clusters by their times.
    static func dividesClusters(_ before: TimelineKey, _ key: TimelineKey) -> Bool {
        month(before) != month(key) || key.day - before.day > longestGapInDays
    }

    /// Whether the last known place before a moment, and the first in it, are of two clusters.
    static func dividesClusters(place: TimelineKey, at key: TimelineKey, place first: TimelineKey)
        -> Bool
    {
        !dividesClusters(place, key) && place.distance(to: first) > longestJourney
    }

    /// The year on the wall.
    static func year(_ key: TimelineKey) -> Int { civil(key.day).year }

    /// A number for the month and the year on the wall.
    static func month(_ key: TimelineKey) -> Int {
        let date = civil(key.day)
        return date.year * 12 + date.month - 1
    }

    /// The Gregorian date of a day since 2001-01-01.
    ///
    /// Years are counted from March, so that the day that comes and goes is the last.
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
