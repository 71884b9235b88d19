import Foundation
import PhotosCompanions
import Testing

/// Filters with published formulas, compared with those formulas for each pixel.
@Suite("Filters of colors", .timeLimit(.minutes(2)))
struct ColorFormulaTests {
    private let card = TestCard.standard

    private func luminance(_ pixel: TestCard.Pixel) -> Double {
        0.2126 * pixel.red + 0.7152 * pixel.green + 0.0722 * pixel.blue
    }

    private func expect(
        _ name: String,
        _ parameters: [String: Any] = [:],
        isLight: Bool = true,
        within tolerance: Int = 1,
        _ change: (TestCard.Pixel) -> TestCard.Pixel
    ) throws {
        let drawn = try TestCard.drawn(card.image.applyingFilter(name, parameters: parameters))
        let distance = drawn.distance(to: card.mapped(isLight: isLight, change))
        #expect(distance <= tolerance, "\(name) \(parameters) is off by \(distance)")
    }

    @Test("Without a filter every byte stays as it is")
    func identity() throws {
        #expect(try TestCard.drawn(card.image).distance(to: card) == 0)
    }

    @Test("Exposure doubles light with each stop", arguments: [-2.0, -0.5, 0.7, 3])
    func exposure(stops: Double) throws {
        let factor = pow(2, stops)
        try expect("CIExposureAdjust", [kCIInputEVKey: stops]) {
            ($0.red * factor, $0.green * factor, $0.blue * factor)
        }
    }

    @Test("Saturation, then contrast about a half and brightness")
    func controls() throws {
        let parameters: [String: Any] = [
            kCIInputSaturationKey: 0.4, kCIInputContrastKey: 1.3, kCIInputBrightnessKey: 0.05,
        ]
        try expect("CIColorControls", parameters) { pixel in
            let gray = luminance(pixel)
            func change(_ value: Double) -> Double {
                (0.4 * value + 0.6 * gray - 0.5) * 1.3 + 0.5 + 0.05
            }
            return (change(pixel.red), change(pixel.green), change(pixel.blue))
        }
    }

    @Test("Sepia is its matrix on the signal, in part too", arguments: [1.0, 0.35])
    func sepia(intensity: Double) throws {
        try expect("CISepiaTone", [kCIInputIntensityKey: intensity], isLight: false) { pixel in
            func change(_ own: Double, _ red: Double, _ green: Double, _ blue: Double) -> Double {
                let sepia = red * pixel.red + green * pixel.green + blue * pixel.blue
                return own + (sepia - own) * intensity
            }
            return (
                change(pixel.red, 0.393, 0.769, 0.189), change(pixel.green, 0.349, 0.686, 0.168),
                change(pixel.blue, 0.272, 0.534, 0.131)
            )
        }
    }

    @Test("Inverting takes light from white")
    func invert() throws {
        try expect("CIColorInvert", within: 2) { (1 - $0.red, 1 - $0.green, 1 - $0.blue) }
    }

    @Test("Gamma is a power of light", arguments: [0.5, 1.8])
    func gamma(power: Double) throws {
        try expect("CIGammaAdjust", ["inputPower": power]) {
            (pow($0.red, power), pow($0.green, power), pow($0.blue, power))
        }
    }

    @Test("Monochrome is luminance in a color")
    func monochrome() throws {
        let color = CIColor(red: 0.9, green: 0.4, blue: 0.2)
        let parameters: [String: Any] = [kCIInputColorKey: color, kCIInputIntensityKey: 0.8]
        let light = [0.9, 0.4, 0.2].map(TestCard.light)
        try expect("CIColorMonochrome", parameters) { pixel in
            let gray = luminance(pixel)
            func mixed(_ own: Double, _ color: Double) -> Double {
                own + (gray * color - own) * 0.8
            }
            return (
                mixed(pixel.red, light[0]), mixed(pixel.green, light[1]),
                mixed(pixel.blue, light[2])
            )
        }
    }

    @Test("Turning hues keeps grays and comes round")
    func hue() throws {
        let turned = card.image.applyingFilter(
            "CIHueAdjust",
            parameters: [kCIInputAngleKey: Double.pi / 2]
        )
        let drawn = try TestCard.drawn(turned)
        for column in 0..<card.width {
            let (before, after) = (card.pixel(column, 1), drawn.pixel(column, 1))
            #expect(abs(before.red - after.red) <= 1 && abs(before.blue - after.blue) <= 1)
        }
        try expect("CIHueAdjust", [kCIInputAngleKey: Double.pi / 2], within: 2) { pixel in
            let (red, green, blue) = (pixel.red, pixel.green, pixel.blue)
            // SVG's hueRotate for 90 degrees, whose weights are rounded.
            return (
                blue,
                luminance(pixel) + 0.143 * red + 0.140 * green - 0.283 * blue,
                luminance(pixel) - 0.7874 * red + 0.7152 * green + 0.0722 * blue
            )
        }
        try expect("CIHueAdjust", [kCIInputAngleKey: 2 * Double.pi]) { $0 }
    }

