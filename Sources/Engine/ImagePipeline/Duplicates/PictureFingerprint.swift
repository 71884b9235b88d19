package import Foundation
package import PhotoModel

/// A perceptual fingerprint, which is nearly the same if an image is scaled, recompressed or
/// slightly cropped.
///
/// It is computed from a small rendition. Similar fingerprints do not prove that two images are the
/// same, so their pixels have to be compared as well.
package struct PictureFingerprint: Hashable, Sendable {
    /// One bit for each of the 64 pairs of horizontally adjacent cells in a grid of 9 columns and 8
    /// rows; set if the left cell is darker.
    package var across: UInt64
    /// One bit for each of the 64 pairs of vertically adjacent cells in a grid of 8 columns and 9
    /// rows; set if the upper cell is darker.
    package var down: UInt64
    /// The mean red, green and blue of each cell in a grid of 4 columns and 4 rows.
    package var colors: [UInt8]
    /// The width divided by the height.
    package var aspect: Double

    /// The maximum number of bits of `across`, and of `down`, in which similar images differ.
    package static let mostDifferingBits = 7
    private static let mostColorDifference = 14
    private static let mostAspectDifference = 0.05
    /// The luma difference between adjacent cells that must be exceeded to set a bit; smaller
    /// differences can result from compression.
    private static let leastDifference = 0.75
    /// The minimum standard deviation of luma; an image with less contrast cannot be recognized.
    private static let leastContrast = 4.0

    package init(across: UInt64, down: UInt64, colors: [UInt8], aspect: Double) {
        self.across = across
        self.down = down
        self.colors = colors
        self.aspect = aspect
    }

    /// Computes the fingerprint of an image from rows of 8-bit pixels with red first; nil if the
    /// image is too small or has too little contrast.
    package init?(
        _ bytes: UnsafeRawBufferPointer,
        size: PixelSize,
        bytesPerPixel: Int,
        bytesPerRow: Int
    ) {
        guard
            let picture = PictureParts(
                bytes,
                size: size,
                bytesPerPixel: bytesPerPixel,
                bytesPerRow: bytesPerRow
            )
        else { return nil }
        let wide = picture.luma(columns: 9, rows: 8)
        let high = picture.luma(columns: 8, rows: 9)
        let mean = wide.reduce(0, +) / Double(wide.count)
        let variance = wide.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(wide.count)
        guard variance.squareRoot() >= Self.leastContrast else { return nil }
        across = 0
        down = 0
        for row in 0..<8 {
            for column in 0..<8 {
                let bit = UInt64(1) << UInt64(row * 8 + column)
                let left = wide[row * 9 + column]
                if left + Self.leastDifference < wide[row * 9 + column + 1] { across |= bit }
                let upper = high[row * 8 + column]
                if upper + Self.leastDifference < high[(row + 1) * 8 + column] { down |= bit }
            }
        }
        colors = picture.colors(columns: 4, rows: 4)
        aspect = Double(size.width) / Double(size.height)
    }

    /// Returns whether the fingerprints are similar enough for their images to be the same.
    package func isLike(_ other: PictureFingerprint) -> Bool {
        guard (across ^ other.across).nonzeroBitCount <= Self.mostDifferingBits,
            (down ^ other.down).nonzeroBitCount <= Self.mostDifferingBits,
            max(aspect, other.aspect) <= min(aspect, other.aspect)
                * (1 + Self.mostAspectDifference),
            colors.count == other.colors.count
        else { return false }
        return zip(colors, other.colors).allSatisfy { one, other in
            abs(Int(one) - Int(other)) <= Self.mostColorDifference
        }
    }

    // MARK: - Serialization

    /// The fingerprint without its aspect ratio, encoded as 64 bytes for the database.
    package var data: Data {
        var data = Data()
        for number in [across, down] {
            withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
        }
        return data + colors
    }

    /// Decodes the bytes of `data`; nil when they are not valid.
    package init?(data: Data, aspect: Double) {
        guard data.count == 64, aspect > 0 else { return nil }
        let bytes = [UInt8](data)
        func number(_ offset: Int) -> UInt64 {
            (0..<8).reduce(0) { $0 | UInt64(bytes[offset + $1]) << UInt64($1 * 8) }
        }
        self.init(
            across: number(0),
            down: number(8),
            colors: Array(bytes[16...]),
            aspect: aspect
        )
    }
}
