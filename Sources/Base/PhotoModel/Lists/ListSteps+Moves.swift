extension ListSteps {
    /// An element that is in both lists and changes its position relative to the elements that
    /// stay.
    package struct Moved: Hashable, Sendable {
        /// The element's index in the old list.
        package var old: Int
        /// The element's index in the new list.
        package var new: Int
        package init(old: Int, new: Int) {
            self.old = old
            self.new = new
        }
    }

    /// Computes the steps between two lists from the elements that were removed, inserted and
    /// moved.
    ///
    /// All other elements are in both lists in the same order. Costs O(k log k) for k given
    /// elements, independent of the lengths of the lists.
    ///
    /// - Parameters:
    ///   - removed: Indexes in the old list, ascending.
    ///   - inserted: Indexes in the new list, ascending.
    ///   - moved: The elements that move, in any order.
    ///   - changed: Indexes in the new list, ascending, of elements that are in both.
    package init(removed: [Int], insertedAt inserted: [Int], moved: [Moved], changed: [Int]) {
        self.init(removed: removed, changed: changed)
        guard !moved.isEmpty else {
            self.inserted = inserted
            return
        }
        let plan = MovePlan(removed: removed, inserted: inserted, moved: moved)
        self.inserted = plan.insertions
        moves = plan.moves
    }
}

/// Computes the source and target indexes of moves that are applied one after the other.
///
/// *Settled* elements are those that stay and those that are inserted. A *gap* is a position among
/// them, identified by the number of settled elements before it. A moving element goes from its old
/// gap to its new one. The moves are applied in the final order of their elements. At any time a
/// gap therefore contains first the elements that have arrived there, in their final order, then
/// those still waiting there, in their old order.
private struct MovePlan {
    /// The indexes of the inserted elements in the intermediate list, after all removals and
    /// insertions but before any move.
    private(set) var insertions: [Int]
    private(set) var moves: [ListSteps.Move] = []

    init(removed: [Int], inserted: [Int], moved: [ListSteps.Moved]) {
        let arriving = moved.sorted { $0.new < $1.new }
        let newGaps = arriving.enumerated().map { $1.new - $0 }
        let insertedGaps = inserted.map { place in
            place - Sorted.count(of: arriving, below: place, by: \.new)
        }
        // The number of staying elements before each inserted element.
        let stayingBefore = insertedGaps.enumerated().map { $1 - $0 }
        let waiting = moved.sorted { $0.old < $1.old }
        let oldGaps = waiting.enumerated().map { rank, element in
            let before = Sorted.count(of: removed, below: element.old)
            let staying = element.old - before - rank
            // After the last staying element and before the elements inserted there.
            return staying + Sorted.count(of: stayingBefore, below: staying)
        }
        insertions = insertedGaps.map { $0 + Sorted.count(of: oldGaps, below: $0 + 1) }

        var rankOf: [Int: Int] = [:]
        rankOf.reserveCapacity(waiting.count)
        for (rank, element) in waiting.enumerated() { rankOf[element.old] = rank }
        var stillWaiting = FenwickTree(ones: waiting.count)
        moves.reserveCapacity(arriving.count)
        for (arrived, element) in arriving.enumerated() {
            guard let rank = rankOf[element.old] else { continue }
            let (oldGap, newGap) = (oldGaps[rank], newGaps[arrived])
            let arrivedBefore = min(arrived, Sorted.count(of: newGaps, below: oldGap + 1))
            let source = oldGap + arrivedBefore + stillWaiting.sum(below: rank)
            stillWaiting.decrement(at: rank)
            let ranksBefore = Sorted.count(of: oldGaps, below: newGap)
            let target = newGap + arrived + stillWaiting.sum(below: ranksBefore)
            if source != target { moves.append(ListSteps.Move(from: source, to: target)) }
        }
    }
}

/// Queries on sorted arrays.
enum Sorted {
    /// Returns the number of elements of an ascending list that are less than a limit.
    static func count(of list: [Int], below limit: Int) -> Int {
        count(of: list, below: limit, by: \.self)
    }

    /// Returns the number of elements whose property is less than a limit.
    ///
    /// The list must be sorted by the property.
    static func count<Element>(
        of list: [Element],
        below limit: Int,
        by property: (Element) -> Int
    ) -> Int {
        list.indexPast({ property($0) < limit })
    }
}

/// A Fenwick tree, which updates one number and sums a prefix in O(log n).
private struct FenwickTree {
    private var nodes: [Int]

    /// Creates a tree of `count` numbers, all of which are 1.
    init(ones count: Int) {
        nodes = (0...count).map { $0 & -$0 }
    }

    mutating func decrement(at index: Int) {
        var node = index + 1
        while node < nodes.count {
            nodes[node] -= 1
            node += node & -node
        }
    }

    func sum(below end: Int) -> Int {
        var sum = 0
        var node = end
        while node > 0 {
            sum += nodes[node]
            node -= node & -node
        }
        return sum
    }
}
