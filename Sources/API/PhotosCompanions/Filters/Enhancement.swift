internal import Foundation
internal import WorkerClient

/// An automatic enhancement, derived from the luma histogram and mean saturation of an image.
struct Enhancement {
    /// The longer side, in pixels, of the downsampled image that is analyzed.
    private static let side = 256.0

    /// The number of pixels for each luma value from 0 to 255.
    private let histogram: [Int]
    /// The mean saturation, 0...1.
    private let saturation: Double

    init(of image: CIImage) throws(CIRenderingError) {
        let extent = image.extent
        guard !extent.isNull, !extent.isInfinite else {
            throw CIRenderingError(
                .invalidExtent,
                "An empty or infinite image cannot be adjusted.",
                recovery: "Crop it with cropped(to:)."
            )
        }
        let longer = Double(max(extent.width, extent.height))
        let scale = min(1, Self.side / longer)
        let small =
            scale < 1
            ? image.applyingFilter("CILanczosScaleTransform", parameters: [kCIInputScaleKey: scale])
            : image
        let drawn = try CIContext().cgImage(small, from: small.extent)
        self.init(drawn)
    }

    init(_ image: CGImage) {
        var histogram = [Int](repeating: 0, count: 256)
        var saturation = 0
        var count = 0
        image.memory.withBytes { bytes in
            for start in stride(from: 0, to: bytes.count - 3, by: 4) where bytes[start + 3] > 127 {
                let (red, green, blue) = (
                    Int(bytes[start]), Int(bytes[start + 1]), Int(bytes[start + 2])
                )
                histogram[(54 * red + 183 * green + 19 * blue) >> 8] += 1
                let brightest = max(red, green, blue)
                if brightest > 0 {
                    saturation += (brightest - min(red, green, blue)) * 255 / brightest
                }
                count += 1
            }
        }
        self.histogram = histogram
        self.saturation = count > 0 ? Double(saturation) / Double(count) / 255 : 0
    }

    /// Returns the luma, 0...1, at a quantile of the histogram.
    private func luma(at part: Double) -> Double {
        let wanted = part * Double(histogram.reduce(0, +))
        var sum = 0
        for (luma, count) in histogram.enumerated() {
            sum += count
            if Double(sum) >= wanted, sum > 0 { return Double(luma) / 255 }
        }
        return 1
    }

    var filters: [CIFilter] {
        guard histogram.contains(where: { $0 > 0 }) else { return [] }
        return [vibrance, tones, curve].compactMap { $0 }
    }

    /// The filter that raises the vibrance; nil for images that are gray or already saturated.
    private var vibrance: CIFilter? {
        let amount = min(0.35, (0.45 - saturation) * 0.8)
        guard saturation > 0.02, amount > 0.02 else { return nil }
        return CIFilter(name: "CIVibrance", parameters: [kCIInputAmountKey: amount])
    }

    private var tones: CIFilter? {
        let (dark, light) = (luma(at: 0.25), luma(at: 0.9))
        let shadows = min(0.5, max(0, (0.28 - dark) * 1.5))
        let highlights = min(0.4, max(0, (light - 0.9) * 3))
        guard shadows > 0.02 || highlights > 0.02 else { return nil }
        return CIFilter(
            name: "CIHighlightShadowAdjust",
            parameters: [
                "inputShadowAmount": shadows, "inputHighlightAmount": 1 - highlights,
            ]
        )
    }

    /// The filter that stretches the tonal range to the full range and moves the median toward
    /// middle gray; nil if little would change.
    private var curve: CIFilter? {
        let black = min(0.2, luma(at: 0.002))
        let white = max(0.7, luma(at: 0.998))
        let middle = (luma(at: 0.5) - black) / (white - black)
        let lift = min(0.08, max(-0.06, (0.46 - middle) * 0.25))
        guard black > 0.01 || white < 0.99 || abs(lift) > 0.01 else { return nil }
        func point(_ part: Double, _ value: Double) -> CIVector {
            CIVector(x: black + part * (white - black), y: min(1, max(0, value)))
        }
        return CIFilter(
            name: "CIToneCurve",
            parameters: [
                "inputPoint0": point(0, 0), "inputPoint1": point(0.25, 0.25 + lift * 0.8),
                "inputPoint2": point(0.5, 0.5 + lift),
                "inputPoint3": point(0.75, 0.75 + lift * 0.6),
                "inputPoint4": point(1, 1),
            ]
        )
    }
}
