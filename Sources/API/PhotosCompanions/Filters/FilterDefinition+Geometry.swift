internal import Foundation
internal import PhotoModel

extension FilterDefinition {
    /// The filters that geometrically transform, composite or generate images.
    static let geometryFilters: [FilterDefinition] = [
        crop, straightenFilter, affineTransform, lanczosScaleTransform, sourceOverCompositing,
        constantColorGenerator,
    ]

    private static let crop: FilterDefinition = FilterDefinition(
        "CICrop",
        "Crop",
        [kCICategoryGeometryAdjustment, kCICategoryVideo],
        [
            .image,
            .vector(
                "inputRectangle",
                [-1e15, -1e15, 2e15, 2e15],
                type: kCIAttributeTypeRectangle,
                "The rectangle to keep: x, y, width and height."
            ),
        ]
    ) { $0.image()?.cropped(to: $0.vector("inputRectangle").cgRectValue) }

    private static let straightenFilter: FilterDefinition = FilterDefinition(
        "CIStraightenFilter",
        "Straighten",
        [kCICategoryGeometryAdjustment, kCICategoryVideo],
        [
            .image,
            .number(
                kCIInputAngleKey,
                default: 0,
                slider: -Double.pi / 4...Double.pi / 4,
                type: kCIAttributeTypeAngle,
                "The rotation of the image, counterclockwise."
            ),
        ]
    ) { (values: FilterValues) in
        values.image().map { straightened($0, by: values.number(kCIInputAngleKey)) }
    }

    private static let affineTransform: FilterDefinition = FilterDefinition(
        "CIAffineTransform",
        "Affine Transform",
        [kCICategoryGeometryAdjustment, kCICategoryVideo],
        [
            .image,
            FilterInput(key: kCIInputTransformKey, kind: .transform, help: "The transform."),
        ]
    ) { $0.image()?.transformed(by: $0.transform(kCIInputTransformKey)) }

    private static let lanczosScaleTransform: FilterDefinition = FilterDefinition(
        "CILanczosScaleTransform",
        "Lanczos Scale Transform",
        [kCICategoryGeometryAdjustment, kCICategoryVideo],
        [
            .image,
            .number(
                kCIInputScaleKey,
                default: 1,
                range: 1e-6...1e6,
                slider: 0.05...1.5,
                "The vertical scale factor."
            ),
            .number(
                kCIInputAspectRatioKey,
                default: 1,
                range: 1e-6...1e6,
                slider: 0.5...2,
                "The ratio of the horizontal to the vertical scale factor."
            ),
        ]
    ) { (values: FilterValues) in
        let vertical = values.number(kCIInputScaleKey)
        let horizontal = vertical * values.number(kCIInputAspectRatioKey)
        guard let image = values.image() else { return nil }
        return horizontal == 1 && vertical == 1
            ? image : image.adding(.scale(horizontal: horizontal, vertical: vertical))
    }

    private static let sourceOverCompositing: FilterDefinition = FilterDefinition(
        "CISourceOverCompositing",
        "Source Over",
        [kCICategoryCompositeOperation, kCICategoryVideo],
        [
            .image,
            FilterInput(
                key: kCIInputBackgroundImageKey,
                kind: .image,
                help: "The background image."
            ),
        ]
    ) { (values: FilterValues) in
        guard let image = values.image() else { return nil }
        return values.image(kCIInputBackgroundImageKey).map { image.composited(over: $0) }
            ?? image
    }

    private static let constantColorGenerator: FilterDefinition = FilterDefinition(
        "CIConstantColorGenerator",
        "Constant Color",
        [kCICategoryGenerator, kCICategoryVideo],
        [
            FilterInput(
                key: kCIInputColorKey,
                kind: .color(red: 1, green: 1, blue: 1),
                help: "The color."
            )
        ]
    ) { CIImage(color: $0.color(kCIInputColorKey)) }

    /// Returns the image rotated about its center and enlarged to fill its original extent.
    private static func straightened(_ image: CIImage, by angle: Double) -> CIImage {
        let box = image.box
        guard angle != 0, !box.isEmpty, !box.isInfinite else { return image }
        let (cosine, sine) = (abs(cos(angle)), abs(sin(angle)))
        let (width, height) = (box.width, box.height)
        // The larger ratio belongs to the corner that comes nearest to an edge of the rotated
        // image.
        let scale = max(
            (width * cosine + height * sine) / width,
            (width * sine + height * cosine) / height
        )
        let (x, y) = ((box.minX + box.maxX) / 2, (box.minY + box.maxY) / 2)
        let transform = CGAffineTransform(translationX: x, y: y)
            .scaledBy(x: scale, y: scale)
            .rotated(by: angle)
            .translatedBy(x: -x, y: -y)
        return image.transformed(by: transform).cropped(to: CGRect(box))
    }
}
