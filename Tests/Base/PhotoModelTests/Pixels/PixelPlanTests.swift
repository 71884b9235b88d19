import PhotoModel
import Testing

@Suite(.timeLimit(.minutes(1))) struct PixelPlanTests {
    private let whole = PixelSize(width: 4_000, height: 3_000)

    private func size(_ width: Int, _ height: Int) -> PixelSize {
        PixelSize(width: width, height: height)
    }

    private func plan(_ fitting: PixelShape.Fitting, _ width: Int, _ height: Int) -> PixelPlan {
        PixelPlan(PixelShape(size: size(width, height), fitting: fitting), of: whole)
    }

    @Test func withoutASizeTheImageIsWhole() {
        let plan = PixelPlan(PixelShape(), of: whole)
        #expect(plan.crop == PixelRectangle(x: 0, y: 0, size: whole))
        #expect(plan.scaled == whole && plan.canvas == whole && plan.origin == (0, 0))
        #expect(PixelPlan(PixelShape(size: size(0, 9)), of: whole).scaled == whole)
        #expect(PixelPlan(PixelShape(size: size(9, 0)), of: whole).scaled == whole)
    }

    @Test func fitIsInsideAndFillCovers() {
        #expect(plan(.fit, 400, 400).canvas == size(400, 300))
        #expect(plan(.fill, 400, 400).canvas == size(533, 400))
        // Never enlarged.
        #expect(plan(.fit, 9_000, 9_000).canvas == whole)
        #expect(plan(.fill, 9_000, 400).canvas == whole)
        #expect(PixelPlan(PixelShape(size: size(1, 1)), of: size(5_000, 1)).scaled == size(1, 1))
    }

    @Test func exactSizesArePaddedOrCropped() {
        let fit = plan(.exactFit, 400, 400)
        #expect(fit.scaled == size(400, 300) && fit.canvas == size(400, 400))
        #expect(fit.origin == (0, 50))
        let wide = plan(.exactFill, 400, 400)
        #expect(wide.crop == PixelRectangle(x: 500, y: 0, size: size(3_000, 3_000)))
        let high = plan(.exactFill, 800, 300)
        #expect(high.crop == PixelRectangle(x: 0, y: 750, size: size(4_000, 1_500)))
        #expect(high.scaled == size(800, 300) && high.canvas == size(800, 300))
    }

    @Test func partsAreClamped() {
        func part(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> PixelRectangle {
            let crop = UnitRectangle(x: x, y: y, width: width, height: height)
            return PixelPlan(PixelShape(crop: crop), of: whole).crop
        }
        #expect(
            part(0.25, 0.5, 0.5, 0.5)
                == PixelRectangle(x: 1_000, y: 1_500, size: size(2_000, 1_500))
        )
        #expect(part(-1, -1, 3, 3) == PixelRectangle(x: 0, y: 0, size: whole))
        // At least one pixel, inside the image.
        #expect(part(1, 1, 0, 0) == PixelRectangle(x: 3_999, y: 2_999, size: size(1, 1)))
        #expect(part(.nan, 0, 1, 1).size == whole)
        #expect(part(0, 0, .infinity, 1).size == whole)
    }

    @Test func plansMoveToSmallerCopies() {
        let crop = UnitRectangle(x: 0.25, y: 0.5, width: 0.5, height: 0.5)
        let plan = PixelPlan(PixelShape(size: size(200, 200), crop: crop), of: whole)
        let copy = size(400, 300)
        let moved = plan.moved(from: whole, to: copy)
        #expect(moved.crop == PixelRectangle(x: 100, y: 150, size: size(200, 150)))
        #expect(moved.scaled == plan.scaled && moved.canvas == plan.canvas)
        #expect(plan.moved(from: whole, to: whole) == plan)
        #expect(plan.moved(from: size(0, 0), to: copy) == plan)
        #expect(plan.isCovered(by: copy, of: whole))
        #expect(!plan.isCovered(by: size(200, 150), of: whole))
        let corner = UnitRectangle(x: 1, y: 1, width: 0, height: 0)
        let tiny = PixelPlan(PixelShape(crop: corner), of: whole).moved(from: whole, to: size(2, 2))
        #expect(tiny.crop == PixelRectangle(x: 1, y: 1, size: size(1, 1)))
    }

    @Test("Each crop has a pixel, within the image")
    func cropsAreWithinTheImage() {
        let places = [-1, 0, 0.4999, 0.999_999, 1, 2, .infinity, -.infinity, .nan] as [Double]
        let lengths = [-1, 0, 1e-9, 0.5, 1, 3, .infinity, .nan] as [Double]
        for (x, width) in places.flatMap({ x in lengths.map { (x, $0) } }) {
            let crop = UnitRectangle(x: x, y: x, width: width, height: width)
            let part = PixelPlan(PixelShape(crop: crop), of: size(10, 7)).crop
            #expect(part.size.width >= 1 && part.size.height >= 1, "\(x) \(width)")
            #expect(part.x >= 0 && part.x + part.size.width <= 10, "\(x) \(width)")
            #expect(part.y >= 0 && part.y + part.size.height <= 7, "\(x) \(width)")
        }
    }

    @Test("Sizes that no image has are planned, too", arguments: PixelShape.Fitting.allCases)
    func absurdSizesArePlanned(_ fitting: PixelShape.Fitting) {
        for (width, height) in [(Int.max, Int.max), (Int.max, 1), (1, Int.max)] {
            let plan = plan(fitting, width, height)
            #expect(plan.scaled.width >= 1 && plan.scaled.height >= 1)
            #expect(plan.crop.size.width <= 4_000 && plan.crop.size.height <= 3_000)
        }
    }
}
