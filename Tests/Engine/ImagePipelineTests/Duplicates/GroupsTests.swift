import ImagePipeline
import TestSupport
import Testing

/// Joined elements compared with a search through all connections.
@Suite(.timeLimit(.minutes(1))) struct GroupsTests {
    @Test func groupsAreTheConnectedElements() {
        let seed = TestSeed()
        var generator = seed.generator
        for _ in 0..<100 {
            let count = Int.random(in: 1...40, using: &generator)
            var groups = Groups(count: count)
            var neighbors = [Set<Int>](repeating: [], count: count)
            for _ in 0..<Int.random(in: 0...count, using: &generator) {
                let one = Int.random(in: 0..<count, using: &generator)
                let other = Int.random(in: 0..<count, using: &generator)
                groups.join(one, other)
                neighbors[one].insert(other)
                neighbors[other].insert(one)
            }
            var seen: Set<Int> = []
            var expected: [[Int]] = []
            for start in 0..<count where !seen.contains(start) {
                var (found, next): (Set<Int>, [Int]) = ([start], [start])
                while let element = next.popLast() {
                    for other in neighbors[element] where found.insert(other).inserted {
                        next.append(other)
                    }
                }
                seen.formUnion(found)
                if found.count > 1 { expected.append(found.sorted()) }
            }
            #expect(groups.all() == expected, seed.comment)
            for group in expected {
                #expect(Set(group.map { groups.root(of: $0) }).count == 1, seed.comment)
            }
        }
    }
}
