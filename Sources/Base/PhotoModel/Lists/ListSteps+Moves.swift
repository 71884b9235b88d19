extension ListSteps {
    /// An element that is in both lists, and does not stay where it is among the others that do.
    package struct Moved: Hashable, Sendable {
        /// Its index in the old list.
        package var old: Int
        /// Its index in the new list.
        package var new: Int
        package init(old: Int, new: Int) {
            self.old = old
            self.new = new
        }
    }

    /// The steps between two lists of which it is known what is not in both, and what moves.
    ///
    /// All other elements are in both lists in the same order. Costs O(k log k) for k elements that are
    /// named, however long the lists are.
    ///
    /// - Parameters:
    ///   - removed: Indexes in the old list, ascending.
    ///   - inserted: Indexes in the new list, ascending.
    ///   - moved: In any order.
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

/// Numbers moves so that each fits the list that the one before left.
///
/// *Settled* are the elements that stay and those that are inserted; a *gap* is a place among them, named
/// by how many of them come before. An element that moves goes from its old gap to its new one. The
/// moves are done in the order in which their elements end up, so at any time a gap holds first those
/// that have arrived there, in their final order, then those that still wait there, in their old order.
private struct MovePlan {
    /// Where inserted elements come to be while all that move still wait.
    private(set) var insertions: [Int]
    private(set) var moves: [ListSteps.Move] = []

    init(removed: [Int], inserted: [Int], moved: [ListSteps.Moved]) {
        let arriving = moved.sorted { $0.new < $1.new }
        let newGaps = arriving.enumerated().map { $1.new - $0 }
        let insertedGaps = inserted.map { place in
            place - Sorted.count(of: arriving, below: place, by: \.new)
        }
        // How many that stay come before each inserted element.
        let stayingBefore = insertedGaps.enumerated().map { $1 - $0 }
        let waiting = moved.sorted { $0.old < $1.old }
        let oldGaps = waiting.enumerated().map { rank, element in
            let before = Sorted.count(of: removed, below: element.old)
            let staying = element.old - before - rank
            // Behind the last that stays and in front of what is inserted there.
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

/// Questions to ascending lists.
enum Sorted {
    /// How many elements are below a limit.
    static func count(of list: [Int], below limit: Int) -> Int {
        count(of: list, below: limit, by: \.self)
    }

    /// How many elements have a property below a limit.
    static func count<Element>(
        of list: [Element],
        below limit: Int,
        by property: (Element) -> Int
    ) -> Int {
        list.indexPast({ property($0) < limit })
    }
}

/// Numbers of which one changes, and prefixes are summed up, in O(log n).
private struct FenwickTree {
    private var nodes: [Int]

    /// As many ones.
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