    @Test("A color matrix is applied with its bias")
    func colorMatrix() throws {
        let parameters: [String: Any] = [
            "inputRVector": CIVector(x: 0, y: 1, z: 0, w: 0),
            "inputGVector": CIVector(x: 0.5, y: 0, z: 0.25, w: 0),
            kCIInputBiasVectorKey: CIVector(x: 0, y: 0.1, z: 0, w: 0),
        ]
        try expect("CIColorMatrix", parameters) {
            ($0.green, 0.5 * $0.red + 0.25 * $0.blue + 0.1, $0.blue)
        }
    }

    @Test("A tone curve goes through its points")
    func toneCurve() throws {
        let drawn = try TestCard.drawn(
            card.image.applyingFilter(
                "CIToneCurve",
                parameters: ["inputPoint2": CIVector(x: 0.5, y: 0.7)]
            )
        )
        for column in 0..<card.width {
            let (before, after) = (card.pixel(column, 0).red, drawn.pixel(column, 0).red)
            if before == 0 || before == 255 { #expect(abs(after - before) <= 1) }
            if abs(before - 128) <= 6 { #expect(abs(after - before - 51) <= 4) }
        }
        try expect("CIToneCurve") { $0 }
    }

    @Test("The same white is no change, and a warmer one makes red of white")
    func temperature() throws {
        try expect("CITemperatureAndTint") { $0 }
        let warm = card.image.applyingFilter(
            "CITemperatureAndTint",
            parameters: ["inputTargetNeutral": CIVector(x: 4000, y: 0)]
        )
        let white = try TestCard.drawn(warm).pixel(card.width / 2, 0)
        #expect(white.red > white.green && white.green > white.blue)
    }

    @Test("Vibrance leaves grays and raises dull colors more than strong ones")
    func vibrance() throws {
        let bytes: [UInt8] = [120, 110, 100, 255, 250, 20, 10, 255, 90, 90, 90, 255]
        let three = TestCard(width: 3, height: 1, bytes: bytes)
        let drawn = try TestCard.drawn(
            three.image.applyingFilter("CIVibrance", parameters: [kCIInputAmountKey: 1])
        )
        let dull = drawn.pixel(0, 0)
        #expect(dull.red - dull.blue > 25)
        #expect(abs(drawn.pixel(1, 0).green - 20) <= 12)
        #expect(drawn.pixel(2, 0).red == 90)
    }

    @Test(
        "Shadows are lifted and highlights drawn down, black and white stay",
        arguments: [0.0, 3]
    )
    func tones(radius: Double) throws {
        let drawn = try TestCard.drawn(
            card.image.applyingFilter(
                "CIHighlightShadowAdjust",
                parameters: [
                    "inputShadowAmount": 0.8, "inputHighlightAmount": 0.4,
                    kCIInputRadiusKey: radius,
                ]
            )
        )
        #expect(drawn.pixel(5, 1).red > card.pixel(5, 1).red + 10)
        #expect(drawn.pixel(20, 1).red < card.pixel(20, 1).red)
        #expect(drawn.pixel(0, 1).red <= 1)
    }

    @Test("A vignette darkens corners and not the center")
    func vignette() throws {
        let white = TestCard(
            width: 31,
            height: 21,
            bytes: [UInt8](repeating: 255, count: 31 * 21 * 4)
        )
        let drawn = try TestCard.drawn(
            white.image.applyingFilter("CIVignette", parameters: [kCIInputIntensityKey: 1])
        )
        #expect(drawn.pixel(15, 10).red >= 254)
        let corners = [(0, 0), (30, 0), (0, 20), (30, 20)].map { drawn.pixel($0.0, $0.1).red }
        #expect(Set(corners).count == 1)
        // A quarter of the light.
        #expect(abs(corners[0] - 140) <= 4)
    }

    @Test("Filters without color management work on the signal")
    func workingSpace() throws {
        let context = CIContext(options: [.workingColorSpace: NSNull()])
        let drawn = try TestCard.drawn(
            card.image.applyingFilter("CIColorInvert"),
            context: context
        )
        let expected = card.mapped(isLight: false) { (1 - $0.red, 1 - $0.green, 1 - $0.blue) }
        #expect(drawn.distance(to: expected) <= 1)
    }

    @Test("A chain of filters is what its parts are, one after another")
    func chain() throws {
        let image = card.image.applyingFilter("CIExposureAdjust", parameters: [kCIInputEVKey: -1])
            .applyingFilter("CIGammaAdjust", parameters: ["inputPower": 1.2])
            .applyingFilter("CIColorControls", parameters: [kCIInputSaturationKey: 0])
        let expected = card.mapped { pixel in
            let gray = luminance(
                (pow(pixel.red / 2, 1.2), pow(pixel.green / 2, 1.2), pow(pixel.blue / 2, 1.2))
            )
            return (gray, gray, gray)
        }
        #expect(try TestCard.drawn(image).distance(to: expected) <= 1)
    }
}
