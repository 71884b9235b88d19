internal import Foundation
internal import GRDB
internal import LibraryService
internal import PhotoModel

extension FetchPlan {
    /// Indicates whether an earlier result can be updated without a new fetch.
    ///
    /// With a limit, untouched objects can enter the result.
    var canAdvance: Bool { isIncremental && limit == 0 }

    /// The minimum number of matches for which repeating the fetch may cost less than finding the
    /// positions of the matches.
    static let manyMatches = 1_000
    /// The number of rows that a fetch can return in the time of one comparison.
    private static let rowsPerComparison = 16.0

    /// Computes the changes from an earlier result to the current one.
    ///
    /// Costs one scan over the earlier ids, one statement for the touched objects, and O(log n)
    /// comparisons for each match, or a new fetch if that costs less.
    ///
    /// - Parameters:
    ///   - earlier: The result at an earlier version.
    ///   - touched: The objects in the journal since then, ascending.
    ///   - many: The number of matches from which everything may be fetched again.
    ///   - database: A read transaction.
    /// - Returns: Nil if an untouched object no longer exists, which only happens in a damaged
    ///   database.
    /// - Throws: SQLite's error.
    func advance(
        _ earlier: RowIDBuffer,
        touched: ContiguousArray<Int64>,
        many: Int = manyMatches,
        in database: Database
    ) throws -> ListAdvance? {
        let filter = RowIDFilter(touched)
        let oldPlaces = filter.places(in: earlier.ids)
        let matches =
            touched.isEmpty ? [] : try database.rowIDs(matchingSQL, matchingArguments(touched))
        if matches.count >= many, try isFetchingLess(matches.count, in: earlier.count, database) {
            let present = try database.rowIDs(sql, allArguments)
            let newPlaces = filter.places(in: present)
            guard
                Self.isSame(
                    GappedList(earlier.ids, leavingOut: oldPlaces),
                    GappedList(present, leavingOut: newPlaces)
                )
            else { return nil }
            return ListAdvance(
                old: earlier.ids,
                oldPlaces: oldPlaces,
                matches: ContiguousArray(newPlaces.map { present[$0] }),
                keptBefore: newPlaces.enumerated().map { $1 - $0 }
            )
        }
        let kept = GappedList(earlier.ids, leavingOut: oldPlaces)
        let places =
            matches.isEmpty ? [] : try PlaceFinder(self, in: database).places(of: matches, in: kept)
        return places.map { places in
            ListAdvance(
                old: earlier.ids,
                oldPlaces: oldPlaces,
                matches: matches,
                keptBefore: places
            )
        }
    }

    /// Returns whether a new fetch costs less than finding the positions of the matches in the
    /// earlier result.
    ///
    /// A fetch costs as much as its result or as the whole library, so the result must be a good
    /// part of the library.
    private func isFetchingLess(
        _ matches: Int,
        in count: Int,
        _ database: Database
    ) throws -> Bool {
        let steps = max(1, log2(Double(count) / Double(max(1, matches))))
        guard Double(matches) * steps * Self.rowsPerComparison > Double(count) else { return false }
        guard album == nil else { return true }
        let rows = try Int.fetchOne(
            database.cachedStatement(sql: "SELECT max(id) FROM \(table)")
        )
        return count > (rows ?? 0) / 4
    }

    private static func isSame(_ one: GappedList, _ other: GappedList) -> Bool {
        guard one.count == other.count else { return false }
        var place = other.runs.makeIterator()
        var rest = place.next() ?? 0..<0
        for run in one.runs {
            var run = run
            while !run.isEmpty {
                while rest.isEmpty {
                    guard let next = place.next() else { return false }
                    rest = next
                }
                let length = min(run.count, rest.count)
                guard
                    one.list[run.lowerBound..<run.lowerBound + length]
                        == other.list[rest.lowerBound..<rest.lowerBound + length]
                else { return false }
                run.removeFirst(length)
                rest.removeFirst(length)
            }
        }
        return true
    }
}
