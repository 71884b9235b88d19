/// What makes a new list of row ids from the old one, for somebody who has the old one.
///
/// Objects that stay, in the same order, are not named. Its size depends on the number of changes.
package struct ListPatch: Codable, Hashable, Sendable {
    /// The most comparisons that finding a patch may take.
    private static let mostComparisons = 1_000_000

    /// The indexes in the old list of objects that leave it or move, ascending.
    package var removed: [Int]
    /// The indexes in the new list of objects that are new in it or have moved, ascending.
    package var places: [Int]
    /// The objects at `places`.
    package var ids: RowIDBuffer

    package init(removed: [Int], places: [Int], ids: RowIDBuffer) {
        self.removed = removed
        self.places = places
        self.ids = ids
    }

    /// Finds the patch to a list that some steps lead to.
    ///
    /// - Returns: Nil if there are so many moves that the whole list costs less.
    package init?(_ steps: ListSteps, to new: RowIDBuffer) {
        let moves = steps.moves.count
        guard moves * (moves + steps.inserted.count) <= Self.mostComparisons else { return nil }
        let moved = steps.movedPlaces
        let places = (steps.insertedPlaces + moved.map(\.new)).sorted()
        guard places.last.map({ $0 < new.count }) ?? true else { return nil }
        self.init(
            removed: (steps.removed + moved.map(\.old)).sorted(),
            places: places,
            ids: RowIDBuffer(places.map { new[$0] })
        )
    }

    /// Returns the new list.
    ///
    /// - Parameter old: The old list.
    /// - Returns: Nil if this is no patch for the list.
    package func applied(to old: RowIDBuffer) -> RowIDBuffer? {
        let count = old.count - removed.count + places.count
        guard places.count == ids.count, Self.isAscending(removed, below: old.count),
            Self.isAscending(places, below: count)
        else { return nil }
        let advance = ListAdvance(
            old: old.ids,
            oldPlaces: removed,
            matches: ids.ids,
            keptBefore: places.enumerated().map { $1 - $0 }
        )
        return RowIDBuffer(advance.newIDs)
    }

    private static func isAscending(_ indexes: [Int], below limit: Int) -> Bool {
        guard let first = indexes.first, let last = indexes.last else { return true }
        return first >= 0 && last < limit
            && zip(indexes, indexes.dropFirst()).allSatisfy { $0 < $1 }
    }
}
