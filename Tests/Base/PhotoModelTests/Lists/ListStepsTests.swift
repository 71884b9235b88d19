import PhotoModel
import TestSupport
import Testing

/// The index rules of change details (behaviors 91–96).
@Suite(.timeLimit(.minutes(2))) struct ListStepsTests {
    private static func steps(_ old: [Int], _ new: [Int], changed: Set<Int> = []) -> ListSteps {
        ListSteps(from: old, to: new, changed: changed)
    }

    @Test func examples() {
        #expect(Self.steps([1, 2, 3], [1, 2, 3]).isEmpty)
        #expect(Self.steps([1, 2, 3], [1, 3]) == ListSteps(removed: [1]))
        #expect(Self.steps([1, 3], [0, 1, 2, 3]) == ListSteps(inserted: [0, 2]))
        // Insertions refer to the list without the removed elements.
        #expect(
            Self.steps([1, 2, 3, 4], [3, 9, 4]) == ListSteps(removed: [0, 1], inserted: [1])
        )
        // An element that passes all others is one move, not one for each of them.
        #expect(
            Self.steps([1, 2, 3, 4], [2, 3, 4, 1])
                == ListSteps(moves: [ListSteps.Move(from: 0, to: 3)])
        )
        // Changes refer to the new list, and only to elements of the old one.
        #expect(
            Self.steps([1, 2, 3], [0, 3, 2], changed: [0, 1, 2]).changed == [2]
        )
    }

    @Test func whatIsTwiceInAListCountsOnce() throws {
        let (old, new) = ([1, 1, 2, 3], [3, 2, 2, 1])
        let steps = Self.steps(old, new)
        let inserted = [2]
        #expect(steps.applied(to: old, inserting: inserted) == new)
    }

    /// All lists of up to six elements: every order, with every removal and insertion.
    @Test func allSmallLists() throws {
        for count in 0...6 {
            let old = Array(0..<count)
            for new in Self.arrangements(of: Array(0..<6)) {
                let changed = Set(new.filter { $0.isMultiple(of: 2) })
                let steps = Self.steps(old, new, changed: changed)
                let inserted = new.filter { $0 >= count }
                let result = steps.applied(to: old, inserting: inserted)
                guard result == new else {
                    Issue.record("\(old) → \(new): \(steps) gives \(result ?? [])")
                    return
                }
                #expect(
                    steps.changed.map { new[$0] }
                        == new.filter { changed.contains($0) && $0 < count }
                )
                let common = new.filter { $0 < count }
                #expect(steps.moves.count <= common.count - Self.longestRise(common))
            }
        }
    }

    /// All edits of lists of up to five elements in which only some objects may have changed.
    @Test func allSmallEdits() throws {
        for count in 0...5 {
            let old = Array(0..<count)
            for new in Self.arrangements(of: Array(0..<5)) {
                for bits in 0..<32 {
                    let touched = Set((0..<5).filter { bits >> $0 & 1 != 0 })
                    let stay = old.filter { !touched.contains($0) }
                    guard new.filter({ !touched.contains($0) }) == stay else { continue }
                    let edit = Self.edit(old, new, touched: touched)
                    #expect(edit.newIDs.map(Int.init) == new)
                    let steps = edit.steps
                    let inserted = new.filter { $0 >= count }
                    let result = steps.applied(to: old, inserting: inserted)
                    let changed = new.filter { touched.contains($0) && $0 < count }
                    guard result == new, steps.changed.map({ new[$0] }) == changed,
                        steps.moves.count <= changed.count
                    else {
                        Issue.record("\(old) → \(new), \(touched): \(steps) gives \(result ?? [])")
                        return
                    }
                }
            }
        }
    }

    /// Long lists, so that trees and searches have several levels.
    @Test func longLists() throws {
        let seed = TestSeed()
        var generator = seed.generator
        for _ in 0..<40 {
            let count = Int.random(in: 0...400, using: &generator)
            let old = Array(0..<count)
            let share = Int.random(in: 0...100, using: &generator)
            let touched = Set(
                (0..<count + 50).filter { _ in Int.random(in: 0..<100, using: &generator) < share }
            )
            var new = old.filter { !touched.contains($0) }
            for element in touched.sorted() where Bool.random(using: &generator) {
                new.insert(element, at: Int.random(in: 0...new.count, using: &generator))
            }
            let inserted = new.filter { $0 >= count }
            let edit = Self.edit(old, new, touched: touched)
            #expect(edit.newIDs.map(Int.init) == new, seed.comment)
            #expect(
                edit.steps.applied(to: old, inserting: inserted) == new,
                seed.comment
            )
            let general = Self.steps(old, new)
            #expect(general.applied(to: old, inserting: inserted) == new, seed.comment)
            #expect(general.moves.count <= edit.steps.moves.count, seed.comment)
        }
    }

    // MARK: - Helpers

    private static func edit(_ old: [Int], _ new: [Int], touched: Set<Int>) -> ListAdvance {
        let matches = new.filter(touched.contains)
        let keptBefore = matches.map { match in
            new.prefix { $0 != match }.count { !touched.contains($0) }
        }
        return ListAdvance(
            old: ContiguousArray(old.map(Int64.init)),
            oldPlaces: old.indices.filter { touched.contains(old[$0]) },
            matches: ContiguousArray(matches.map(Int64.init)),
            keptBefore: keptBefore
        )
    }

    /// Returns every order of every subset.
    private static func arrangements(of elements: [Int]) -> [[Int]] {
        var all: [[Int]] = []
        func extend(_ list: [Int], _ rest: [Int]) {
            all.append(list)
            for (index, element) in rest.enumerated() {
                var others = rest
                others.remove(at: index)
                extend(list + [element], others)
            }
        }
        extend([], elements)
        return all
    }

    /// Returns the length of the longest rising subsequence, by trying.
    private static func longestRise(_ list: [Int]) -> Int {
        var longest = [Int](repeating: 1, count: list.count)
        for index in list.indices {
            for before in 0..<index where list[before] < list[index] {
                longest[index] = max(longest[index], longest[before] + 1)
            }
        }
        return longest.max() ?? 0
    }
}
