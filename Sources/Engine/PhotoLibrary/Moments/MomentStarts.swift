internal import PhotoModel

/// Determines the starts of all groups in one pass over the timeline.
///
/// Implements the same rule as `MomentRule.begins`; the two must agree.
struct MomentStarts {
    private(set) var keys: [MomentLevel: [TimelineKey]] = [:]
    private var last: TimelineKey?
    private var lastPlace: TimelineKey?
    /// A moment that starts a cluster only if its first location is far from the previous location.
    private var undecided: (start: TimelineKey, from: TimelineKey)?

    /// Adds the next key; repeating the same key has no effect.
    ///
    /// - Returns: Whether a moment begins at the key; every cluster and year begins with a moment.
    @discardableResult
    mutating func add(_ key: TimelineKey) -> Bool {
        defer {
            last = key
            if key.hasPlace { lastPlace = key }
        }
        guard let last else {
            for level in MomentLevel.allCases { begin(level, key) }
            return true
        }
        guard last != key else { return false }
        if last.day != key.day, MomentRule.year(last) != MomentRule.year(key) { begin(.year, key) }
        var beginsMoment = MomentRule.dividesMoments(last, key)
        if !beginsMoment, key.hasPlace, let lastPlace {
            beginsMoment = MomentRule.dividesMoments(place: lastPlace, key)
        }
        if beginsMoment {
            begin(.moment, key)
            undecided = nil
            if MomentRule.dividesClusters(last, key) {
                begin(.cluster, key)
            } else if let lastPlace {
                undecided = (key, lastPlace)
            }
        }
        guard key.hasPlace, let (start, from) = undecided else { return beginsMoment }
        undecided = nil
        if MomentRule.dividesClusters(place: from, at: start, place: key) { begin(.cluster, start) }
        return beginsMoment
    }

    private mutating func begin(_ level: MomentLevel, _ key: TimelineKey) {
        keys[level, default: []].append(key)
    }
}
