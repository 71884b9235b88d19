internal import PhotoModel

/// A photo effect on nonlinear sRGB values: a saturation change, then one curve per component.
private struct PhotoEffect: Sendable {
    var name: String
    var displayName: String
    /// The saturation factor; 0 for black and white.
    var saturation: Double
    /// The weights of red, green and blue in the saturation adjustment.
    var weights = [0.299, 0.587, 0.114]
    var red: [(x: Double, y: Double)]
    var green: [(x: Double, y: Double)]
    var blue: [(x: Double, y: Double)]

    /// Creates an effect with the same curve for all components.
    init(_ name: String, _ displayName: String, saturation: Double, _ all: [(Double, Double)]) {
        self.init(name, displayName, saturation: saturation, red: all, green: all, blue: all)
    }

    init(
        _ name: String,
        _ displayName: String,
        saturation: Double,
        red: [(Double, Double)],
        green: [(Double, Double)],
        blue: [(Double, Double)]
    ) {
        self.name = name
        self.displayName = displayName
        self.saturation = saturation
        self.red = red.map { (x: $0.0, y: $0.1) }
        self.green = green.map { (x: $0.0, y: $0.1) }
        self.blue = blue.map { (x: $0.0, y: $0.1) }
    }

    var definition: FilterDefinition {
        let curves = PointOperation.curves(
            red: ToneSpline(red).samples,
            green: ToneSpline(green).samples,
            blue: ToneSpline(blue).samples
        )
        let matrix = ColorMatrices.saturation(saturation, weights: weights)
        return .points(name, displayName, kCICategoryColorEffect, []) { _ in
            [.encode, .matrix(matrix), curves, .decode]
        }
    }
}

extension FilterDefinition {
    /// The eight photo effects of Core Image.
    ///
    /// Their parameters were chosen by this project to resemble Apple's effects by their
    /// descriptions; see ADR 23.
    static let photoEffects: [FilterDefinition] = [
        PhotoEffect(
            "CIPhotoEffectChrome",
            "Photo Effect Chrome",
            saturation: 1.25,
            [(0, 0), (0.25, 0.22), (0.5, 0.52), (0.75, 0.81), (1, 1)]
        ),
        PhotoEffect(
            "CIPhotoEffectFade",
            "Photo Effect Fade",
            saturation: 0.72,
            [(0, 0.09), (0.25, 0.3), (0.5, 0.54), (0.75, 0.76), (1, 0.95)]
        ),
        PhotoEffect(
            "CIPhotoEffectInstant",
            "Photo Effect Instant",
            saturation: 0.8,
            red: [(0, 0.1), (0.25, 0.31), (0.5, 0.58), (0.75, 0.82), (1, 0.98)],
            green: [(0, 0.08), (0.25, 0.28), (0.5, 0.55), (0.75, 0.79), (1, 0.95)],
            blue: [(0, 0.14), (0.25, 0.3), (0.5, 0.5), (0.75, 0.69), (1, 0.84)]
        ),
        PhotoEffect(
            "CIPhotoEffectMono",
            "Photo Effect Mono",
            saturation: 0,
            [(0, 0), (0.25, 0.24), (0.5, 0.51), (0.75, 0.77), (1, 1)]
        ),
        PhotoEffect(
            "CIPhotoEffectNoir",
            "Photo Effect Noir",
            saturation: 0,
            [(0, 0), (0.15, 0.05), (0.3, 0.2), (0.5, 0.53), (0.7, 0.83), (0.85, 0.96), (1, 1)]
        ),
        PhotoEffect(
            "CIPhotoEffectProcess",
            "Photo Effect Process",
            saturation: 0.95,
            red: [(0, 0), (0.25, 0.19), (0.5, 0.48), (0.75, 0.76), (1, 0.96)],
            green: [(0, 0.02), (0.25, 0.26), (0.5, 0.54), (0.75, 0.8), (1, 1)],
            blue: [(0, 0.12), (0.25, 0.35), (0.5, 0.57), (0.75, 0.76), (1, 0.94)]
        ),
        PhotoEffect(
            "CIPhotoEffectTonal",
            "Photo Effect Tonal",
            saturation: 0,
            [(0, 0.04), (0.25, 0.3), (0.5, 0.55), (0.75, 0.76), (1, 0.96)]
        ),
        PhotoEffect(
            "CIPhotoEffectTransfer",
            "Photo Effect Transfer",
            saturation: 0.85,
            red: [(0, 0.06), (0.25, 0.29), (0.5, 0.57), (0.75, 0.82), (1, 1)],
            green: [(0, 0.04), (0.25, 0.26), (0.5, 0.52), (0.75, 0.77), (1, 0.97)],
            blue: [(0, 0.07), (0.25, 0.26), (0.5, 0.46), (0.75, 0.66), (1, 0.86)]
        ),
    ].map(\.definition)
}
