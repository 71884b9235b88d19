import Foundation
import PhotoModel
import TestSupport
import Testing

@testable import PhotoLibrary

@Suite(.timeLimit(.minutes(60))) struct ListEditingTests {
    /// The number of random edits; `PHOTOS_EDIT_CASES` sets more.
    static let cases =
        ProcessInfo.processInfo.environment["PHOTOS_EDIT_CASES"].flatMap(Int.init) ?? 3_000

    /// A list backed by an array.
    struct ArrayList: EditedList {
        var ids: [Int64]

        func contains(_ id: Int64) -> Bool { ids.contains(id) }
        mutating func remove(_ gone: [Int64]) { ids.removeAll(where: gone.contains) }
        mutating func append(_ new: [Int64]) { ids += new.filter { !ids.contains($0) } }
        mutating func place(_ moving: [Int64], after neighbour: Int64?) throws {
            ids.removeAll(where: moving.contains)
            let index = try neighbour.map { try #require(ids.firstIndex(of: $0)) + 1 } ?? 0
            ids.insert(contentsOf: moving, at: index)
        }
    }

    private func merged(
        _ steps: [ListEditing.Step],
        basis: [Int64],
        into actual: [Int64]? = nil
    ) throws -> [Int64] {
        var list = ArrayList(ids: actual ?? basis)
        try ListEditing(steps) { basis }.merge(into: &list)
        return list.ids
    }

    // MARK: - Single edits

    @Test(
        "Indexes mean what PhotoKit says",
        arguments: [
            ([.add([9, 2, 9])], [1, 2, 3, 9]),
            ([.insert([8, 9], at: [0, 2])], [8, 1, 9, 2, 3]),
            ([.insert([1], at: [2])], [2, 3, 1]),
            ([.insert([9], at: [3])], [1, 2, 3, 9]),
            ([.remove([2, 7])], [1, 3]),
            ([.removeAt([0, 2])], [2]),
            ([.replace(at: [0, 1], with: [9, 3])], [9, 3]),
            ([.replace(at: [0, 1], with: [2, 1])], [2, 1, 3]),
            // Removed first, then inserted (behavior 129).
            ([.move(from: [0], to: 2)], [2, 3, 1]),
            ([.move(from: [0, 2], to: 1)], [2, 1, 3]),
            ([.move(from: [1], to: 0), .removeAt([1])], [2, 3]),
            ([.remove([1]), .add([1])], [2, 3, 1]),
            ([.add([9]), .move(from: [3], to: 0)], [9, 1, 2, 3]),
            ([.add([9]), .removeAt([3])], [1, 2, 3]),
        ] as [([ListEditing.Step], [Int64])]
    )
    func alone(_ steps: [ListEditing.Step], _ expected: [Int64]) throws {
        #expect(try merged(steps, basis: [1, 2, 3]) == expected)
    }

    @Test("All short edits of short lists give what an array gives")
    func exhaustive() throws {
        for count in 0...3 {
            let basis = (0..<Int64(count)).map { $0 + 1 }
            for first in Self.steps(on: basis) {
                let once = Self.applied(first, to: basis)
                #expect(try merged([first], basis: basis) == once)
                for second in Self.steps(on: once) {
                    let twice = Self.applied(second, to: once)
                    #expect(
                        try merged([first, second], basis: basis) == twice,
                        "\(first), \(second) on \(basis)"
                    )
                }
            }
        }
    }

    // MARK: - Concurrent edits

    @Test("What another client did meanwhile does not shift an edit (behaviour 128)")
    func concurrent() throws {
        let basis: [Int64] = [1, 2, 3, 4]
        let actual: [Int64] = [7, 1, 3, 8, 4]
        func now(_ steps: ListEditing.Step...) throws -> [Int64] {
            try merged(steps, basis: basis, into: actual)
        }
        // Index 3 refers to 4, wherever it is.
        #expect(try now(.removeAt([3])) == [7, 1, 3, 8])
        // After 1, since 2 is gone.
        #expect(try now(.insert([9], at: [2])) == [7, 1, 9, 3, 8, 4])
        #expect(try now(.insert([9], at: [0])) == [9, 7, 1, 3, 8, 4])
        #expect(try now(.insert([9], at: [4])) == [7, 1, 3, 8, 4, 9])
        #expect(try now(.move(from: [3], to: 1)) == [7, 1, 4, 3, 8])
        // 2 was removed: a move does not restore it, but an addition does.
        #expect(try now(.move(from: [1], to: 3)) == actual)
        #expect(try now(.insert([2], at: [1])) == [7, 1, 2, 3, 8, 4])
        #expect(try now(.remove([2])) == actual)
        #expect(try now(.add([8, 9])) == [7, 1, 3, 8, 4, 9])
        #expect(try now(.replace(at: [2], with: [9])) == [7, 1, 9, 8, 4])
        // Runs stay together and in order although the elements between them are gone.
        #expect(try now(.insert([9], at: [1]), .insert([10], at: [3])) == [7, 1, 9, 10, 3, 8, 4])
    }

    @Test("What is added comes back when another client took it out (behaviour 130)")
    func addedIsThere() throws {
        let steps: [ListEditing.Step] = [.add([2]), .move(from: [0], to: 2)]
        #expect(try merged(steps, basis: [1, 2, 3, 4], into: [1, 3, 4]).contains(2))
        #expect(try merged([.add([2])], basis: [1, 2, 3], into: [1, 3]) == [1, 3, 2])
        #expect(try merged(steps, basis: [1, 2, 3, 4]) == [2, 3, 1, 4])
        // A move in the same edit does not prevent the return of a removed element.
        let moved: [ListEditing.Step] = [.move(from: [1], to: 0), .add([2])]
        #expect(try merged(moved, basis: [1, 2, 3], into: [1, 3]) == [2, 1, 3])
        let after: [ListEditing.Step] = [.add([2]), .move(from: [0], to: 1)]
        #expect(try merged(after, basis: [2, 1, 3], into: [1, 3]) == [1, 2, 3])
        // In the order in which the client sees them.
        #expect(try merged([.add([2, 9]), .removeAt([0])], basis: [1, 2], into: [1]) == [2, 9])
    }

    @Test("What is added again and again comes back once")
    func addedTwice() throws {
        #expect(
            try merged([.add([1]), .insert([10], at: [1]), .add([1])], basis: [1], into: [21, 20])
                == [21, 20, 1, 10]
        )
        #expect(
            try merged(
                [.removeAt([0, 2]), .remove([3, 99]), .add([4]), .add([4])],
                basis: [2, 4, 1, 3],
                into: [21, 2, 20]
            ) == [21, 20, 4]
        )
    }

    @Test("Random edits by two clients keep what each did not touch")
    func random() throws {
        let seed = TestSeed()
        var random = seed.generator
        for _ in 0..<Self.cases {
            let basis = Array(1...Int64.random(in: 1...8, using: &random)).shuffled(using: &random)
            var mine = basis
            var steps: [ListEditing.Step] = []
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                guard let step = Self.steps(on: mine).randomElement(using: &random) else {
                    continue
                }
                steps.append(step)
                mine = Self.applied(step, to: mine)
            }
            #expect(try merged(steps, basis: basis) == mine, "\(steps) on \(basis), \(seed)")
            var actual = basis
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                guard
                    let step = Self.steps(on: actual, new: [20, 21]).randomElement(using: &random)
                else { continue }
                actual = Self.applied(step, to: actual)
            }
            let result = try merged(steps, basis: basis, into: actual)
            let context: Comment = "\(steps) on \(basis) into \(actual): \(result), \(seed)"
            #expect(Set(result).count == result.count, context)
            // Elements that my edit does not name remain, in their order.
            let touched = Self.named(by: steps, on: basis)
            #expect(
                result.filter { !touched.contains($0) } == actual.filter { !touched.contains($0) },
                context
            )
            for id in basis where !mine.contains(id) { #expect(!result.contains(id), context) }
            for id in mine where !basis.contains(id) { #expect(result.contains(id), context) }
            let wanted = Self.wanted(by: steps, on: basis)
            #expect(wanted.isSubset(of: result), context)
        }
    }

    // MARK: - Errors

    @Test(
        "Steps that cannot be say so with their numbers",
        arguments: [
            (.removeAt([3]), "3"), (.removeAt([-1]), "-1"), (.removeAt([1, 1]), "1"),
            (.removeAt([2, 0]), "0"), (.insert([9], at: [4]), "4"),
            (.insert([9, 8], at: [0]), "2 objects, but 1"),
            (.insert([9, 9], at: [0, 1]), "1 of 2 objects occur more than once"),
            (.insert([1], at: [3]), "3"), (.replace(at: [3], with: [9]), "3"),
            (.replace(at: [0], with: []), "0 objects, but 1"),
            (.move(from: [0], to: 3), "3"), (.move(from: [0], to: -1), "-1"),
            (.move(from: [5], to: 0), "5"),
        ] as [(ListEditing.Step, String)]
    )
    func errors(_ step: ListEditing.Step, _ number: String) throws {
        let error = try #require(throws: LibraryError.self) {
            try ListEditing([step]) { [1, 2, 3] }
        }
        #expect(error.code == .invalidRequest)
        #expect(error.message.contains(number), "\(error.message)")
        #expect(error.reason?.isEmpty == false)
        #expect(error.recovery?.isEmpty == false)
    }

    @Test("Steps without indexes do not look at the list")
    func doesNotLook() throws {
        struct Looked: Error {}
        var list = ArrayList(ids: [1, 2])
        try ListEditing([.add([3]), .remove([1])]) { throw Looked() }.merge(into: &list)
        #expect(list.ids == [2, 3])
        #expect(throws: Looked.self) { try ListEditing([.removeAt([0])]) { throw Looked() } }
    }

    // MARK: - The model

    /// Returns every step with one or two objects that a list allows.
    private static func steps(on list: [Int64], new: [Int64] = [10, 11]) -> [ListEditing.Step] {
        var steps: [ListEditing.Step] = [.add(new)]
        for id in list { steps += [.add([id]), .remove([id]), .remove([id, 99])] }
        for index in list.indices {
            steps.append(.removeAt([index]))
            for next in list.indices where next > index { steps.append(.removeAt([index, next])) }
            for id in list + new { steps.append(.replace(at: [index], with: [id])) }
            for target in 0..<list.count { steps.append(.move(from: [index], to: target)) }
            for next in list.indices where next > index {
                for target in 0...(list.count - 2) {
                    steps.append(.move(from: [index, next], to: target))
                }
                if list[next] != new[0] {
                    steps.append(.replace(at: [index, next], with: [list[next], new[0]]))
                }
            }
        }
        // Elements that are already in the list are removed from it first.
        for index in 0...list.count(where: { $0 != new[0] }) {
            steps.append(.insert([new[0]], at: [index]))
        }
        for index in 0...list.count(where: { !new.contains($0) }) {
            steps.append(.insert(new, at: [index, index + 1]))
        }
        for id in list {
            for index in 0..<list.count { steps.append(.insert([id], at: [index])) }
        }
        return steps
    }

    private static func applied(_ step: ListEditing.Step, to list: [Int64]) -> [Int64] {
        var list = list
        switch step {
        case .add(let ids):
            for id in ids where !list.contains(id) { list.append(id) }
        case .remove(let ids): list.removeAll(where: ids.contains)
        case .removeAt(let indexes): for index in indexes.reversed() { list.remove(at: index) }
        case .insert(let ids, let indexes):
            list.removeAll(where: ids.contains)
            for (id, index) in zip(ids, indexes) { list.insert(id, at: index) }
        case .replace(let indexes, let ids):
            var slots = list.map { ids.contains($0) ? nil : $0 }
            var filled: Set<Int> = []
            for (index, id) in zip(indexes, ids) {
                slots[index] = id
                filled.insert(index)
            }
            list = slots.compactMap(\.self)
        case .move(let indexes, let target):
            let moving = indexes.map { list[$0] }
            for index in indexes.reversed() { list.remove(at: index) }
            list.insert(contentsOf: moving, at: target)
        }
        return list
    }

    /// Returns the elements that the steps added, whether new or not, and did not remove again.
    private static func wanted(by steps: [ListEditing.Step], on basis: [Int64]) -> Set<Int64> {
        var list = basis
        var wanted: Set<Int64> = []
        for step in steps {
            switch step {
            case .add(let ids), .insert(let ids, _): wanted.formUnion(ids)
            case .replace(let indexes, let ids):
                wanted.formUnion(zip(indexes, ids).filter { list[$0] != $1 }.map(\.1))
            case .remove, .removeAt, .move: break
            }
            list = applied(step, to: list)
            wanted.formIntersection(list)
        }
        return wanted
    }

    private static func named(by steps: [ListEditing.Step], on basis: [Int64]) -> Set<Int64> {
        var list = basis
        var named: Set<Int64> = []
        for step in steps {
            switch step {
            case .add(let ids), .remove(let ids), .insert(let ids, _): named.formUnion(ids)
            case .removeAt(let indexes), .move(let indexes, _):
                named.formUnion(indexes.map { list[$0] })
            case .replace(let indexes, let ids):
                named.formUnion(indexes.map { list[$0] } + ids)
            }
            list = applied(step, to: list)
        }
        return named
    }
}
