internal import GRDB
internal import LibraryService
internal import PhotoModel

extension FetchPlan {
    /// Whether an earlier answer can be advanced; if not, it is fetched again.
    ///
    /// A limit's window can gain objects that nothing touched.
    var canAdvance: Bool { isIncremental && limit == 0 }

    /// How an earlier answer becomes the present one.
    ///
    /// Costs one scan over the earlier ids, one statement for the touched objects, and O(log n)
    /// comparisons for each that matches.
    ///
    /// - Parameters:
    ///   - earlier: The answer at an earlier version.
    ///   - touched: What the journal names since, ascending.
    ///   - database: A read transaction.
    /// - Returns: Nil when an object that nothing touched is not there any more, which only damage can
    ///   do.
    /// - Throws: What SQLite says.
    func advance(
        _ earlier: RowIDBuffer,
        touched: ContiguousArray<Int64>,
        in database: Database
    ) throws -> ListAdvance? {
        let oldPlaces = RowIDFilter(touched).places(in: earlier.ids)
        let matches =
            touched.isEmpty ? [] : try database.rowIDs(matchingSQL, matchingArguments(touched))
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
}
