internal import PhotoModel

/// Merges a client's edit of a list into the current list, which may have changed since the client
/// saw it.
///
/// Has no side effects of its own. The steps are applied in order to the list that the client saw,
/// the basis, since their indexes refer to it (behavior 128). The result is merged into the current
/// list by identity:
///
/// 1. Removed objects are removed from any position.
/// 2. Added objects are appended once, unless the current list contains them (behavior 130). The
///    current list decides, not the basis, so an object that another client removed meanwhile is
///    added again.
/// 3. Objects inserted at an index or moved (behavior 129) are placed directly after the nearest
///    preceding object of the client's result that is in the current list, or at the start if there
///    is none.
/// 4. Objects that were only moved, and that another client removed meanwhile, stay removed.
/// 5. No other object changes its position. If the basis equals the current list, the result is the
///    client's. If not, concurrent changes to other objects are kept.
///
/// Steps without indexes do not need the basis, so adding to a list costs only as much as the added
/// objects.
struct ListEditing {
    /// A step of `ListEdit`, with objects identified by row id.
    enum Step {
        case add([Int64])
        case insert([Int64], at: [Int])
        case remove([Int64])
        case removeAt([Int])
        case replace(at: [Int], with: [Int64])
        case move(from: [Int], to: Int)

        var hasIndexes: Bool {
            switch self {
            case .add, .remove: false
            case .insert, .removeAt, .replace, .move: true
            }
        }
    }

    /// The effect of the edit on one object.
    private struct Fate {
        enum Place {
            case unchanged, end, moved, inserted
            /// The object was added although the client's list already contained it; it keeps its
            /// position.
            case confirmed
        }
        /// Indicates whether the object is removed from its position.
        var leaves = false
        var place = Place.unchanged
    }

    private let basis: [Int64]
    /// The client's list after the steps so far; nil if no step has indexes.
    private var list: [Int64]?
    private var fates: [Int64: Fate] = [:]
    /// The added objects in the order of their last addition.
    private var added: [Int64] = []

    /// Applies steps to the list that a client saw.
    ///
    /// - Parameters:
    ///   - steps: The steps in order.
    ///   - basis: Returns the list that the client saw; called only if a step has indexes.
    /// - Throws: `invalidRequest` for an index that the list does not have.
    init(_ steps: [Step], basis: () throws -> [Int64]) throws {
        let needsList = steps.contains(where: \.hasIndexes)
        self.basis = needsList ? try basis() : []
        list = needsList ? self.basis : nil
        for step in steps { try apply(step) }
    }

    // MARK: - Merging

    /// Applies the effects of the edit to the current list.
    func merge(into target: inout some EditedList) throws {
        let leaving = fates.filter(\.value.leaves).keys.sorted()
        if !leaving.isEmpty { try target.remove(leaving) }
        let appended = try appended(to: target)
        if !appended.isEmpty { try target.append(appended) }
        let placed = fates.filter { $0.value.place == .moved || $0.value.place == .inserted }.keys
        guard let list, !placed.isEmpty, list != basis || hasInsertions else { return }
        // Usually only a few objects of a large list move: comparing with each is faster than
        // hashing all.
        let few = placed.count < 5 ? Array(placed) : []
        let isPlaced = { few.isEmpty ? placed.contains($0) : few.contains($0) }
        var position = 0
        while position < list.count {
            let start = position
            while position < list.count, isPlaced(list[position]) { position += 1 }
            if start < position {
                try place(list[start..<position], of: list, in: &target)
            } else {
                position += 1
            }
        }
    }

    private var hasInsertions: Bool { fates.values.contains { $0.place == .inserted } }

    private func place(
        _ run: ArraySlice<Int64>,
        of list: [Int64],
        in target: inout some EditedList
    ) throws {
        let ids = try run.filter { try fates[$0]?.place == .inserted || target.contains($0) }
        guard !ids.isEmpty else { return }
        let neighbour = try list[..<run.startIndex].last { try target.contains($0) }
        try target.place(ids, after: neighbour)
    }

    /// Returns the objects to append, each once, in the order of their last addition.
    private func appended(to target: some EditedList) throws -> [Int64] {
        var seen: Set<Int64> = []
        return try added.reversed()
            .filter { id in
                switch fates[id]?.place {
                case .end: seen.insert(id).inserted
                case .confirmed: try seen.insert(id).inserted && !target.contains(id)
                default: false
                }
            }
            .reversed()
    }

    // MARK: - Steps

