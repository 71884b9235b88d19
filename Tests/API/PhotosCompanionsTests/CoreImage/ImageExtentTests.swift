import Foundation
import PhotosCompanions
import TestSupport
import Testing

/// The extents of images, before anything is rendered.
@Suite(.timeLimit(.minutes(1))) struct ImageExtentTests {
    private let image = CIImage(color: .red).cropped(
        to: CGRect(x: 10, y: 20, width: 300, height: 200)
    )

    @Test func colorsAreInfiniteUntilTheyAreCropped() {
        #expect(CIImage(color: .blue).extent.isInfinite)
        #expect(image.extent == CGRect(x: 10, y: 20, width: 300, height: 200))
        #expect(CIImage.empty().extent.isNull)
        #expect(image.clampedToExtent().extent.isInfinite)
        let part = CGRect(x: 50.5, y: 60.25, width: 10, height: 10.5)
        #expect(image.cropped(to: part).extent == CGRect(x: 50, y: 60, width: 11, height: 11))
        #expect(image.cropped(to: CGRect(x: 0, y: 0, width: 5, height: 5)).extent.isNull)
        #expect(image.cropped(to: .null).extent.isNull)
        #expect(image.cropped(to: .infinite).extent == image.extent)
    }

    @Test("Orientations keep the corner and turn as their transforms do", arguments: 1...8)
    func orientationsKeepTheCorner(_ number: Int32) {
        let turned = image.oriented(forExifOrientation: number)
        let size = number < 5 ? CGSize(width: 300, height: 200) : CGSize(width: 200, height: 300)
        #expect(turned.extent == CGRect(origin: CGPoint(x: 10, y: 20), size: size))
        let change = image.orientationTransform(forExifOrientation: number)
        #expect(image.extent.applying(change) == turned.extent)
        // The stored upper left corner, by EXIF's definition of the numbers.
        let corner = CGPoint(x: 10, y: 220).applying(change)
        let (left, right, top, bottom) = (
            CGFloat(10), 10 + size.width, 20 + size.height, CGFloat(20)
        )
        let expected =
            switch number {
            case 1, 5: CGPoint(x: left, y: top)
            case 2, 6: CGPoint(x: right, y: top)
            case 3, 7: CGPoint(x: right, y: bottom)
            default: CGPoint(x: left, y: bottom)
            }
        #expect(corner == expected)
        // Whether the first row is a column.
        let along = CGPoint(x: 11, y: 220).applying(change)
        #expect((along.x == corner.x) == (number >= 5))
    }

    @Test func unknownOrientationsChangeNothing() {
        for number in [0, 9, -1, Int32.max] {
            #expect(image.oriented(forExifOrientation: number) == image)
        }
    }

    @Test func transformsWithoutAnInverseLeaveNothing() {
        #expect(image.transformed(by: CGAffineTransform(scaleX: 0, y: 1)).extent.isNull)
        #expect(image.transformed(by: .identity) == image)
        let moved = image.transformed(by: CGAffineTransform(translationX: -10, y: 5))
        #expect(moved.extent == CGRect(x: 0, y: 25, width: 300, height: 200))
    }

    @Test func compositesCoverBoth() {
        let other = CIImage(color: .green).cropped(to: CGRect(x: 0, y: 0, width: 20, height: 400))
        let both = image.composited(over: other)
        #expect(both.extent == CGRect(x: 0, y: 0, width: 310, height: 400))
        #expect(image.composited(over: .empty()) == image)
        #expect(CIImage.empty().composited(over: image) == image)
    }

    @Test func equalRecipesAreEqual() {
        let one = image.applyingFilter("CISepiaTone", parameters: ["inputIntensity": 0.5])
        let other = image.applyingFilter("CISepiaTone", parameters: ["inputIntensity": 0.5])
        #expect(one == other && one.hash == other.hash)
        #expect(one != image.applyingFilter("CISepiaTone", parameters: ["inputIntensity": 0.6]))
    }
}

/// Vectors and colors for filters.
@Suite(.timeLimit(.minutes(1))) struct FilterValueTests {
    @Test func vectorsAreWhatTheyWereMadeOf() {
        let rect = CGRect(x: 1, y: 2, width: 3, height: 4)
        #expect(CIVector(cgRect: rect).cgRectValue == rect)
        let change = CGAffineTransform(1, 2, 3, 4, 5, 6)
        #expect(CIVector(cgAffineTransform: change).cgAffineTransformValue == change)
        let vector = CIVector(x: 7, y: 8, z: 9)
        #expect(vector.count == 3 && vector.w == 0 && vector.value(at: -1) == 0)
        #expect(vector.cgPointValue == CGPoint(x: 7, y: 8))
        #expect(vector == CIVector(values: [7, 8, 9]) && vector != CIVector(x: 7, y: 8))
        #expect(CIVector(values: [1, 2], count: -1).count == 0)
    }

    @Test(arguments: [
        ("0.5 0.7 0.3 0.9", [0.5, 0.7, 0.3, 0.9]), ("[1 0 0]", [1, 0, 0, 1]), ("", [0, 0, 0, 1]),
        ("(0.25, x, 1)", [0.25, 0, 1, 1]), ("1 1 1 0 5", [1, 1, 1, 0]),
    ])
    func colorsAreReadFromText(_ row: (String, [CGFloat])) {
        let color = CIColor(string: row.0)
        #expect([color.red, color.green, color.blue, color.alpha] == row.1)
        #expect(CIColor(string: color.stringRepresentation) == color)
    }
}
