internal import Foundation
internal import Glibc
internal import PhotoModel

extension FilterDefinition {
    /// The color adjustment filters.
    ///
    /// Their input colors are linear, as in Core Image. The tone curve converts them to sRGB values
    /// and back.
    static let colorFilters: [FilterDefinition] = [
        exposureAdjust, colorControls, vibrance, temperatureAndTint, highlightShadowAdjust,
        toneCurve, hueAdjust, gammaAdjust, colorMatrix,
    ]

    private static let exposureAdjust: FilterDefinition = FilterDefinition.points(
        "CIExposureAdjust",
        "Exposure Adjust",
        kCICategoryColorAdjustment,
        [.number(kCIInputEVKey, default: 0, range: -20...20, slider: -10...10, "Stops.")]
    ) { (values: FilterValues) in
        [.matrix(ColorMatrices.scale(exp2(values.number(kCIInputEVKey))))]
    }

    private static let colorControls: FilterDefinition = FilterDefinition.points(
        "CIColorControls",
        "Color Controls",
        kCICategoryColorAdjustment,
        [
            .number(
                kCIInputSaturationKey,
                default: 1,
                range: 0...100,
                slider: 0...2,
                "0 is gray, 1 is unchanged."
            ),
            .number(
                kCIInputBrightnessKey,
                default: 0,
                range: -10...10,
                slider: -1...1,
                "The value added to each color."
            ),
            .number(
                kCIInputContrastKey,
                default: 1,
                range: 0...100,
                slider: 0.25...4,
                "The distance of each color from 0.5; 1 is unchanged."
            ),
        ]
    ) { (values: FilterValues) in
        let contrast = values.number(kCIInputContrastKey)
        let bias = 0.5 - 0.5 * contrast + values.number(kCIInputBrightnessKey)
        return [
            .matrix(
                ColorMatrices.product(
                    ColorMatrices.scale(contrast, plus: bias),
                    after: ColorMatrices.saturation(values.number(kCIInputSaturationKey))
                )
            )
        ]
    }

    private static let vibrance: FilterDefinition = FilterDefinition.points(
        "CIVibrance",
        "Vibrance",
        kCICategoryColorAdjustment,
        [
            .number(
                kCIInputAmountKey,
                default: 0,
                range: -1...1,
                slider: -1...1,
                "The increase in saturation of dull colors."
            )
        ]
    ) { [.vibrance($0.number(kCIInputAmountKey))] }

    private static let temperatureAndTint: FilterDefinition = FilterDefinition.points(
        "CITemperatureAndTint",
        "Temperature and Tint",
        kCICategoryColorAdjustment,
        [
            .vector("inputNeutral", [6500, 0], "The white point of the image: kelvin and tint."),
            .vector("inputTargetNeutral", [6500, 0], "The target white point: kelvin and tint."),
        ]
    ) { (values: FilterValues) in
        let (found, wanted) = (values.vector("inputNeutral"), values.vector("inputTargetNeutral"))
        let source = WhitePoint(temperature: found.x, tint: found.y)
        let target = WhitePoint(temperature: wanted.x, tint: wanted.y)
        return [.matrix(target.adaptation(from: source))]
    }

    private static let highlightShadowAdjust: FilterDefinition = FilterDefinition(
        "CIHighlightShadowAdjust",
        "Highlight and Shadow Adjust",
        [kCICategoryColorAdjustment],
        [
            .image,
            .number(
                kCIInputRadiusKey,
                default: 0,
                range: 0...1000,
                slider: 0...10,
                type: kCIAttributeTypeDistance,
                "The radius in which light and shadow are distinguished."
            ),
            .number(
                "inputShadowAmount",
                default: 0,
                range: -1...1,
                slider: -1...1,
                "The brightening of shadows."
            ),
            .number(
                "inputHighlightAmount",
                default: 1,
                range: 0...1,
                slider: 0.3...1,
                "The brightness of highlights; 1 is unchanged."
            ),
        ]
    ) { (values: FilterValues) in
        guard let image = values.image() else { return nil }
        let highlights = 1 - values.number("inputHighlightAmount")
        let shadows = values.number("inputShadowAmount")
        let sigma = values.number(kCIInputRadiusKey)
        if highlights == 0, shadows == 0 { return image }
        return sigma > 0
            ? image.adding(.tones(highlights: highlights, shadows: shadows, sigma: sigma))
            : image.adding(.point([.tones(highlights: highlights, shadows: shadows)]))
    }

    private static let toneCurve: FilterDefinition = FilterDefinition.points(
        "CIToneCurve",
        "Tone Curve",
        kCICategoryColorAdjustment,
        (0...4).map { index in
            let place = Double(index) / 4
            return .vector(
                "inputPoint\(index)",
                [place, place],
                "A point of the tone curve, in sRGB."
            )
        }
    ) { (values: FilterValues) in
        let points = (0...4).map { index in
            let point = values.vector("inputPoint\(index)")
            return (x: Double(point.x), y: Double(point.y))
        }
        let curve = ToneSpline(points).samples
        return [.encode, .curves(red: curve, green: curve, blue: curve), .decode]
    }

    private static let hueAdjust: FilterDefinition = FilterDefinition.points(
        "CIHueAdjust",
        "Hue Adjust",
        kCICategoryColorAdjustment,
        [
            .number(
                kCIInputAngleKey,
                default: 0,
                slider: -Double.pi...Double.pi,
                type: kCIAttributeTypeAngle,
                "The angle by which hues are rotated."
            )
        ]
    ) { [.matrix(ColorMatrices.hue($0.number(kCIInputAngleKey)))] }

    private static let gammaAdjust: FilterDefinition = FilterDefinition.points(
        "CIGammaAdjust",
        "Gamma Adjust",
        kCICategoryColorAdjustment,
        [
            .number(
                "inputPower",
                default: 1,
                range: 0.01...100,
                slider: 0.25...4,
                "The power to which each color is raised."
            )
        ]
    ) { [.power($0.number("inputPower"))] }

    private static let colorMatrix: FilterDefinition = FilterDefinition.points(
        "CIColorMatrix",
        "Color Matrix",
        kCICategoryColorAdjustment,
        [
            .vector("inputRVector", [1, 0, 0, 0], "The coefficients of red."),
            .vector("inputGVector", [0, 1, 0, 0], "The coefficients of green."),
            .vector("inputBVector", [0, 0, 1, 0], "The coefficients of blue."),
            .vector("inputAVector", [0, 0, 0, 1], "The coefficients of alpha."),
            .vector(kCIInputBiasVectorKey, [0, 0, 0, 0], "The values added."),
        ]
    ) { (values: FilterValues) in
        colorMatrix(values)
    }

    private static func colorMatrix(_ values: FilterValues) -> [PointOperation] {
        let keys = ["inputRVector", "inputGVector", "inputBVector", "inputAVector"]
        let bias = values.vector(kCIInputBiasVectorKey)
        var rows: [[Double]] = []
        for (index, key) in keys.enumerated() {
            let row = values.vector(key)
            rows.append((0..<4).map { Double(row.value(at: $0)) } + [Double(bias.value(at: index))])
        }
        let isPlain = rows[3] == [0, 0, 0, 1, 0] && rows.prefix(3).allSatisfy { $0[3] == 0 }
        guard isPlain else { return [.alphaMatrix(rows.flatMap { $0 })] }
        return [.matrix(rows.prefix(3).flatMap { Array($0.prefix(3)) + [$0[4]] })]
    }
}
