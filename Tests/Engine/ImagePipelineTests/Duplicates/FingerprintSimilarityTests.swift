import ImagePipeline
import TestSupport
import Testing

/// The limits within which two fingerprints may be those of one picture.
@Suite(.timeLimit(.minutes(1))) struct FingerprintSimilarityTests {
    private let base = PictureFingerprint(
        across: 0xF0F0_1234_5678_9ABC,
        down: 0x0F0F_AAAA_5555_0000,
        colors: [UInt8](repeating: 100, count: 48),
        aspect: 1.5
    )

    /// Expects the same answer both ways.
    private func expect(_ other: PictureFingerprint, isLike: Bool, _ words: Comment) {
        #expect(base.isLike(other) == isLike, words)
        #expect(other.isLike(base) == isLike, words)
    }

    @Test(arguments: [0, 1, 7, 8, 64])
    func bitsMayDifferToALimit(_ count: Int) {
        let mask = count == 64 ? UInt64.max : (1 << UInt64(count) - 1) << UInt64(min(count, 20))
        var other = base
        other.across ^= mask
        expect(other, isLike: count <= 7, "across, \(count)")
        other = base
        other.down ^= mask
        expect(other, isLike: count <= 7, "down, \(count)")
        // The limits are separate.
        other.across ^= 0x7f
        expect(other, isLike: count <= 7, "both, \(count)")
    }

    @Test(
        arguments: [0, 47],
        [(86, true), (114, true), (85, false), (115, false)] as [(UInt8, Bool)]
    )
    func eachColorCounts(_ index: Int, _ row: (UInt8, Bool)) {
        var other = base
        other.colors[index] = row.0
        expect(other, isLike: row.1, "\(index) \(row.0)")
    }

    @Test func anotherNumberOfColorsIsNotAlike() {
        var other = base
        other.colors.removeLast()
        expect(other, isLike: false, "")
    }

    @Test func aspectsAreComparedBothWaysAlike() {
        let seed = TestSeed()
        var generator = seed.generator
        for (factor, isLike) in [(1.0, true), (1.045, true), (1.06, false), (1.0 / 1.06, false)] {
            var other = base
            other.aspect *= factor
            expect(other, isLike: isLike, "\(factor)")
        }
        for _ in 0..<500 {
            var other = base
            other.aspect *= Double.random(in: 0.9...1.1, using: &generator)
            #expect(base.isLike(other) == other.isLike(base), "\(other.aspect) \(seed)")
        }
    }
}