    private mutating func apply(_ step: Step) throws {
        switch step {
        case .add(let ids): add(ids)
        case .remove(let ids):
            let gone = Set(ids)
            list?.removeAll(where: gone.contains)
            for id in gone { fates[id] = Fate(leaves: true) }
        case .removeAt(let indexes):
            try check(indexes, below: count)
            let gone = indexes.map { self[$0] }
            drop(indexes)
            for id in gone { fates[id] = Fate(leaves: true) }
        case .insert(let ids, let indexes):
            try check(ids, at: indexes)
            let moving = Set(ids)
            list?.removeAll(where: moving.contains)
            try check(indexes, below: count + indexes.count)
            spread(ids, at: indexes)
            for id in ids { fates[id] = Fate(place: .inserted) }
        case .replace(let indexes, let ids):
            try check(ids, at: indexes)
            try check(indexes, below: count)
            try replace(at: indexes, with: ids)
        case .move(let indexes, let target):
            try check(indexes, below: count)
            try move(indexes, to: target)
        }
    }

    private mutating func add(_ ids: [Int64]) {
        let present = members(among: ids)
        var seen: Set<Int64> = []
        for id in ids where seen.insert(id).inserted {
            if present.contains(id) {
                confirm(id)
                continue
            }
            if list == nil, fates[id]?.place == .end { continue }
            fates[id] = Fate(leaves: fates[id]?.leaves ?? false, place: .end)
            added.append(id)
            list?.append(id)
        }
    }

    /// Records that the client added an object although its list contained the object.
    ///
    /// Merging appends the object if the current list lacks it.
    private mutating func confirm(_ id: Int64) {
        switch fates[id]?.place {
        case nil, .unchanged:
            fates[id] = Fate(place: .confirmed)
            added.append(id)
        case .moved: fates[id]?.place = .inserted
        case .end, .inserted, .confirmed: break
        }
    }

    private mutating func replace(at indexes: [Int], with ids: [Int64]) throws {
        let new = Set(ids)
        let old = indexes.map { self[$0] }
        // An object that comes from elsewhere in the list leaves no gap at its old position.
        var replacements = zip(indexes, ids).makeIterator()
        var next = replacements.next()
        var result: [Int64] = []
        for (index, id) in (list ?? []).enumerated() {
            if let (place, replacement) = next, place == index {
                result.append(replacement)
                next = replacements.next()
            } else if !new.contains(id) {
                result.append(id)
            }
        }
        list = result
        for id in old where !new.contains(id) { fates[id] = Fate(leaves: true) }
        for id in ids where !zip(old, ids).contains(where: { $0 == id && $1 == id }) {
            fates[id] = Fate(place: .inserted)
        }
    }

    private mutating func move(_ indexes: [Int], to target: Int) throws {
        let left = count - indexes.count
        guard (0...left).contains(target) else {
            throw ChangeProblem.place(target, last: left)
        }
        let moving = indexes.map { self[$0] }
        drop(indexes)
        list?.insert(contentsOf: moving, at: target)
        for id in moving {
            switch fates[id]?.place {
            case nil, .unchanged, .moved: fates[id] = Fate(place: .moved)
            case .end, .inserted, .confirmed: fates[id] = Fate(place: .inserted)
            }
        }
    }

    // MARK: - The list

    private var count: Int { list?.count ?? 0 }
    private subscript(index: Int) -> Int64 { list?[index] ?? 0 }

    /// Returns those of the given objects that the edited list contains.
    private func members(among ids: [Int64]) -> Set<Int64> {
        guard let list else { return [] }
        let wanted = Set(ids)
        return Set(list.lazy.filter(wanted.contains))
    }

    /// Removes the objects at ascending indexes.
    private mutating func drop(_ indexes: [Int]) {
        guard let first = indexes.first, var list else { return }
        self.list = nil
        var free = first
        var gone = indexes[...]
        for index in first..<list.count {
            if gone.first == index {
                gone.removeFirst()
            } else {
                list[free] = list[index]
                free += 1
            }
        }
        list.removeLast(list.count - free)
        self.list = list
    }

    /// Inserts objects at ascending indexes of the resulting list.
    private mutating func spread(_ ids: [Int64], at indexes: [Int]) {
        var result: [Int64] = []
        result.reserveCapacity(count + ids.count)
        var places = zip(indexes, ids).makeIterator()
        var next = places.next()
        var rest = (list ?? []).makeIterator()
        for index in 0..<(count + ids.count) {
            if let (place, id) = next, place == index {
                result.append(id)
                next = places.next()
            } else if let id = rest.next() {
                result.append(id)
            }
        }
        list = result
    }

    // MARK: - Checks

    private func check(_ ids: [Int64], at indexes: [Int]) throws {
        guard ids.count == indexes.count else {
            throw ChangeProblem.counts(objects: ids.count, indexes: indexes.count)
        }
        guard Set(ids).count == ids.count else {
            throw ChangeProblem.repeated(ids.count - Set(ids).count, of: ids.count)
        }
    }

    private func check(_ indexes: [Int], below count: Int) throws {
        for (index, next) in zip(indexes, indexes.dropFirst()) where index >= next {
            throw ChangeProblem.order(index, next)
        }
        for index in [indexes.first, indexes.last].compactMap(\.self) {
            guard (0..<count).contains(index) else {
                throw ChangeProblem.index(index, count: count)
            }
        }
    }
}
