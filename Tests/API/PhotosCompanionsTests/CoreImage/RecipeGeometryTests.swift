import Foundation
import PhotosCompanions
import TestSupport
import Testing

/// The positions of pixels after a recipe; the origin is the lower left corner.
@Suite("Geometry of recipes", .timeLimit(.minutes(2)))
struct RecipeGeometryTests {
    private let card = TestCard.places(width: 20, height: 12)

    @Test("A crop has its rectangle's pixels and stays where it is")
    func crop() throws {
        let cropped = card.image.cropped(to: CGRect(x: 3, y: 2, width: 5, height: 4))
        #expect(cropped.extent == CGRect(x: 3, y: 2, width: 5, height: 4))
        let drawn = try TestCard.drawn(cropped)
        // The lower left corner is in the third row from the bottom.
        #expect(drawn.pixel(0, 3) == (3, 9, 200, 255))
        #expect(drawn.pixel(4, 0) == (7, 6, 200, 255))
        let byFilter = card.image.applyingFilter(
            "CICrop",
            parameters: ["inputRectangle": CIVector(x: 3, y: 2, z: 5, w: 4)]
        )
        #expect(try TestCard.drawn(byFilter).bytes == drawn.bytes)
    }

    @Test("Beside the picture there is nothing")
    func beside() throws {
        let drawn = try TestCard.drawn(
            card.image,
            in: CGRect(x: -2, y: -1, width: 24, height: 14)
        )
        #expect(drawn.pixel(0, 0) == (0, 0, 0, 0))
        #expect(drawn.pixel(2, 12) == (0, 11, 200, 255))
        #expect(drawn.pixel(21, 1) == (19, 0, 200, 255))
        #expect(drawn.pixel(22, 1).alpha == 0)
    }

    @Test("All eight orientations, pixel by pixel", arguments: 1...8)
    func orientations(number: Int32) throws {
        let turned = card.image.oriented(forExifOrientation: number)
        let swaps = number >= 5
        let (width, height) = swaps ? (12, 20) : (20, 12)
        #expect(turned.extent == CGRect(x: 0, y: 0, width: width, height: height))
        let drawn = try TestCard.drawn(turned)
        for row in 0..<height {
            for column in 0..<width {
                // The position at which EXIF stores the displayed pixel.
                let (x, y): (Int, Int) =
                    switch number {
                    case 2: (19 - column, row)
                    case 3: (19 - column, 11 - row)
                    case 4: (column, 11 - row)
                    case 5: (row, column)
                    case 6: (row, 11 - column)
                    case 7: (19 - row, 11 - column)
                    case 8: (19 - row, column)
                    default: (column, row)
                    }
                let pixel = drawn.pixel(column, row)
                #expect(pixel.red == x && pixel.green == y, "at \(column), \(row)")
            }
        }
        let transform = card.image.orientationTransform(forExifOrientation: number)
        #expect(card.image.extent.applying(transform) == turned.extent)
    }

    @Test("Moves by whole pixels and quarter turns keep every byte")
    func wholeTransforms() throws {
        let moved = card.image.transformed(by: CGAffineTransform(translationX: 7, y: -3))
        #expect(moved.extent == CGRect(x: 7, y: -3, width: 20, height: 12))
        #expect(try TestCard.drawn(moved).bytes == card.bytes)
        let turned = card.image.transformed(by: CGAffineTransform(rotationAngle: .pi / 2))
        #expect(turned.extent == CGRect(x: -12, y: 0, width: 12, height: 20))
        // Counterclockwise: the right side is now at the top.
        #expect(try TestCard.drawn(turned).pixel(0, 0) == (19, 0, 200, 255))
    }

    @Test("A scale by two puts pixels between others")
    func scale() throws {
        let larger = card.image.transformed(by: CGAffineTransform(scaleX: 2, y: 2))
        #expect(larger.extent == CGRect(x: 0, y: 0, width: 40, height: 24))
        let drawn = try TestCard.drawn(larger)
        for column in 8..<32 {
            let expected = (Double(column) + 0.5) / 2 - 0.5
            #expect(abs(Double(drawn.pixel(column, 12).red) - expected) <= 1.1)
        }
    }

