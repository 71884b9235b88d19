package import PhotoModel

extension ListSteps {
    /// Follows the steps as a collection view does, and checks every index before it is used.
    ///
    /// - Returns: The new list, or nil for an index that does not exist.
    package func applied<Element: Hashable>(
        to old: [Element],
        inserting elements: [Element]
    ) -> [Element]? {
        var list = old
        guard inserted.count == elements.count else { return nil }
        for numbers in [removed, inserted, changed] {
            guard zip(numbers, numbers.dropFirst()).allSatisfy(<) else { return nil }
        }
        for index in removed.reversed() {
            guard list.indices.contains(index) else { return nil }
            list.remove(at: index)
        }
        for (index, element) in zip(inserted, elements) {
            guard (0...list.count).contains(index) else { return nil }
            list.insert(element, at: index)
        }
        for move in moves {
            guard list.indices.contains(move.source), list.indices.contains(move.target),
                move.source != move.target
            else { return nil }
            list.insert(list.remove(at: move.source), at: move.target)
        }
        guard changed.allSatisfy(list.indices.contains) else { return nil }
        return list
    }
}
