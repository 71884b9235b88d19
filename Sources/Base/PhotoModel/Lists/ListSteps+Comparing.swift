extension ListSteps {
    /// Computes the steps from one list to another with the fewest moves.
    ///
    /// Costs O(n log n), and O(n) for similar lists. Of an element that a list contains several
    /// times, one occurrence is matched; the others count as removed or inserted.
    ///
    /// - Parameters:
    ///   - old: The list before.
    ///   - new: The list after.
    ///   - changed: The changed elements; elements that are not in both lists are ignored.
    package init<List: RandomAccessCollection>(
        from old: List,
        to new: List,
        changed: Set<List.Element>
    ) where List.Element: Hashable, List.Index == Int {
        let (oldBase, newBase) = (old.startIndex, new.startIndex)
        let shorter = min(old.count, new.count)
        var head = 0
        while head < shorter, old[oldBase + head] == new[newBase + head] { head += 1 }
        var tail = 0
        while tail < shorter - head,
            old[oldBase + old.count - 1 - tail] == new[newBase + new.count - 1 - tail]
        { tail += 1 }
        let (oldEnd, newEnd) = (old.count - tail, new.count - tail)

        var places: [List.Element: Int] = [:]
        places.reserveCapacity(newEnd - head)
        for place in head..<newEnd where places[new[newBase + place]] == nil {
            places[new[newBase + place]] = place
        }
        var removed: [Int] = []
        var common: [Moved] = []
        var isInserted = [Bool](repeating: true, count: newEnd - head)
        for place in head..<oldEnd {
            if let newPlace = places.removeValue(forKey: old[oldBase + place]) {
                common.append(Moved(old: place, new: newPlace))
                isInserted[newPlace - head] = false
            } else {
                removed.append(place)
            }
        }
        let inserted = isInserted.indices.filter { isInserted[$0] }.map { $0 + head }
        let stays = LongestRise.members(of: common.map(\.new))
        let moved = zip(common, stays).filter { !$0.1 }.map(\.0)
        let changed: [Int] =
            changed.isEmpty
            ? []
            : (0..<new.count).filter { place in
                let isMiddle = place >= head && place < newEnd
                return !(isMiddle && isInserted[place - head])
                    && changed.contains(new[newBase + place])
            }
        self.init(removed: removed, insertedAt: inserted, moved: moved, changed: changed)
    }
}

/// The computation of a longest increasing subsequence.
package enum LongestRise {
    /// Marks the elements of one longest strictly increasing subsequence, in O(n log n).
    package static func members(of list: [Int]) -> [Bool] {
        // Fast path without allocations for the common case of a list that is already increasing.
        if zip(list, list.dropFirst()).allSatisfy({ $0 < $1 }) {
            return [Bool](repeating: true, count: list.count)
        }
        // For each length, the index of the smallest last element of an increasing subsequence of
        // that length.
        var ends: [Int] = []
        var endValues: [Int] = []
        var previous = [Int](repeating: -1, count: list.count)
        for (index, value) in list.enumerated() {
            let length = Sorted.count(of: endValues, below: value)
            if length > 0 { previous[index] = ends[length - 1] }
            if length == ends.count {
                ends.append(index)
                endValues.append(value)
            } else {
                ends[length] = index
                endValues[length] = value
            }
        }
        var isMember = [Bool](repeating: false, count: list.count)
        var index = ends.last ?? -1
        while index >= 0 {
            isMember[index] = true
            index = previous[index]
        }
        return isMember
    }
}
