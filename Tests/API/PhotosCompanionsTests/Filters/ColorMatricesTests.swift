import Glibc
import TestSupport
import Testing

@testable import PhotosCompanions

/// Color matrices by what they do to colors.
@Suite(.timeLimit(.minutes(1))) struct ColorMatricesTests {
    private func apply(_ matrix: [Double], _ color: [Double]) -> [Double] {
        var result: [Double] = []
        for row in 0..<3 {
            var sum = matrix[row * 4 + 3]
            for column in 0..<3 { sum += matrix[row * 4 + column] * color[column] }
            result.append(sum)
        }
        return result
    }

    private func luminance(_ color: [Double]) -> Double {
        0.2126 * color[0] + 0.7152 * color[1] + 0.0722 * color[2]
    }

    private func isNear(_ one: [Double], _ other: [Double], _ most: Double = 1e-9) -> Bool {
        zip(one, other).allSatisfy { abs($0 - $1) <= most }
    }

    @Test func saturationAndHueKeepGrayAndLuminance() {
        let seed = TestSeed()
        var generator = seed.generator
        for _ in 0..<200 {
            let color = (0..<3).map { _ in Double.random(in: 0...1, using: &generator) }
            let gray = [Double](repeating: color[0], count: 3)
            let amount = Double.random(in: 0...3, using: &generator)
            let saturated = apply(ColorMatrices.saturation(amount), color)
            #expect(abs(luminance(saturated) - luminance(color)) < 1e-9, seed.comment)
            #expect(isNear(apply(ColorMatrices.saturation(amount), gray), gray), seed.comment)
            let distance = saturated[0] - luminance(color)
            #expect(abs(distance - amount * (color[0] - luminance(color))) < 1e-9, seed.comment)
            let angle = Double.random(in: -7...7, using: &generator)
            let turned = apply(ColorMatrices.hue(angle), color)
            #expect(abs(luminance(turned) - luminance(color)) < 2e-3, seed.comment)
            #expect(isNear(apply(ColorMatrices.hue(angle), gray), gray, 1e-9), seed.comment)
        }
        #expect(isNear(ColorMatrices.hue(0), ColorMatrices.scale(1)))
        #expect(isNear(ColorMatrices.hue(2 * .pi), ColorMatrices.scale(1), 1e-9))
        #expect(isNear(apply(ColorMatrices.saturation(0), [1, 0, 0]), [0.2126, 0.2126, 0.2126]))
    }

    @Test func productsApplyOneAfterTheOther() {
        let seed = TestSeed()
        var generator = seed.generator
        func matrix() -> [Double] { (0..<12).map { _ in .random(in: -2...2, using: &generator) } }
        for _ in 0..<100 {
            let (one, other) = (matrix(), matrix())
            let color = (0..<3).map { _ in Double.random(in: -1...1, using: &generator) }
            let both = apply(ColorMatrices.product(other, after: one), color)
            #expect(isNear(both, apply(other, apply(one, color))), seed.comment)
            let part = Double.random(in: -1...2, using: &generator)
            let (none, all) = (color, apply(one, color))
            let mixed = apply(ColorMatrices.mixed(one, part), color)
            let expected = zip(none, all).map { $0 + ($1 - $0) * part }
            #expect(isNear(mixed, expected), seed.comment)
        }
    }

    @Test func scalesMultiplyAndThenAdd() {
        let matrix = ColorMatrices.scale([1, 2, 3], plus: [0.1, 0.2, 0.3])
        #expect(isNear(apply(matrix, [0.5, 0.5, 0.5]), [0.6, 1.2, 1.8]))
        #expect(isNear(apply(ColorMatrices.scale(2, plus: 1), [1, 2, 3]), [3, 5, 7]))
    }
}
