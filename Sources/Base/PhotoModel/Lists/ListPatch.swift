/// A patch that produces a new list of row ids from the old one.
///
/// It does not contain objects that stay in the same order, so its size depends on the number of
/// changes.
package struct ListPatch: Codable, Hashable, Sendable {
    /// The maximum number of comparisons for computing a patch.
    private static let mostComparisons = 1_000_000

    /// The old-list indexes of the removed and moved objects, in ascending order.
    package var removed: [Int]
    /// The new-list indexes of the inserted and moved objects, in ascending order.
    package var places: [Int]
    /// The row ids of the objects at `places`.
    package var ids: RowIDBuffer

    package init(removed: [Int], places: [Int], ids: RowIDBuffer) {
        self.removed = removed
        self.places = places
        self.ids = ids
    }

    /// Creates a patch from the list steps and the resulting new list.
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

    /// Returns the new list that results from applying the patch to the old one.
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
