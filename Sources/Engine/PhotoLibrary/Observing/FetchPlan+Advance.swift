internal import Foundation
internal import GRDB
internal import LibraryService
internal import PhotoModel

extension FetchPlan {
    /// Whether an earlier answer can be advanced; if not, it is fetched again.
    ///
    /// A limit's window can gain objects that nothing touched.
    var canAdvance: Bool { isIncremental && limit == 0 }

    /// From so many matches on, fetching everything again may be less work than finding their places.
    static let manyMatches = 1_000
    /// How many rows are fetched in the time of one comparison.
    private static let rowsPerComparison = 16.0

    /// How an earlier answer becomes the present one.
    ///
    /// Costs one scan over the earlier ids, one statement for the touched objects, and O(log n)
    /// comparisons for each that matches; or, where that is less, one more fetch.
    ///
    /// - Parameters:
    ///   - earlier: The answer at an earlier version.
    ///   - touched: What the journal names since, ascending.
    ///   - many: From how many matches on everything may be fetched again.
    ///   - database: A read transaction.
    /// - Returns: Nil when an object that nothing touched is not there any more, which only damage can
    ///   do.
    /// - Throws: What SQLite says.
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

    /// Whether fetching all is less work than finding the places of some in a list.
    ///
    /// A fetch costs what its answer has, or what the library has: the answer has to be a good part of it.
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