    @Test("A straightened picture fills its old frame, and its middle stays in the middle")
    func straighten() throws {
        let (width, height) = (60, 40)
        let white = TestCard(
            width: width,
            height: height,
            bytes: [UInt8](repeating: 255, count: width * height * 4)
        )
        for angle in [-0.3, 0.05, 0.2] {
            let image = white.image.applyingFilter(
                "CIStraightenFilter",
                parameters: [kCIInputAngleKey: angle]
            )
            #expect(image.extent == white.image.extent)
            let drawn = try TestCard.drawn(image)
            #expect(drawn.bytes.allSatisfy { $0 >= 254 }, "angle \(angle)")
        }
        // A line across the middle that rises to the right.
        var line = [UInt8](repeating: 0, count: width * height * 4)
        for column in 0..<width {
            for row in 19...20 {
                for byte in 0..<4 { line[(row * width + column) * 4 + byte] = 255 }
            }
        }
        let bar = TestCard(width: width, height: height, bytes: line)
        let drawn = try TestCard.drawn(
            bar.image.applyingFilter(
                "CIStraightenFilter",
                parameters: [kCIInputAngleKey: 0.2]
            )
        )
        func center(_ column: Int) -> Double {
            let weights = (0..<height).map { Double(drawn.pixel(column, $0).alpha) }
            let sum = weights.reduce(0, +)
            return weights.enumerated().reduce(0) { $0 + Double($1.offset) * $1.element } / sum
        }
        #expect(abs(center(30) - 19.5) < 0.6)
        #expect(abs(center(50) - (19.5 - tan(0.2) * 20)) < 0.8)
    }

    @Test("A blur keeps what there is of light, and reaches three times its sigma")
    func blur() throws {
        var bytes = [UInt8](repeating: 0, count: 41 * 41 * 4)
        for pixel in 0..<41 * 41 { bytes[pixel * 4 + 3] = 255 }
        for byte in 0..<3 { bytes[(20 * 41 + 20) * 4 + byte] = 255 }
        let dot = TestCard(width: 41, height: 41, bytes: bytes)
        let blurred = dot.image.applyingGaussianBlur(sigma: 2)
        #expect(blurred.extent == CGRect(x: -6, y: -6, width: 53, height: 53))
        let drawn = try TestCard.drawn(blurred, in: dot.image.extent)
        for (column, row) in [(20, 20), (22, 20), (20, 23)] {
            let distance = Double((column - 20) * (column - 20) + (row - 20) * (row - 20))
            let light = exp(-distance / 8) / (8 * Double.pi)
            #expect(abs(Double(drawn.pixel(column, row).red) - TestCard.signal(light) * 255) <= 2)
        }
        let kept = dot.image.clampedToExtent().applyingGaussianBlur(sigma: 2)
            .cropped(to: dot.image.extent)
        #expect(try TestCard.drawn(kept).bytes.enumerated().allSatisfy { $0 % 4 != 3 || $1 == 255 })
    }

    @Test("Sharpening adds what a blur takes away")
    func sharpen() throws {
        let step = TestCard(
            width: 40,
            height: 4,
            bytes: (0..<160).flatMap { index -> [UInt8] in
                index % 40 < 20 ? [100, 100, 100, 255] : [150, 150, 150, 255]
            }
        )
        for (name, key) in [
            ("CIUnsharpMask", kCIInputIntensityKey), ("CISharpenLuminance", kCIInputSharpnessKey),
        ] {
            let drawn = try TestCard.drawn(
                step.image.applyingFilter(name, parameters: [key: 1, kCIInputRadiusKey: 2])
            )
            #expect(drawn.pixel(19, 2).red < 90 && drawn.pixel(20, 2).red > 158, "\(name)")
            #expect(abs(drawn.pixel(2, 2).red - 100) <= 1 && abs(drawn.pixel(37, 2).red - 150) <= 1)
        }
    }

    @Test("A picture lies on another one by its alpha")
    func over() throws {
        let half = CIImage(color: CIColor(red: 1, green: 0, blue: 0, alpha: 0.5))
            .cropped(to: CGRect(x: 0, y: 0, width: 4, height: 4))
        let whole = CIImage(color: .blue).cropped(to: CGRect(x: 2, y: 0, width: 6, height: 4))
        let both = half.composited(over: whole)
        #expect(both.extent == CGRect(x: 0, y: 0, width: 8, height: 4))
        let drawn = try TestCard.drawn(both)
        #expect(drawn.pixel(0, 1) == (255, 0, 0, 128))
        let mixed = TestCard.signal(0.5) * 255
        let over = drawn.pixel(3, 1)
        #expect(abs(Double(over.red) - mixed) <= 1 && abs(Double(over.blue) - mixed) <= 1)
        #expect(over.green == 0 && over.alpha == 255)
        #expect(drawn.pixel(7, 1) == (0, 0, 255, 255))
        let opaque = try TestCard.drawn(both.settingAlphaOne(in: both.extent))
        #expect(opaque.pixel(0, 1) == (255, 0, 0, 255))
    }

    @Test("Pictures on themselves cost no more than there is")
    func nested() throws {
        var image = card.image
        for _ in 0..<40 {
            let darker = image.applyingFilter("CIExposureAdjust", parameters: [kCIInputEVKey: 0])
            image = image.composited(over: darker)
        }
        #expect(try TestCard.drawn(image).distance(to: card) <= 1)
    }
}
