import PhotoModel
import Testing

/// Rectangles, transforms and extents of recipes.
@Suite(.timeLimit(.minutes(1))) struct RecipeTests {
    private func box(_ minX: Double, _ minY: Double, _ maxX: Double, _ maxY: Double)
        -> RecipeRectangle
    {
        RecipeRectangle(minX: minX, minY: minY, maxX: maxX, maxY: maxY)
    }

    @Test func rectanglesWithoutAreaAreEmpty() {
        #expect(RecipeRectangle.empty.isEmpty && box(0, 0, 0, 1).isEmpty && box(0, 1, 1, 0).isEmpty)
        #expect(!box(0, 0, 1, 1).isEmpty)
        #expect(box(.nan, 0, 1, 1) == box(0, 0, 1, 1))
        #expect(RecipeRectangle(PixelSize(width: 4, height: 3)) == box(0, 0, 4, 3))
        #expect(box(1, 2, 4, 6).width == 3 && box(1, 2, 4, 6).height == 4)
    }

    @Test func rectanglesMayBeInfiniteOnAnySide() {
        #expect(RecipeRectangle.infinite.isInfinite)
        #expect(box(-.infinity, 0, 1, 1).isInfinite && box(0, -.infinity, 1, 1).isInfinite)
        #expect(box(0, 0, .infinity, 1).isInfinite && box(0, 0, 1, .infinity).isInfinite)
        #expect(!box(0, 0, 1, 1).isInfinite && !RecipeRectangle.empty.isInfinite)
    }

    @Test func rectanglesAreIntersectedAndUnited() {
        let (first, second) = (box(0, 0, 4, 4), box(2, 1, 6, 3))
        #expect(first.intersection(second) == box(2, 1, 4, 3))
        #expect(first.intersection(box(4, 0, 5, 1)) == .empty)
        #expect(first.union(second) == box(0, 0, 6, 4))
        #expect(first.union(.empty) == first && RecipeRectangle.empty.union(first) == first)
        #expect(first.contains(box(1, 1, 4, 4)) && first.contains(.empty))
        #expect(!first.contains(second))
        #expect(!first.contains(box(-1, 0, 1, 1)) && !first.contains(box(0, -1, 1, 1)))
        #expect(!first.contains(box(0, 0, 1, 5)))
    }

    @Test func marginsAreAdded() {
        #expect(box(0, 0, 4, 4).grown(by: 1) == box(-1, -1, 5, 5))
        #expect(box(0, 0, 4, 4).grown(by: -2) == .empty)
        #expect(RecipeRectangle.empty.grown(by: 3) == .empty)
    }

    @Test func integralRectanglesIgnoreRounding() {
        #expect(box(0.4, 0.6, 2.2, 3).integral == box(0, 0, 3, 3))
        #expect(box(0.999_9, 1.000_1, 2.000_1, 3).integral == box(1, 1, 2, 3))
        #expect(RecipeRectangle.empty.integral == .empty)
    }

    @Test func transformsHaveInverses() {
        let transform = RecipeTransform(a: 2, b: 1, c: -1, d: 3, tx: 5, ty: -7)
        #expect(transform.determinant == 7 && transform.isInvertible)
        let inverse = transform.inverted
        let point = box(1, 2, 1.5, 2.5)
        let back = inverse.applied(to: transform.applied(to: point))
        #expect(back.contains(point))
        #expect(transform.applied(to: box(0, 0, 1, 1)) == box(4, -7, 7, -3))
        #expect(transform.applied(to: .empty) == .empty)
        #expect(transform.applied(to: .infinite) == .infinite)
        let flat = RecipeTransform(a: 1, b: 2, c: 2, d: 4, tx: 0, ty: 0)
        #expect(!flat.isInvertible)
        #expect(!RecipeTransform(a: 1, b: 0, c: 0, d: 1, tx: .nan, ty: 0).isInvertible)
        #expect(!RecipeTransform(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: .infinity).isInvertible)
        #expect(!RecipeTransform(a: .infinity, b: 0, c: 0, d: 1, tx: 0, ty: 0).isInvertible)
    }

    @Test func eachOperationHasItsExtent() {
        typealias Operation = PictureRecipe.Operation
        let input = box(1, 2, 11, 8)
        let shift = RecipeTransform(a: 1, b: 0, c: 0, d: 1, tx: 0.5, ty: 0)
        let expected: [(Operation, RecipeRectangle)] = [
            (.point([.encode]), input), (.sharpen(sigma: 1, amount: 1, isLuminance: true), input),
            (.tones(highlights: 0, shadows: 0, sigma: 2), input),
            (.crop(box(0, 0, 3, 3)), box(1, 2, 3, 3)), (.transform(shift), box(1, 2, 12, 8)),
            (.scale(horizontal: 0.5, vertical: 2), box(1, 4, 6, 16)),
            (.scale(horizontal: 0.001, vertical: 0.001), box(0, 0, 1, 1)),
            (.blur(sigma: 1.1), box(-3, -2, 15, 12)), (.clamp, .infinite),
        ]
        for (operation, extent) in expected {
            #expect(operation.inputCount == 1)
            #expect(operation.extent(of: [input], sizes: []) == extent, "\(operation)")
        }
        #expect(Operation.clamp.extent(of: [.empty], sizes: []) == .empty)
        #expect(
            Operation.scale(horizontal: 2, vertical: 2).extent(of: [.infinite], sizes: [])
                == .infinite
        )
        #expect(Operation.over.extent(of: [input, box(0, 0, 1, 1)], sizes: []) == box(0, 0, 11, 8))
        #expect(Operation.over.inputCount == 2 && Operation.source(0).inputCount == 0)
    }

    @Test func recipesRefuseStepsWithoutTheirInputs() {
        let size = PixelSize(width: 4, height: 3)
        func extents(_ steps: PictureRecipe.Step...) -> [RecipeRectangle]? {
            PictureRecipe(steps: steps).extents(sizes: [size])
        }
        let source = PictureRecipe.Step(.source(0))
        #expect(
            extents(source, .init(.blur(sigma: 1), of: [0])) == [
                box(0, 0, 4, 3), box(-3, -3, 7, 6),
            ]
        )
        #expect(extents(.init(.color(red: 1, green: 0, blue: 0, alpha: 1))) == [.infinite])
        #expect(extents(.init(.source(1))) == nil, "there is one source")
        #expect(extents(source, .init(.clamp, of: [1])) == nil, "a step follows its inputs")
        #expect(extents(source, .init(.over, of: [0])) == nil, "an input is missing")
        #expect(extents(source, .init(.clamp)) == nil)
        #expect(extents() == [])
    }

    @Test func sourcesHaveTheirSize() {
        let size = PixelSize(width: 4, height: 3)
        let components = PictureRendering.PixelComponents(alpha: .straight)
        #expect(PictureRendering.Source.file(size).size == size)
        #expect(PictureRendering.Source.pixels(.init(size: size), components).size == size)
    }
}
