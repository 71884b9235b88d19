internal import PhotoModel

extension FilterDefinition {
    private static func radius(
        _ value: Double,
        slider: ClosedRange<Double>,
        identity: Double? = nil
    ) -> FilterInput {
        .number(
            kCIInputRadiusKey,
            default: value,
            identity: identity,
            range: 0...1000,
            slider: slider,
            type: kCIAttributeTypeDistance,
            "The standard deviation of the blur in pixels."
        )
    }

    /// The blur and sharpening filters.
    static let detailFilters: [FilterDefinition] = [
        gaussianBlur, sharpenLuminance, unsharpMask,
    ]

    private static let gaussianBlur: FilterDefinition = FilterDefinition(
        "CIGaussianBlur",
        "Gaussian Blur",
        [kCICategoryBlur, kCICategoryVideo],
        [.image, radius(10, slider: 0...100, identity: 0)]
    ) { (values: FilterValues) in
        let sigma = values.number(kCIInputRadiusKey)
        guard let image = values.image() else { return nil }
        return sigma > 0 ? image.adding(.blur(sigma: sigma)) : image
    }

    private static let sharpenLuminance: FilterDefinition = FilterDefinition(
        "CISharpenLuminance",
        "Sharpen Luminance",
        [kCICategorySharpen, kCICategoryVideo],
        [
            .image,
            .number(
                kCIInputSharpnessKey,
                default: 0.4,
                identity: 0,
                range: -10...10,
                slider: 0...2,
                "The amount of luminance sharpening."
            ), radius(1.69, slider: 0...20),
        ]
    ) { sharpened($0, by: kCIInputSharpnessKey, isLuminance: true) }

    private static let unsharpMask: FilterDefinition = FilterDefinition(
        "CIUnsharpMask",
        "Unsharp Mask",
        [kCICategorySharpen, kCICategoryVideo],
        [
            .image, radius(2.5, slider: 0...100),
            .number(
                kCIInputIntensityKey,
                default: 0.5,
                identity: 0,
                range: -10...10,
                slider: 0...1,
                "The amount of the difference that is added."
            ),
        ]
    ) { sharpened($0, by: kCIInputIntensityKey, isLuminance: false) }

    private static func sharpened(
        _ values: FilterValues,
        by key: String,
        isLuminance: Bool
    ) -> CIImage? {
        let (sigma, amount) = (values.number(kCIInputRadiusKey), values.number(key))
        guard let image = values.image() else { return nil }
        guard sigma > 0, amount != 0 else { return image }
        return image.adding(.sharpen(sigma: sigma, amount: amount, isLuminance: isLuminance))
    }
}
