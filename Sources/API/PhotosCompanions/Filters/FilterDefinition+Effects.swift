internal import Foundation
internal import Glibc
internal import PhotoModel

extension FilterDefinition {
    private static let intensity = FilterInput.number(
        kCIInputIntensityKey,
        default: 1,
        identity: 0,
        range: 0...1,
        slider: 0...1,
        "The amount of the effect: 0...1."
    )

    /// Converts a color in nonlinear sRGB to linear components.
    private static func light(_ color: CIColor) -> [Double] {
        let components: [Double] = [Double(color.red), Double(color.green), Double(color.blue)]
        return components.map { (component: Double) -> Double in
            let signal: Double = abs(component)
            let light: Double =
                signal <= 0.04045 ? signal / 12.92 : pow((signal + 0.055) / 1.055, 2.4)
            return component < 0 ? -light : light
        }
    }

    /// The color effect filters.
    static let colorEffects: [FilterDefinition] = [
        sepiaTone, colorMonochrome, colorInvert, vignette,
    ]

    private static let sepiaTone: FilterDefinition = FilterDefinition.points(
        "CISepiaTone",
        "Sepia Tone",
        kCICategoryColorEffect,
        [intensity]
    ) { (values: FilterValues) in
        // The sepia matrix that graphics programs commonly use, applied to nonlinear values.
        let sepia = [
            0.393, 0.769, 0.189, 0, 0.349, 0.686, 0.168, 0, 0.272, 0.534, 0.131, 0,
        ]
        let matrix = ColorMatrices.mixed(sepia, values.number(kCIInputIntensityKey))
        return [.encode, .matrix(matrix), .decode]
    }

    private static let colorMonochrome: FilterDefinition = FilterDefinition.points(
        "CIColorMonochrome",
        "Color Monochrome",
        kCICategoryColorEffect,
        [
            FilterInput(
                key: kCIInputColorKey,
                kind: .color(red: 0.6, green: 0.45, blue: 0.3),
                help: "The color of white areas."
            ), intensity,
        ]
    ) { (values: FilterValues) in
        var rows: [Double] = []
        for component in light(values.color(kCIInputColorKey)) {
            for weight in ColorMatrices.luminance { rows.append(weight * component) }
            rows.append(0)
        }
        return [.matrix(ColorMatrices.mixed(rows, values.number(kCIInputIntensityKey)))]
    }

    private static let colorInvert: FilterDefinition = FilterDefinition.points(
        "CIColorInvert",
        "Color Invert",
        kCICategoryColorEffect,
        []
    ) { _ in
        [.matrix(ColorMatrices.scale(-1, plus: 1))]
    }

    private static let vignette: FilterDefinition = FilterDefinition.points(
        "CIVignette",
        "Vignette",
        kCICategoryColorEffect,
        [
            .number(
                kCIInputIntensityKey,
                default: 0,
                range: -1...1,
                slider: -1...1,
                "The darkening of the corners; below 0, brightening."
            ),
            .number(
                kCIInputRadiusKey,
                default: 1,
                range: 0.01...100,
                slider: 0...2,
                "The distance at which 3/4 of the intensity apply; 1 at the corners."
            ),
        ]
    ) { (values: FilterValues) in
        guard let box = values.image()?.box, !box.isEmpty, !box.isInfinite else { return [] }
        let diagonal = (box.width * box.width + box.height * box.height).squareRoot()
        return [
            .vignette(
                x: (box.minX + box.maxX) / 2,
                y: (box.minY + box.maxY) / 2,
                radius: max(1e-3, values.number(kCIInputRadiusKey) * diagonal / 2),
                intensity: values.number(kCIInputIntensityKey)
            )
        ]
    }
}
