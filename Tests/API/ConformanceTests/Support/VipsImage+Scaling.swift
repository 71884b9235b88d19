import Foundation

/// An independent scaling for the reference, which shares nothing with the tested code.
extension VipsImage {
    /// The weights of one result pixel in one direction.
    private struct Window {
        var start: Int
        var weights: [Float]
    }

    /// Returns the picture in another size: Lanczos with three lobes, as wide as the step when
    /// shrinking.
    ///
    /// Colors are premultiplied during scaling, so that invisible colors do not bleed.
    func scaled(width target: Int, height targetHeight: Int) -> VipsImage {
        guard target != width || targetHeight != height else { return self }
        let columns = Self.windows(from: width, to: target)
        let rows = Self.windows(from: height, to: targetHeight)
        let line = target * bands
        let hasAlpha = bands == 4
        var narrow = [Float](repeating: 0, count: line * height)
        narrow.withUnsafeMutableBufferPointer { narrow in
            bytes.withUnsafeBufferPointer { bytes in
                var source = [Float](repeating: 0, count: width * bands)
                for y in 0..<height {
                    let start = y * width * bands
                    for index in 0..<width * bands { source[index] = Float(bytes[start + index]) }
                    if hasAlpha { Self.multiply(&source) }
                    for (x, window) in columns.enumerated() {
                        for band in 0..<bands {
                            var sum: Float = 0
                            var at = window.start * bands + band
                            for weight in window.weights {
                                sum += source[at] * weight
                                at += bands
                            }
                            narrow[y * line + x * bands + band] = sum
                        }
                    }
                }
            }
        }
        var result: [UInt8] = []
        result.reserveCapacity(line * targetHeight)
        narrow.withUnsafeBufferPointer { narrow in
            var sums = [Float](repeating: 0, count: line)
            for window in rows {
                for index in 0..<line { sums[index] = 0 }
                for (offset, weight) in window.weights.enumerated() {
                    let start = (window.start + offset) * line
                    for index in 0..<line { sums[index] += narrow[start + index] * weight }
                }
                if hasAlpha { Self.divide(&sums) }
                for sum in sums { result.append(UInt8(max(0, min(255, sum.rounded())))) }
            }
        }
        return VipsImage(width: target, height: targetHeight, bands: bands, bytes: result)
    }

    private static func multiply(_ pixels: inout [Float]) {
        for index in stride(from: 0, to: pixels.count, by: 4) {
            let alpha = pixels[index + 3] / 255
            for band in 0..<3 { pixels[index + band] *= alpha }
        }
    }

    private static func divide(_ pixels: inout [Float]) {
        for index in stride(from: 0, to: pixels.count, by: 4) {
            let alpha = pixels[index + 3] / 255
            guard alpha > 0.002 else { continue }
            for band in 0..<3 { pixels[index + band] /= alpha }
        }
    }

    private static func windows(from source: Int, to target: Int) -> [Window] {
        let step = Double(source) / Double(target)
        let scale = max(1, step)
        func lanczos(_ distance: Double) -> Double {
            let x = abs(distance)
            if x < 1e-9 { return 1 }
            guard x < 3 else { return 0 }
            return 3 * sin(.pi * x) * sin(.pi * x / 3) / (.pi * .pi * x * x)
        }
        return (0..<target).map { index in
            let center = (Double(index) + 0.5) * step
            let first = max(0, Int((center - 3 * scale).rounded(.down)))
            let last = min(source - 1, Int((center + 3 * scale).rounded(.up)))
            let weights = (first...last).map { lanczos((Double($0) + 0.5 - center) / scale) }
            let sum = weights.reduce(0, +)
            return Window(start: first, weights: weights.map { Float($0 / sum) })
        }
    }
}
