/// A measure of a picture's quality relative to other pictures of the same scene, such as the
/// frames of a burst.
///
/// It is computed from a small rendition and combines two factors. Sharpness is the energy of the
/// finest detail relative to the contrast, so that a darker frame does not count as blurred. The
/// share of pixels clipped to black or white reduces the score in proportion. Scores of different
/// scenes are not comparable.
struct PictureQuality {
    /// The score, at least 0; higher is better.
    let score: Double

    /// Measures rows of 8-bit RGB; nil if the picture is too small.
    init?(rgb bytes: UnsafeRawBufferPointer, width: Int, height: Int, bytesPerRow: Int) {
        guard width >= 16, height >= 16, bytesPerRow >= width * 3,
            bytes.count >= bytesPerRow * height
        else { return nil }
        var sum = 0
        var squares = 0
        var detail = 0
        var clipped = 0
        var above = [Int](repeating: 0, count: width)
        var middle = above
        var below = above
        Self.readLuma(&middle, bytes, row: 0, bytesPerRow)
        Self.readLuma(&below, bytes, row: 1, bytesPerRow)
        for y in 1..<(height - 1) {
            (above, middle, below) = (middle, below, above)
            Self.readLuma(&below, bytes, row: y + 1, bytesPerRow)
            for x in 1..<(width - 1) {
                let value = middle[x]
                sum += value
                squares += value * value
                if value <= Self.black || value >= Self.white { clipped += 1 }
                let laplacian = 4 * value - middle[x - 1] - middle[x + 1] - above[x] - below[x]
                detail += laplacian * laplacian
            }
        }
        let count = Double((width - 2) * (height - 2))
        let mean = Double(sum) / count
        let variance = Double(squares) / count - mean * mean
        // A picture of a single color has no detail; adding 1 avoids a division by zero.
        let sharpness = Double(detail) / count / (variance + 1)
        score = sharpness * (1 - Double(clipped) / count)
    }

    private static let black = 4
    private static let white = 251

    /// Computes the luma of a row according to ITU-R BT.601.
    private static func readLuma(
        _ row: inout [Int],
        _ bytes: UnsafeRawBufferPointer,
        row y: Int,
        _ bytesPerRow: Int
    ) {
        var position = y * bytesPerRow
        for x in row.indices {
            let red = Int(bytes[position])
            let green = Int(bytes[position + 1])
            let blue = Int(bytes[position + 2])
            row[x] = (77 * red + 150 * green + 29 * blue) >> 8
            position += 3
        }
    }
}
