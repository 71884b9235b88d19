import PhotoModel
import TestSupport
import Testing

@testable import Imaging

/// Chains of color operations, which become shorter without another result.
@Suite(.timeLimit(.minutes(1))) struct PointChainTests {
    private func apply(_ matrix: [Double], _ color: [Double]) -> [Double] {
        var result: [Double] = []
        for row in 0..<3 {
            var sum = matrix[row * 4 + 3]
            for column in 0..<3 { sum += matrix[row * 4 + column] * color[column] }
            result.append(sum)
        }
        return result
    }

    @Test func matricesAreMultiplied() throws {
        let seed = TestSeed()
        var generator = seed.generator
        for _ in 0..<100 {
            var chain = PointChain()
            var color = (0..<3).map { _ in Double.random(in: 0...1, using: &generator) }
            let start = color
            for _ in 0..<Int.random(in: 1...5, using: &generator) {
                let matrix = (0..<12).map { _ in Double.random(in: -1...1, using: &generator) }
                chain.append(.matrix(matrix))
                color = apply(matrix, color)
            }
            #expect(chain.links.count == 1, seed.comment)
            guard case .matrix(let product) = chain.links.first else { continue }
            let found = apply(product, start)
            #expect(zip(found, color).allSatisfy { abs($0 - $1) < 1e-9 }, seed.comment)
        }
    }

    private func words(_ chain: PointChain) -> [String] {
        chain.links.map { link in
            switch link {
            case .matrix: "matrix"
            case .separate(.encode): "encode"
            case .separate(.decode): "decode"
            case .separate(.power): "power"
            case .separate(.curves): "curves"
            case .other: "other"
            }
        }
    }

    @Test func inverseOperationsCancelOut() {
        var chain = PointChain()
        let box = PixelBox(left: 0, bottom: 0, right: 10, top: 10)
        chain.append([.encode, .decode, .power(2), .decode, .encode], isLinear: true, in: box)
        #expect(words(chain) == ["power"])
        var plain = PointChain()
        plain.append([.encode, .power(2), .decode], isLinear: false, in: box)
        #expect(words(plain) == ["power"])
    }

    @Test func invalidOperationsAreLeftOut() {
        var chain = PointChain()
        let box = PixelBox(left: 0, bottom: 0, right: 10, top: 10)
        chain.append(
            [
                .matrix([1, 2]), .alphaMatrix([1]), .curves(red: [0], green: [0], blue: [0]),
                .curves(red: [0, 1], green: [0, 1, 2], blue: [0, 1]), .vibrance(0.5), .opaque,
                .curves(red: [0, 1], green: [0, 1], blue: [0, 1]),
            ],
            isLinear: true,
            in: box
        )
        #expect(words(chain) == ["other", "other", "curves"])
    }

    @Test func operationsAreTakenFromBothEnds() {
        var chain = PointChain()
        let box = PixelBox(left: 0, bottom: 0, right: 10, top: 10)
        let curve = PointOperation.curves(red: [0, 1], green: [0, 1], blue: [0, 1])
        chain.append([.power(2), .vibrance(1), curve, .decode], isLinear: true, in: box)
        #expect(chain.takeFirstSeparate() != nil && chain.takeFirstSeparate() == nil)
        #expect(chain.takeLastLookup() != nil && chain.takeLastLookup() != nil)
        #expect(chain.takeLastLookup() == nil && words(chain) == ["other"])
        // A table is too coarse for these.
        chain.append([.power(2)], isLinear: true, in: box)
        #expect(chain.takeLastLookup() == nil)
    }
}

/// Rectangles of whole pixels.
@Suite(.timeLimit(.minutes(1))) struct PixelBoxTests {
    @Test func boxesContainTheirRectangles() {
        let seed = TestSeed()
        var generator = seed.generator
        for _ in 0..<300 {
            let x = Double.random(in: -50...50, using: &generator)
            let y = Double.random(in: -50...50, using: &generator)
            let rectangle = RecipeRectangle(
                minX: x,
                minY: y,
                maxX: x + .random(in: 0.01...40, using: &generator),
                maxY: y + .random(in: 0.01...40, using: &generator)
            )
            let box = PixelBox(rectangle)
            #expect(box.rectangle.grown(by: 0.001).contains(rectangle), seed.comment)
            #expect(Double(box.size.width) < rectangle.width + 2, seed.comment)
            let other = box.grown(by: 3)
            #expect(other.contains(box) && !box.contains(other))
            #expect(other.intersection(box) == box && box.intersection(rectangle) == box)
        }
    }

    @Test func emptyAndInfiniteBoxes() {
        #expect(PixelBox(.empty).isEmpty)
        let all = PixelBox(.infinite)
        #expect(!all.isEmpty && all.right == 1_000_000_000_000)
        let one = PixelBox(left: 0, bottom: 0, right: 5, top: 5)
        #expect(one.intersection(PixelBox(left: 5, bottom: 0, right: 9, top: 5)).isEmpty)
        #expect(all.contains(one) && one.size == PixelSize(width: 5, height: 5))
    }
}
