package import Foundation
package import PhotoModel

/// What a picture looks like, in a few bytes: the same for a picture that was scaled, compressed anew
/// or cut a little, another for another picture.
///
/// Told from a small rendition. Two are alike only as far as that goes: whoever needs to be sure looks
/// at the pixels.
package struct PictureFingerprint: Hashable, Sendable {
    /// Whether each of 8 × 9 parts is darker than its neighbour on the right.
    package var across: UInt64
    /// Whether each of 9 × 8 parts is darker than the one below it.
    package var down: UInt64
    /// The mean red, green and blue of 4 × 4 parts.
    package var colors: [UInt8]
    /// Width by height.
    package var aspect: Double

    /// How many bits of `across`, and of `down`, may differ in pictures that are alike.
    package static let mostDifferingBits = 7
    private static let mostColorDifference = 14
    private static let mostAspectDifference = 0.05
    /// Parts that differ by less count as equal: compressing makes such differences.
    private static let leastDifference = 0.75
    /// A picture of less contrast has nothing to be told by.
    private static let leastContrast = 4.0

    package init(across: UInt64, down: UInt64, colors: [UInt8], aspect: Double) {
        self.across = across
        self.down = down
        self.colors = colors
        self.aspect = aspect
    }

    /// Looks at 8-bit rows, red first; nil for a picture that is too small, or has no contrast.
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

    /// Whether two pictures can be the same.
    package func isLike(_ other: PictureFingerprint) -> Bool {
        guard (across ^ other.across).nonzeroBitCount <= Self.mostDifferingBits,
            (down ^ other.down).nonzeroBitCount <= Self.mostDifferingBits,
            abs(aspect / other.aspect - 1) <= Self.mostAspectDifference,
            colors.count == other.colors.count
        else { return false }
        return zip(colors, other.colors).allSatisfy { one, other in
            abs(Int(one) - Int(other)) <= Self.mostColorDifference
        }
    }

    // MARK: - As bytes

    /// 64 bytes, for a table.
    package var data: Data {
        var data = Data()
        for number in [across, down] {
            withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
        }
        return data + colors
    }

    /// Reads `data`; nil for bytes that are not it.
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
