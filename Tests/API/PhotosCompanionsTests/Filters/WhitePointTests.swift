import TestSupport
import Testing

@testable import PhotosCompanions

/// White points compared with the published ones of illuminants.
@Suite(.timeLimit(.minutes(1))) struct WhitePointTests {
    private func chromaticity(_ temperature: Double, tint: Double = 0) -> (x: Double, y: Double) {
        let white = WhitePoint(temperature: temperature, tint: tint).tristimulus
        let sum = white[0] + white[1] + white[2]
        return (white[0] / sum, white[1] / sum)
    }

    /// The black body's chromaticities from CIE's tables.
    @Test(arguments: [
        (2000.0, 0.5267, 0.4133), (2856, 0.4476, 0.4074), (4000, 0.3805, 0.3768),
        (5000, 0.3451, 0.3516), (6500, 0.3135, 0.3237), (10_000, 0.2807, 0.2884),
    ])
    func blackBodiesHaveTheirColors(_ row: (Double, Double, Double)) {
        let (x, y) = chromaticity(row.0)
        #expect(abs(x - row.1) < 0.002 && abs(y - row.2) < 0.002, "\(x) \(y)")
    }

    @Test func tintMovesBetweenGreenAndMagenta() {
        let (plain, green, magenta) = (
            chromaticity(5500), chromaticity(5500, tint: 100), chromaticity(5500, tint: -100)
        )
        #expect(green.y > plain.y && plain.y > magenta.y)
        #expect(chromaticity(5500, tint: 300) == chromaticity(5500, tint: 900))
        #expect(chromaticity(100) == chromaticity(1667))
        #expect(chromaticity(90_000) == chromaticity(25_000))
    }

    @Test func adaptationsMapWhiteToWhiteAndBack() {
        let seed = TestSeed()
        var generator = seed.generator
        for _ in 0..<50 {
            let (one, other) = (
                WhitePoint(
                    temperature: .random(in: 2500...12_000, using: &generator),
                    tint: .random(in: -100...100, using: &generator)
                ),
                WhitePoint(
                    temperature: .random(in: 2500...12_000, using: &generator),
                    tint: .random(in: -100...100, using: &generator)
                )
            )
            let there = other.adaptation(from: one)
            let back = one.adaptation(from: other)
            let both = ColorMatrices.product(back, after: there)
            for row in 0..<3 {
                for column in 0..<4 {
                    let expected = row == column ? 1.0 : 0
                    #expect(abs(both[row * 4 + column] - expected) < 2e-3, seed.comment)
                }
            }
        }
        // Toward a warmer white, red grows in relation to blue.
        let warm = WhitePoint(temperature: 3000, tint: 0)
            .adaptation(from: WhitePoint(temperature: 6500, tint: 0))
        let white = (0..<3).map { row in warm[row * 4..<row * 4 + 3].reduce(0, +) }
        #expect(white[0] > white[1] && white[1] > white[2])
    }
}
