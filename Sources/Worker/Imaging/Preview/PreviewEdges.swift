import PhotoModel

/// The detection of the part of a preview that shows the whole image.
///
/// Cameras write previews in a few fixed sizes, with dark bars beside images of other aspect
/// ratios.
struct PreviewEdges {
    /// The maximum relative difference between two aspect ratios that count as equal.
    private static let tolerance = 0.02
    /// The maximum mean sample value of a dark bar, out of 255.
    private static let darkness = 12
    /// The maximum sample value in the outermost rows or columns of a dark bar, out of 255.
    private static let deepest = 24

    let pixels: UnsafeRawPointer
    let size: PixelSize
    let bytesPerRow: Int
    /// The number of bands, the first three of which are red, green and blue.
    ///
    /// Samples of two bytes are little-endian.
    let bands: Int
    let bytesPerSample: Int

    // MARK: - Shape

    /// Returns the largest centered part of an image that has the aspect ratio of `whole`.
    ///
    /// Returns nil if the part would be narrower than 8 pixels though the image is not.
    static func part(of size: PixelSize, withAspectOf whole: PixelSize) -> PixelRectangle? {
        guard whole.width > 0, whole.height > 0 else { return nil }
        let aspect = Double(whole.width) / Double(whole.height)
        let (width, height) = (Double(size.width), Double(size.height))
        var part = PixelRectangle(x: 0, y: 0, size: size)
        // A deviation by rounding is ignored.
        if height - width / aspect > 1 {
            part.y = Int(((height - width / aspect) / 2).rounded(.up))
            part.size.height = size.height - 2 * part.y
        } else if width - height * aspect > 1 {
            part.x = Int(((width - height * aspect) / 2).rounded(.up))
            part.size.width = size.width - 2 * part.x
        }
        let isEnough = min(part.size.width, part.size.height) >= min(8, size.width, size.height)
        return isEnough ? part : nil
    }

    /// Returns whether two sizes have nearly the same aspect ratio.
    static func isSameAspect(_ one: PixelSize, _ other: PixelSize) -> Bool {
        guard one.width > 0, one.height > 0, other.width > 0, other.height > 0 else { return false }
        let first = Double(one.width) / Double(one.height)
        let second = Double(other.width) / Double(other.height)
        return abs(first / second - 1) <= tolerance
    }

    // MARK: - Bars

    /// Returns the part of the preview that shows the image, without dark bars at the edges.
    ///
    /// `whole` is the size of the whole image. Returns nil if the preview shows only a part of the
    /// image, or is distorted.
    func part(showing whole: PixelSize) -> PixelRectangle? {
        guard let part = Self.part(of: size, withAspectOf: whole) else { return nil }
        let end = (x: part.x + part.size.width, y: part.y + part.size.height)
        // In a whole preview of nearly another aspect ratio, only the thin side was rounded.
        if part.size != size, !Self.isSameAspect(size, whole) {
            // The row or column next to the image may be blended with it.
            let areDark =
                part.y > 0
                ? isDark(rows: 0..<part.y - 1)
                    && isDark(rows: min(end.y + 1, size.height)..<size.height)
                : isDark(columns: 0..<part.x - 1)
                    && isDark(columns: min(end.x + 1, size.width)..<size.width)
            guard areDark else { return nil }
        }
        return hasBars(part) ? nil : part
    }

    private func isDark(rows: Range<Int>) -> Bool {
        rows.isEmpty || mean(0..<size.width, rows) <= Self.darkness
    }

    private func isDark(columns: Range<Int>) -> Bool {
        columns.isEmpty || mean(columns, 0..<size.height) <= Self.darkness
    }

    private func mean(_ columns: Range<Int>, _ rows: Range<Int>) -> Int {
        var sum = 0
        for row in rows {
            for column in columns {
                for band in 0..<3 { sum += sample(column, row, band) }
            }
        }
        return sum / max(1, columns.count * rows.count * 3)
    }

    /// Returns whether a part has dark bars of about equal width at two opposite edges.
    ///
    /// Dark areas in a photo rarely have the same width at opposite edges.
    private func hasBars(_ part: PixelRectangle) -> Bool {
        let columns = part.x..<part.x + part.size.width
        let rows = part.y..<part.y + part.size.height
        return isPair(
            columns.prefix { column in rows.allSatisfy { isDeep(column, $0) } }.count,
            columns.reversed().prefix { column in rows.allSatisfy { isDeep(column, $0) } }.count,
            of: columns.count
        )
            || isPair(
                rows.prefix { row in columns.allSatisfy { isDeep($0, row) } }.count,
                rows.reversed().prefix { row in columns.allSatisfy { isDeep($0, row) } }.count,
                of: rows.count
            )
    }

    private func isPair(_ first: Int, _ last: Int, of side: Int) -> Bool {
        // An image that is dark everywhere has no bars.
        first + last < side && min(first, last) >= max(2, side / 100) && abs(first - last) <= 2
    }

    private func isDeep(_ column: Int, _ row: Int) -> Bool {
        (0..<3).allSatisfy { sample(column, row, $0) <= Self.deepest }
    }

    private func sample(_ column: Int, _ row: Int, _ band: Int) -> Int {
        let at = row * bytesPerRow + (column * bands + band + 1) * bytesPerSample - 1
        return Int(pixels.load(fromByteOffset: at, as: UInt8.self))
    }
}
