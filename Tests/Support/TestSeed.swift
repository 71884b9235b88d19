package import SamplePhotos
import Foundation
package import Testing

/// The seed of a random test, which is new in each run and included in each failure.
///
/// `PHOTOS_TEST_SEED` repeats a run:
///
///     let seed = TestSeed()
///     var generator = seed.generator
///     #expect(holds(generator.next()), seed.comment)
package struct TestSeed: Sendable, CustomStringConvertible {
    package let value: UInt64

    package init() {
        let given = ProcessInfo.processInfo.environment["PHOTOS_TEST_SEED"].flatMap(UInt64.init)
        value = given ?? UInt64.random(in: 0...UInt64(UInt32.max))
    }

    package var generator: SeededGenerator { SeededGenerator(seed: value) }
    package var description: String { "PHOTOS_TEST_SEED=\(value)" }
    package var comment: Comment { "\(description)" }
}
