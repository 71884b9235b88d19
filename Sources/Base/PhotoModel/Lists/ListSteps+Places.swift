extension ListSteps {
    /// Where the inserted elements end up in the new list, in the order of `inserted`.
    package var insertedPlaces: [Int] {
        moves.isEmpty ? inserted : inserted.map { place(of: $0, before: moves[...]) }
    }

    /// For each element that moves, its index in the old list and the one in the new list, ascending
    /// by the first.
    package var movedPlaces: [(old: Int, new: Int)] {
        guard !moves.isEmpty else { return [] }
        let insertedSet = Set(inserted)
        var places: [Int: Int] = [:]
        for (number, move) in moves.enumerated() {
            // Back over the moves before this one, to the list as removals and insertions left it.
            var start = move.source
            for earlier in moves[..<number].reversed() { start = earlier.undone(start) }
            guard !insertedSet.contains(start) else { continue }
            // One that is moved again has its last place.
            places[start] = place(of: move.target, before: moves[(number + 1)...])
        }
        return places.map { start, end in
            (old: oldPlace(of: start - Self.count(of: inserted, below: start)), new: end)
        }.sorted { $0.old < $1.old }
    }

    /// Where an element ends up that is at an index before some moves.
    private func place(of index: Int, before moves: ArraySlice<Move>) -> Int {
        moves.reduce(index) { $1.done($0) }
    }

    /// The index in the old list of an element that is at an index once others were removed.
    private func oldPlace(of index: Int) -> Int {
        // As many removed ones lie before it as have at most `index` kept ones before them.
        index + removed.indices.indexPast({ removed[$0] - $0 <= index })
    }

    /// How many ascending numbers are below a limit.
    private static func count(of numbers: [Int], below limit: Int) -> Int {
        numbers.indexPast({ $0 < limit })
    }
}

extension ListSteps.Move {
    /// Where an element is after the move that was at an index before.
    fileprivate func done(_ index: Int) -> Int {
        if index == source { return target }
        let left = index > source ? index - 1 : index
        return left >= target ? left + 1 : left
    }

    /// Where an element was before the move that is at an index after.
    fileprivate func undone(_ index: Int) -> Int {
        ListSteps.Move(from: target, to: source).done(index)
    }
}
