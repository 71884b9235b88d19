import CloudSync
import TestSupport
import Testing

/// A queue has the values that an array has after the same changes.
@Suite(.timeLimit(.minutes(1))) struct QueueTests {
    /// A queue, and an array that is changed in the same way.
    private struct Pair {
        var queue: Queue<Int>
        var array: [Int]
        private var last = 100

        init(_ values: [Int]) {
            queue = Queue(values)
            array = values
        }

        private mutating func next() -> Int {
            last += 1
            return last
        }

        /// Makes a change of one of six kinds, and returns whether both removed the same value.
        mutating func change(using generator: inout some RandomNumberGenerator) -> Bool {
            switch Int.random(in: 0..<9, using: &generator) {
            case 0..<3:
                let value = next()
                queue.append(value)
                array.append(value)
            case 3:
                let value = next()
                queue.prepend(value)
                array.insert(value, at: 0)
            case 4:
                let value = queue.popFirst()
                return value == (array.isEmpty ? nil : array.removeFirst())
            case 5, 6:
                let count = Int.random(in: 0..<6, using: &generator)
                queue.removeFirst(count)
                array.removeFirst(min(count, array.count))
            case 7:
                guard let place = array.indices.randomElement(using: &generator) else { break }
                let value = next()
                queue[place] = value
                array[place] = value
            default:
                guard let place = array.indices.randomElement(using: &generator) else { break }
                let values = (0..<Int.random(in: 0..<4, using: &generator)).map { _ in next() }
                queue.replace(at: place, with: values)
                array.replaceSubrange(place...place, with: values)
            }
            return true
        }

        var isEqual: Bool {
            guard Array(queue) == array, queue.count == array.count,
                queue.isEmpty == array.isEmpty, queue.first == array.first,
                queue.last == array.last, Array(queue.prefix(3)) == Array(array.prefix(3))
            else { return false }
            return array.indices.allSatisfy { queue[$0] == array[$0] }
        }
    }

    @Test func aQueueHasTheValuesOfAnArray() {
        let seed = TestSeed()
        var generator = seed.generator
        var areEqual = true
        for run in 0..<400 {
            var pair = Pair(Array(0..<(run % 5)))
            for _ in 0..<60 {
                // A copy is another value.
                let copy = pair
                areEqual = areEqual && pair.change(using: &generator)
                areEqual = areEqual && pair.isEqual && copy.isEqual
            }
        }
        #expect(areEqual, seed.comment)
    }

    /// Removals from the front and additions at the end, of which no value is lost or moved.
    @Test func valuesLeaveInTheOrderOfTheirArrival() {
        var queue = Queue<Int>()
        var removed: [Int] = []
        for start in stride(from: 0, to: 10_000, by: 100) {
            for value in start..<start + 100 { queue.append(value) }
            removed += queue.prefix(70)
            queue.removeFirst(70)
        }
        while let value = queue.popFirst() { removed.append(value) }
        #expect(removed == Array(0..<10_000))
        #expect(queue.isEmpty)
        queue.removeFirst(1)
        #expect(queue.isEmpty)
    }
}
