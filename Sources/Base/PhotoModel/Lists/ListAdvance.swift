/// The difference between an old and a new list of row ids, computed from the objects that may have
/// changed.
///
/// All other objects are in both lists, in the same order. The cost depends on the number of
/// objects that may have changed; only `newIDs` copies the list.
package struct ListAdvance: Sendable {
    /// The old-list indexes of the objects that may have changed, in ascending order.
    package let oldPlaces: [Int]
    /// The row ids of the possibly changed objects that are in the new list, in the order of that
    /// list.
    package let matches: ContiguousArray<Int64>
    /// The new-list indexes of the objects in `matches`.
    package let newPlaces: [Int]
    private let old: ContiguousArray<Int64>

    /// Creates the difference between two lists from the objects that may have changed.
    ///
    /// - Parameters:
    ///   - old: The old list.
    ///   - oldPlaces: The positions of the objects that may have changed, ascending.
    ///   - matches: The objects that may have changed, including new ones, that are in the new
    ///     list, in its order.
    ///   - keptBefore: For each match, the number of unchanged objects before it.
    package init(
        old: ContiguousArray<Int64>,
        oldPlaces: [Int],
        matches: ContiguousArray<Int64>,
        keptBefore: [Int]
    ) {
        self.old = old
        self.oldPlaces = oldPlaces
        self.matches = matches
        newPlaces = keptBefore.enumerated().map { $0 + $1 }
    }

    /// Indicates whether neither list contains any object that may have changed.
    package var isEmpty: Bool { oldPlaces.isEmpty && matches.isEmpty }

    /// The new list.
    package var newIDs: ContiguousArray<Int64> {
        let count = old.count - oldPlaces.count + matches.count
        return ContiguousArray(unsafeUninitializedCapacity: count) { buffer, initialized in
            old.withUnsafeBufferPointer { source in
                var (read, written, hole) = (0, 0, 0)
                /// Appends unchanged objects to the new list until it has `end` elements.
                func copy(upTo end: Int) {
                    while written < end {
                        if hole < oldPlaces.count, oldPlaces[hole] == read {
                            read += 1
                            hole += 1
                            continue
                        }
                        let next = hole < oldPlaces.count ? oldPlaces[hole] : source.count
                        let length = min(end - written, next - read)
                        guard length > 0, let from = source.baseAddress,
                            let to = buffer.baseAddress
                        else { return }
                        (to + written).initialize(from: from + read, count: length)
                        read += length
                        written += length
                    }
                }
                for (place, id) in zip(newPlaces, matches) {
                    copy(upTo: place)
                    buffer.initializeElement(at: place, to: id)
                    written = place + 1
                }
                copy(upTo: count)
                initialized = written
            }
        }
    }

    /// The steps that turn the old list into the new one, with as few moves as possible.
    ///
    /// All objects in `oldPlaces` and `matches` that are in both lists count as changed, and only
    /// they move.
    package var steps: ListSteps {
        var oldPlaceOf: [Int64: Int] = [:]
        oldPlaceOf.reserveCapacity(oldPlaces.count)
        for place in oldPlaces { oldPlaceOf[old[place]] = place }
        var inserted: [Int] = []
        var both: [ListSteps.Moved] = []
        for (place, id) in zip(newPlaces, matches) {
            if let oldPlace = oldPlaceOf.removeValue(forKey: id) {
                both.append(ListSteps.Moved(old: oldPlace, new: place))
            } else {
                inserted.append(place)
            }
        }
        return ListSteps(
            removed: oldPlaceOf.values.sorted(),
            insertedAt: inserted,
            moved: moved(among: both),
            changed: both.map(\.new)
        )
    }

    /// Returns the elements that moved relative to unchanged objects or to each other.
    private func moved(among both: [ListSteps.Moved]) -> [ListSteps.Moved] {
        var moved: [ListSteps.Moved] = []
        var candidates: [ListSteps.Moved] = []
        for element in both {
            let before = element.old - Sorted.count(of: oldPlaces, below: element.old)
            let after = element.new - Sorted.count(of: newPlaces, below: element.new)
            if before == after { candidates.append(element) } else { moved.append(element) }
        }
        // In the order of the new list. Candidates that keep their order among the unchanged
        // objects form an increasing subsequence.
        let stays = LongestRise.members(of: candidates.map(\.old))
        moved += zip(candidates, stays).filter { !$0.1 }.map(\.0)
        return moved
    }
}
