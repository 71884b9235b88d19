/// The steps from one list to another, with the index rules of PhotoKit's
/// `PHFetchResultChangeDetails` (behaviors 91–96).
///
/// The steps are applied in this order: `removed` from the old list, all at once; `inserted` into
/// the remaining list, in ascending order; then the moves one after the other. The result is the
/// new list.
package struct ListSteps: Codable, Hashable, Sendable {
    /// The move of one element: it is removed at `source`, then inserted at `target`.
    package struct Move: Codable, Hashable, Sendable {
        package var source: Int
        package var target: Int
        package init(from source: Int, to target: Int) {
            self.source = source
            self.target = target
        }
    }

    /// The indexes of the removed elements in the old list, in ascending order.
    package var removed: [Int]
    /// The indexes of the inserted elements in the intermediate list before the moves, in ascending
    /// order.
    ///
    /// They refer to the list after removals and insertions, and before moves.
    package var inserted: [Int]
    /// The new-list indexes of the changed elements that are in both lists, in ascending order.
    package var changed: [Int]
    /// The moves in the order in which they are applied.
    package var moves: [Move]

    package init(
        removed: [Int] = [],
        inserted: [Int] = [],
        changed: [Int] = [],
        moves: [Move] = []
    ) {
        self.removed = removed
        self.inserted = inserted
        self.changed = changed
        self.moves = moves
    }

    /// Indicates whether the lists are equal and no element changed.
    package var isEmpty: Bool {
        removed.isEmpty && inserted.isEmpty && changed.isEmpty && moves.isEmpty
    }
}
