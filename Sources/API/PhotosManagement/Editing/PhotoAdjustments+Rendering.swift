internal import Foundation
public import Photos

extension PhotoAdjustments {
    /// The shift of the white point, in mireds, for a `temperature` of 1.
    private static let miredsPerStep = 60.0
    private static let whiteKelvin = 6500.0
    /// The shift of the white point, in Core Image's units, for a `tint` of 1.
    private static let tintPerStep = 60.0
    /// The radius of sharpening, in pixels of the full-size image.
    private static let sharpeningRadius = 1.69

    /// Returns an image with these adjustments applied.
    ///
    /// Rendering is deferred, except that automatic enhancement analyzes a small version of the
    /// image. Values out of their range are clamped.
    ///
    /// - Parameter image: An upright image.
    /// - Returns: The image with the filters appended; its lower left corner does not move.
    public func applied(to image: CIImage) -> CIImage {
        applied(to: image, enhancedBy: enhancement(of: image))
    }

    /// Returns an image, such as a frame of a Live Photo, after applying first the given
    /// enhancement filters and then these adjustments.
    ///
    /// - Parameters:
    ///   - image: The frame, upright.
    ///   - filters: The filters of the still's automatic enhancement. All frames share them, since
    ///     filters computed per frame would flicker.
    ///   - scale: The size of the frame relative to the still.
    /// - Returns: The frame with the filters appended; its lower left corner does not move.
    func applied(
        to image: CIImage,
        enhancedBy filters: [CIFilter],
        scale: Double = 1
    ) -> CIImage {
        let origin = image.extent.origin
        var picture = filters.reduce(image) { picture, filter in
            filter.setValue(picture, forKey: kCIInputImageKey)
            return filter.outputImage ?? picture
        }
        picture = lit(picture)
        picture = colored(picture)
        if let effect { picture = picture.applyingFilter(effect.filterName) }
        if sharpness > 0 {
            picture = picture.applyingFilter(
                "CISharpenLuminance",
                parameters: [
                    kCIInputSharpnessKey: 2 * min(sharpness, 1),
                    kCIInputRadiusKey: Self.sharpeningRadius * scale,
                ]
            )
        }
        picture = framed(picture)
        if vignette != 0 {
            picture = picture.applyingFilter(
                "CIVignette",
                parameters: [kCIInputIntensityKey: Self.unit(vignette), kCIInputRadiusKey: 1.0]
            )
        }
        let (x, y) = (origin.x - picture.extent.minX, origin.y - picture.extent.minY)
        return x == 0 && y == 0
            ? picture : picture.transformed(by: CGAffineTransform(translationX: x, y: y))
    }

    private static func unit(_ value: Double) -> Double { min(max(value, -1), 1) }

    // MARK: - Light and colors

    /// Returns the filters of the automatic enhancement of an image; empty when automatic
    /// enhancement is off.
    func enhancement(of image: CIImage) -> [CIFilter] {
        isAutoEnhanced ? image.autoAdjustmentFilters() : []
    }

    private func lit(_ image: CIImage) -> CIImage {
        var picture = image
        if exposure != 0 {
            picture = picture.applyingFilter(
                "CIExposureAdjust",
                parameters: [kCIInputEVKey: min(max(exposure, -5), 5)]
            )
        }
        if temperature != 0 || tint != 0 {
            let mireds =
                1_000_000 / Self.whiteKelvin + Self.miredsPerStep * Self.unit(temperature)
            picture = picture.applyingFilter(
                "CITemperatureAndTint",
                parameters: [
                    "inputNeutral": CIVector(x: Self.whiteKelvin, y: 0),
                    "inputTargetNeutral": CIVector(
                        x: 1_000_000 / mireds,
                        y: -Self.tintPerStep * Self.unit(tint)
                    ),
                ]
            )
        }
        return picture
    }

    private func colored(_ image: CIImage) -> CIImage {
        var picture = image
        if brightness != 0 || contrast != 0 || saturation != 0 {
            picture = picture.applyingFilter(
                "CIColorControls",
                parameters: [
                    kCIInputBrightnessKey: 0.5 * Self.unit(brightness),
                    kCIInputContrastKey: 1 + 0.5 * Self.unit(contrast),
                    kCIInputSaturationKey: 1 + Self.unit(saturation),
                ]
            )
        }
        if vibrance != 0 {
            picture = picture.applyingFilter(
                "CIVibrance",
                parameters: [kCIInputAmountKey: Self.unit(vibrance)]
            )
        }
        if highlights < 0 || shadows != 0 {
            picture = picture.applyingFilter(
                "CIHighlightShadowAdjust",
                parameters: [
                    "inputHighlightAmount": 1 + 0.7 * min(0, Self.unit(highlights)),
                    "inputShadowAmount": Self.unit(shadows),
                ]
            )
        }
        if highlights > 0 {
            picture = picture.applyingFilter(
                "CIToneCurve",
                parameters: [
                    "inputPoint0": CIVector(x: 0, y: 0),
                    "inputPoint1": CIVector(x: 0.25, y: 0.25),
                    "inputPoint2": CIVector(x: 0.5, y: 0.5),
                    "inputPoint3": CIVector(x: 0.75, y: 0.75 + 0.15 * Self.unit(highlights)),
                    "inputPoint4": CIVector(x: 1, y: 1),
                ]
            )
        }
        return picture
    }

    // MARK: - Geometry

    private func framed(_ image: CIImage) -> CIImage {
        var picture = isFlipped ? image.oriented(.upMirrored) : image
        switch ((quarterTurns % 4) + 4) % 4 {
        case 1: picture = picture.oriented(.right)
        case 2: picture = picture.oriented(.down)
        case 3: picture = picture.oriented(.left)
        default: break
        }
        if straighten != 0 {
            picture = picture.applyingFilter(
                "CIStraightenFilter",
                parameters: [kCIInputAngleKey: -min(max(straighten, -45), 45) * .pi / 180]
            )
        }
        guard let crop, crop != .whole, crop.isInUnitSquare else { return picture }
        return picture.cropped(to: crop.pixels(in: picture.extent))
    }
}

extension PhotoAdjustments.UnitRect {
    /// Converts the unit rectangle to a rectangle in an extent, rounded to whole pixels and at
    /// least one pixel wide and high.
    fileprivate func pixels(in extent: CGRect) -> CGRect {
        func span(_ start: Double, _ length: Double, of side: Double) -> (Double, Double) {
            let first = min((start * side).rounded(), max(0, side - 1))
            let last = min(max((start + length) * side, 0).rounded(), side)
            return (first, max(1, last - first))
        }
        let (left, width) = span(x, self.width, of: extent.width)
        let (top, height) = span(y, self.height, of: extent.height)
        // Core Image has its origin at the bottom.
        return CGRect(
            x: extent.minX + left,
            y: extent.maxY - top - height,
            width: width,
            height: height
        )
    }
}
