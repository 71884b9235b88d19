import PhotoModel
import TestSupport
import Testing

/// Patches lead to the list that the steps lead to, and do nothing to lists that they do not fit.
@Suite(.timeLimit(.minutes(1))) struct ListPatchTests {
    private static func buffer(_ list: some Sequence<Int>) -> RowIDBuffer {
        RowIDBuffer(list.map(Int64.init))
    }

    @Test func oneChangeIsSmall() throws {
        let old = Array(0..<10_000)
        var new = old
        new.remove(at: 5_000)
        new.insert(5_000, at: 17)
        new.insert(20_000, at: 9_000)
        let steps = ListSteps(from: old, to: new, changed: [])
        let patch = try #require(ListPatch(steps, to: Self.buffer(new)))
        #expect(patch.removed == [5_000])
        #expect(patch.places == [17, 9_000])
        #expect(patch.ids == Self.buffer([5_000, 20_000]))
        #expect(patch.applied(to: Self.buffer(old)) == Self.buffer(new))
    }

    @Test func unmovedChangesAreNotNamed() throws {
        let list = Array(0..<100)
        let steps = ListSteps(from: list, to: list, changed: [3, 50])
        #expect(steps.changed == [3, 50])
        let patch = try #require(ListPatch(steps, to: Self.buffer(list)))
        #expect(patch.removed.isEmpty && patch.places.isEmpty)
    }

    @Test func randomLists() throws {
        let seed = TestSeed()
        var generator = seed.generator
        for _ in 0..<300 {
            let count = Int.random(in: 0...120, using: &generator)
            let old = Array(0..<count)
            var new = old.filter { _ in Int.random(in: 0..<4, using: &generator) > 0 }
            for element in count..<count + Int.random(in: 0...20, using: &generator) {
                new.insert(element, at: Int.random(in: 0...new.count, using: &generator))
            }
            for _ in 0..<Int.random(in: 0...30, using: &generator) where !new.isEmpty {
                let element = new.remove(at: Int.random(in: 0..<new.count, using: &generator))
                new.insert(element, at: Int.random(in: 0...new.count, using: &generator))
            }
            let changed = Set(new.filter { _ in Bool.random(using: &generator) })
            let steps = ListSteps(from: old, to: new, changed: changed)
            let patch = try #require(ListPatch(steps, to: Self.buffer(new)), seed.comment)
            #expect(patch.applied(to: Self.buffer(old)) == Self.buffer(new), seed.comment)
        }
    }

    @Test func manyMovesAreNotWorthIt() {
        let old = Array(0..<2_000)
        let steps = ListSteps(from: old, to: Array(old.reversed()), changed: [])
        #expect(ListPatch(steps, to: Self.buffer(old.reversed())) == nil)
    }

    @Test(arguments: [
        ListPatch(removed: [3], places: [], ids: RowIDBuffer()),
        ListPatch(removed: [-1], places: [], ids: RowIDBuffer()),
        ListPatch(removed: [1, 1], places: [], ids: RowIDBuffer()),
        ListPatch(removed: [2, 1], places: [], ids: RowIDBuffer()),
        ListPatch(removed: [], places: [4], ids: RowIDBuffer([9])),
        ListPatch(removed: [], places: [-1], ids: RowIDBuffer([9])),
        ListPatch(removed: [], places: [.max], ids: RowIDBuffer([9])),
        ListPatch(removed: [], places: [0], ids: RowIDBuffer()),
        ListPatch(removed: [], places: [], ids: RowIDBuffer([9])),
        ListPatch(removed: [0, 1, 2, 3, 4], places: [], ids: RowIDBuffer()),
    ])
    func patchesOfOtherListsAreRefused(_ patch: ListPatch) {
        #expect(patch.applied(to: Self.buffer(0..<3)) == nil)
    }

    @Test func digestsTellListsApart() {
        let seed = TestSeed()
        var generator = seed.generator
        for count in [0, 1, 3, 4, 5, 64, 1_001] {
            let list = Self.buffer(
                (0..<count).map { _ in Int.random(in: 0...5_000, using: &generator) }
            )
            let digest = RowIDDigest(list)
            #expect(digest == RowIDDigest(RowIDBuffer(Array(list))))
            #expect(digest.count == count)
            for place in list.indices {
                var other = list
                other.ids[place] += 1
                #expect(RowIDDigest(other) != digest, seed.comment)
                guard place > 0, list[place] != list[place - 1] else { continue }
                other = list
                other.ids.swapAt(place, place - 1)
                #expect(RowIDDigest(other) != digest, seed.comment)
            }
            var longer = list
            longer.ids.append(0)
            #expect(RowIDDigest(longer) != digest)
        }
    }
}
