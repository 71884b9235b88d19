import PhotoModel
import TestSupport
import Testing

/// The places of inserted and moved elements, compared with the lists themselves.
@Suite(.timeLimit(.minutes(1))) struct ListPlacesTests {
    @Test func placesAreThoseInTheLists() throws {
        let seed = TestSeed()
        var generator = seed.generator
        for _ in 0..<2000 {
            let old = Array(0..<Int.random(in: 0...9, using: &generator))
                .shuffled(using: &generator)
            var new = old.filter { _ in Int.random(in: 0..<4, using: &generator) > 0 }
            for element in 100..<100 + Int.random(in: 0...3, using: &generator) {
                new.insert(element, at: .random(in: 0...new.count, using: &generator))
            }
            if Bool.random(using: &generator) { new.shuffle(using: &generator) }
            let steps = ListSteps(from: old, to: new, changed: [])
            // Inserted elements come in the order of their places before the moves.
            let places = steps.insertedPlaces
            #expect(
                Set(places.filter { new.indices.contains($0) }.map { new[$0] })
                    == Set(new.filter { $0 >= 100 }),
                "\(old) \(new) \(seed)"
            )
            let inserted = places.map { new[$0] }
            #expect(steps.applied(to: old, inserting: inserted) == new, "\(old) \(new) \(seed)")
            for (from, to) in steps.movedPlaces {
                #expect(old[from] == new[to], "\(old) \(new) \(seed)")
            }
            // Without the elements that move, the rest keeps its order.
            let moved = Set(steps.movedPlaces.map { old[$0.old] })
            let kept = old.filter { new.contains($0) && !moved.contains($0) }
            #expect(new.filter { $0 < 100 && !moved.contains($0) } == kept, seed.comment)
        }
    }
}
