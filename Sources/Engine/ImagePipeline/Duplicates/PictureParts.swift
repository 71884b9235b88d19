internal import Foundation
internal import PhotoModel

/// Divides an image into a grid of parts, and computes their mean luma and colors.
struct PictureParts {
    /// The minimum length of the shorter side, in pixels; a smaller image has too little detail.
    static let leastSide = 24

    private let bytes: UnsafeRawBufferPointer
    private let size: PixelSize
    private let bytesPerPixel: Int
    private let bytesPerRow: Int

    /// Wraps rows of 8-bit pixels with red first; nil when the image is too small or the buffer is
    /// too short.
    init?(
        _ bytes: UnsafeRawBufferPointer,
        size: PixelSize,
        bytesPerPixel: Int,
        bytesPerRow: Int
    ) {
        guard size.width >= Self.leastSide, size.height >= Self.leastSide, bytesPerPixel >= 3,
            bytesPerRow >= size.width * bytesPerPixel, bytes.count >= bytesPerRow * size.height
        else { return nil }
        self.bytes = bytes
        self.size = size
        self.bytesPerPixel = bytesPerPixel
        self.bytesPerRow = bytesPerRow
    }

    /// Returns the mean luma of each part, row by row, by ITU-R BT.601.
    func luma(columns: Int, rows: Int) -> [Double] {
        means(columns: columns, rows: rows).map {
            (77 * $0.red + 150 * $0.green + 29 * $0.blue) / 256
        }
    }

    /// Returns the mean red, green and blue of each part, row by row.
    func colors(columns: Int, rows: Int) -> [UInt8] {
        means(columns: columns, rows: rows).flatMap { [$0.red, $0.green, $0.blue] }
            .map { UInt8(min(255, max(0, $0.rounded()))) }
    }

    private func means(columns: Int, rows: Int) -> [(red: Double, green: Double, blue: Double)] {
        var sums = [Sum](repeating: Sum(), count: columns * rows)
        for y in 0..<size.height {
            let row = y * rows / size.height * columns
            // The first pixel of each part, and the end of the last one.
            var start = 0
            for part in 0..<columns {
                let end = ((part + 1) * size.width + columns - 1) / columns
                sums[row + part].add(sum(y: y, from: start, to: end))
                start = end
            }
        }
        return sums.map { sum in
            let count = Double(max(1, sum.count))
            return (Double(sum.red) / count, Double(sum.green) / count, Double(sum.blue) / count)
        }
    }

    /// The sums of the color components of some pixels.
    private struct Sum {
        var (red, green, blue, count) = (0, 0, 0, 0)

        mutating func add(_ other: Sum) {
            red += other.red
            green += other.green
            blue += other.blue
            count += other.count
        }
    }

    /// Returns the sum of a row's pixels in a half-open range of columns.
    private func sum(y: Int, from start: Int, to end: Int) -> Sum {
        var (red, green, blue) = (0, 0, 0)
        var position = y * bytesPerRow + start * bytesPerPixel
        let last = y * bytesPerRow + end * bytesPerPixel
        // A loop over a range is slow without optimization.
        while position < last {
            red += Int(bytes[position])
            green += Int(bytes[position + 1])
            blue += Int(bytes[position + 2])
            position += bytesPerPixel
        }
        var sum = Sum()
        (sum.red, sum.green, sum.blue, sum.count) = (red, green, blue, max(0, end - start))
        return sum
    }

    /// Returns whether two luma grids show the same image.
    ///
    /// The grids must be similar as a whole and in each of their 16 blocks that has enough
    /// contrast. Two pages of text, or two frames of a scene, can be similar as a whole but differ
    /// in some parts.
    static func isSame(_ one: [Double], _ other: [Double], columns: Int) -> Bool {
        guard one.count == columns * columns, one.count == other.count,
            correlation(one, other) >= leastCorrelation
        else { return false }
        let side = columns / 4
        for part in 0..<16 {
            func block(_ luma: [Double]) -> [Double] {
                (0..<side).flatMap { row in
                    let start = (part / 4 * side + row) * columns + part % 4 * side
                    return luma[start..<start + side]
                }
            }
            let (first, second) = (block(one), block(other))
            guard max(deviation(first), deviation(second)) >= leastDeviation else { continue }
            if correlation(first, second) < leastPartCorrelation { return false }
        }
        return true
    }

    // Measured with real photos: the worst part of recompressed images has a correlation of 0.94.
    // In burst frames and pages of text that are similar as a whole, it is 0.2 or less.
    private static let leastCorrelation = 0.96
    private static let leastPartCorrelation = 0.7
    private static let leastDeviation = 6.0

    private static func deviation(_ luma: [Double]) -> Double {
        let mean = luma.reduce(0, +) / Double(max(1, luma.count))
        let variance =
            luma.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(max(1, luma.count))
        return variance.squareRoot()
    }

    /// Returns the correlation of two arrays of luma, from -1 to 1, which is independent of
    /// brightness and contrast.
    private static func correlation(_ one: [Double], _ other: [Double]) -> Double {
        guard one.count == other.count, !one.isEmpty else { return 0 }
        let count = Double(one.count)
        let means = (one.reduce(0, +) / count, other.reduce(0, +) / count)
        var (both, first, second) = (0.0, 0.0, 0.0)
        for (a, b) in zip(one, other) {
            both += (a - means.0) * (b - means.1)
            first += (a - means.0) * (a - means.0)
            second += (b - means.1) * (b - means.1)
        }
        guard first > 0, second > 0 else { return 0 }
        return both / (first * second).squareRoot()
    }
}
