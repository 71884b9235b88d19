/// How one list becomes another, in the steps and with the index rules of PhotoKit's change details
/// (behaviours 91–96).
///
/// Applied in this order: `removed` from the old list, all at once; `inserted` into what is left,
/// in ascending order; then the moves one after the other. The result is the new list.
package struct ListSteps: Codable, Hashable, Sendable {
    /// One element that changes its place: taken out at `source`, then put in at `target`.
    package struct Move: Codable, Hashable, Sendable {
        package var source: Int
        package var target: Int
        package init(from source: Int, to target: Int) {
            self.source = source
            self.target = target
        }
    }

    /// Indexes in the old list, ascending.
    package var removed: [Int]
    /// Indexes in the old list without what was removed, ascending.
    package var inserted: [Int]
    /// Indexes in the new list of elements that were in the old one and changed, ascending.
    package var changed: [Int]
    /// In the order in which they are applied.
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

    /// Whether nothing changes, not even an element in its place.
    package var isEmpty: Bool {
        removed.isEmpty && inserted.isEmpty && changed.isEmpty && moves.isEmpty
    }
}
