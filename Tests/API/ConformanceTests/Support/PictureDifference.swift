import Foundation

/// The difference between two pictures of the same size.
///
/// Partly transparent pixels are composited over gray, so that alpha counts and invisible colors do
/// not.
struct PictureDifference: Sendable {
    /// The mean over all color values of all pixels, of 255.
    var mean: Double
    /// The peak signal-to-noise ratio in decibels; 99 for equal pictures.
    var signalToNoise: Double
    /// The mean over the pixels of the difference in alpha, of 255.
    var alpha: Double

    /// Returns nil if the sizes differ.
    init?(_ one: VipsImage, _ other: VipsImage) {
        guard one.width == other.width, one.height == other.height else { return nil }
        var (sum, squares, alphas) = (0, 0, 0)
        let count = one.width * one.height
        for index in 0..<count {
            let first = one.pixel(index)
            let second = other.pixel(index)
            alphas += abs(first.alpha - second.alpha)
            let (red, green, blue) = Self.steps(first, second)
            sum += red + green + blue
            squares += red * red + green * green + blue * blue
        }
        let samples = Double(max(1, count * 3))
        mean = Double(sum) / samples
        alpha = Double(alphas) / Double(max(1, count))
        let error = Double(squares) / samples
        signalToNoise = error > 0 ? min(99, 10 * log10(255 * 255 / error)) : 99
    }

    /// Returns the difference of two pixels in each color.
    @inline(__always)
    private static func steps(
        _ one: VipsImage.Pixel,
        _ other: VipsImage.Pixel
    ) -> (Int, Int, Int) {
        (
            abs(onGray(one.red, one.alpha) - onGray(other.red, other.alpha)),
            abs(onGray(one.green, one.alpha) - onGray(other.green, other.alpha)),
            abs(onGray(one.blue, one.alpha) - onGray(other.blue, other.alpha))
        )
    }

    @inline(__always)
    private static func onGray(_ color: Int, _ alpha: Int) -> Int {
        alpha == 255 ? color : (color * alpha + 128 * (255 - alpha) + 127) / 255
    }

    /// Returns a picture of the difference, amplified eight times.
    static func picture(_ one: VipsImage, _ other: VipsImage) -> VipsImage {
        let count = min(one.width * one.height, other.width * other.height)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count * 3)
        for index in 0..<count {
            let (red, green, blue) = steps(one.pixel(index), other.pixel(index))
            bytes.append(UInt8(min(255, red * 8)))
            bytes.append(UInt8(min(255, green * 8)))
            bytes.append(UInt8(min(255, blue * 8)))
        }
        return VipsImage(
            width: one.width,
            height: count / max(1, one.width),
            bands: 3,
            bytes: bytes
        )
    }
}
