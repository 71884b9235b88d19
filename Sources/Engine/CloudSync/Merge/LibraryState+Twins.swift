/// Two assets that represent the same photo.
package struct TwinPair: Hashable, Comparable, Sendable {
    package var first: CloudID
    package var second: CloudID

    package init(_ first: CloudID, _ second: CloudID) {
        self.first = min(first, second)
        self.second = max(first, second)
    }

    package static func < (left: TwinPair, right: TwinPair) -> Bool {
        (left.first, left.second) < (right.first, right.second)
    }
}

extension LibraryState {
    /// The representative of each object that has twins.
    ///
    /// `same` is an equivalence relation that only grows. A class is represented by its earliest
    /// object that is not purged; the others are aliases. An object that is purged leaves its
    /// class, so that a purge that did not name a twin does not remove that twin.
    package var aliases: [CloudID: CloudID] {
        guard !pairs.isEmpty else { return [:] }
        var root: [CloudID: CloudID] = [:]
        func find(_ id: CloudID) -> CloudID {
            var id = id
            while let next = root[id] { id = next }
            return id
        }
        for pair in pairs {
            let (first, second) = (find(pair.first), find(pair.second))
            if first != second { root[max(first, second)] = min(first, second) }
        }
        var classes: [CloudID: [CloudID]] = [:]
        for id in Set(pairs.flatMap { [$0.first, $0.second] }) where isAlive(id) {
            classes[find(id), default: []].append(id)
        }
        var aliases: [CloudID: CloudID] = [:]
        for members in classes.values {
            guard let representative = members.min(by: precedes) else { continue }
            for member in members { aliases[member] = representative }
        }
        return aliases
    }

    /// Returns whether an object exists and is not purged.
    package func isAlive(_ id: CloudID) -> Bool {
        guard let object = objects[id] else { return false }
        return object.creation != nil && !object.isPurged
    }

    private func precedes(_ left: CloudID, _ right: CloudID) -> Bool {
        TwinUnion.precedes(
            (left, objects[left] ?? CloudObject()),
            (right, objects[right] ?? CloudObject())
        )
    }

    /// Returns all recorded twins of an object, in ascending order, including the object itself.
    package func twins(of id: CloudID) -> [CloudID] {
        var found: Set<CloudID> = [id]
        var rest = [id]
        while let next = rest.popLast() {
            for pair in pairs where pair.first == next || pair.second == next {
                let other = pair.first == next ? pair.second : pair.first
                if found.insert(other).inserted { rest.append(other) }
            }
        }
        return found.sorted()
    }

    /// Returns pairs of twin assets that are not recorded yet, the smallest first, at most `limit`.
    ///
    /// Both are imported, have equal originals, and at most one of them is edited.
    package func missingPairs(limit: Int) -> [TwinPair] {
        var found: Set<TwinPair> = []
        for (content, ids) in referrers where ids.count > 1 {
            let candidates = ids.filter { id in
                guard isAlive(id), let creation = objects[id]?.creation else { return false }
                return creation.isImported && creation.originals.first?.content == content
            }.sorted()
            guard let first = candidates.first else { continue }
            for other in candidates.dropFirst() {
                guard let left = objects[first], let right = objects[other],
                    Set(left.creation?.originals.map(\.content) ?? [])
                        == Set(right.creation?.originals.map(\.content) ?? []),
                    !(left.isEdited && right.isEdited)
                else { continue }
                let pair = TwinPair(first, other)
                if !pairs.contains(pair) { found.insert(pair) }
            }
        }
        return Array(found.sorted().prefix(max(0, limit)))
    }
}

extension CloudObject {
    /// Indicates whether the current version of the asset is an edit.
    var isEdited: Bool {
        registers[RegisterKey(.content)]?.value.resources.isEmpty == false
    }
}
