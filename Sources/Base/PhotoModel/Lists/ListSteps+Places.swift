extension ListSteps {
    /// The inserted elements' indexes in the new list, in the order of `inserted`.
    package var insertedPlaces: [Int] {
        moves.isEmpty ? inserted : inserted.map { place(of: $0, before: moves[...]) }
    }

    /// Each moved element's indexes in the old and in the new list, sorted by the old index.
    package var movedPlaces: [(old: Int, new: Int)] {
        guard !moves.isEmpty else { return [] }
        let insertedSet = Set(inserted)
        var places: [Int: Int] = [:]
        for (number, move) in moves.enumerated() {
            // Undoes the earlier moves to find the index after removals and insertions.
            var start = move.source
            for earlier in moves[..<number].reversed() { start = earlier.undone(start) }
            guard !insertedSet.contains(start) else { continue }
            // An element that is moved again keeps only its last position.
            places[start] = place(of: move.target, before: moves[(number + 1)...])
        }
        return places.map { start, end in
            (old: oldPlace(of: start - Self.count(of: inserted, below: start)), new: end)
        }.sorted { $0.old < $1.old }
    }

    /// Returns the index of an element after a sequence of moves, given its index before the moves.
    private func place(of index: Int, before moves: ArraySlice<Move>) -> Int {
        moves.reduce(index) { $1.done($0) }
    }

    /// Converts an index in the list after removals to an index in the old list.
    private func oldPlace(of index: Int) -> Int {
        // Skips the removed elements that have at most `index` kept elements before them.
        index + removed.indices.indexPast({ removed[$0] - $0 <= index })
    }

    /// Returns the number of elements of an ascending list that are less than a limit.
    private static func count(of numbers: [Int], below limit: Int) -> Int {
        numbers.indexPast({ $0 < limit })
    }
}

extension ListSteps.Move {
    /// Returns the index of an element after the move, given its index before the move.
    fileprivate func done(_ index: Int) -> Int {
        if index == source { return target }
        let left = index > source ? index - 1 : index
        return left >= target ? left + 1 : left
    }

    /// Returns the index of an element before the move, given its index after the move.
    fileprivate func undone(_ index: Int) -> Int {
        ListSteps.Move(from: target, to: source).done(index)
    }
}
