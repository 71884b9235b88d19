import PhotoModel
import RenditionCodec
import TestSupport
import Testing

/// Plans that are served from a smaller copy of the image.
@Suite(.timeLimit(.minutes(1))) struct PlanReductionTests {
    @Test func reducedPlansFitTheCopyAndKeepTheShape() {
        let seed = TestSeed()
        var generator = seed.generator
        for _ in 0..<500 {
            func size(_ range: ClosedRange<Int>) -> PixelSize {
                PixelSize(
                    width: .random(in: range, using: &generator),
                    height: .random(in: range, using: &generator)
                )
            }
            let whole = size(300...4000)
            let copy = PixelPlan(
                PixelShape(size: PixelSize(width: 256, height: 256)),
                of: whole
            ).canvas
            let shape = PixelShape(size: size(300...2000), fitting: .exactFill)
            let plan = PixelPlan(shape, of: whole)
            let reduced = plan.reduced(to: copy, of: whole)
            #expect(reduced.crop == plan.crop, seed.comment)
            #expect(reduced.canvas == reduced.scaled)
            let part = plan.moved(from: whole, to: copy).crop.size
            #expect(
                reduced.scaled.width <= part.width && reduced.scaled.height <= part.height,
                "\(whole) \(shape) \(seed)"
            )
            // One side is used fully, or the plan was as small.
            #expect(
                reduced.scaled.width == part.width || reduced.scaled.height == part.height
                    || reduced.scaled == plan.scaled,
                "\(whole) \(shape) \(seed)"
            )
        }
    }

    @Test(arguments: [(100, 100, true), (200, 100, true), (201, 100, false), (20, 20, true)])
    func nearSizesHaveAtMostTwiceThePixels(_ row: (Int, Int, Bool)) {
        let plan = PixelPlan(
            PixelShape(size: PixelSize(width: 100, height: 100)),
            of: PixelSize(width: 1000, height: 1000)
        )
        #expect(plan.isNear(PixelSize(width: row.0, height: row.1)) == row.2)
    }

    @Test func onlyWholePicturesMayBeLarger() {
        let size = PixelSize(width: 10, height: 10)
        #expect(PixelShape(size: size).takesWholes)
        #expect(PixelShape(size: size, fitting: .fill).takesWholes)
        #expect(!PixelShape(size: size, fitting: .exactFit).takesWholes)
        #expect(!PixelShape(size: size, fitting: .exactFill).takesWholes)
        let crop = UnitRectangle(x: 0, y: 0, width: 1, height: 1)
        #expect(!PixelShape(size: size, crop: crop).takesWholes)
    }
}
