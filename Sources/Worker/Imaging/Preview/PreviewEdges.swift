import PhotoModel

/// Finds the part of a preview's pixels that shows what the whole picture shows.
///
/// Cameras write previews in a few fixed sizes, with dark bars beside pictures of other shapes.
struct PreviewEdges {
    /// How far two aspects may differ without bars.
    private static let tolerance = 0.02
    /// A bar is dark when its mean is below this, out of 255.
    private static let darkness = 12
    /// No sample of the outermost rows or columns of a bar is above this, out of 255.
    private static let deepest = 24

    let pixels: UnsafeRawPointer
    let size: PixelSize
    let bytesPerRow: Int
    /// Red, green and blue first; samples of two bytes have the higher one last.
    let bands: Int
    let bytesPerSample: Int

    // MARK: - Shape

    /// The part in the middle that has the aspect of `whole`; nil for parts of less than 8 pixels.
    static func part(of size: PixelSize, withAspectOf whole: PixelSize) -> PixelRectangle? {
        guard whole.width > 0, whole.height > 0 else { return nil }
        let aspect = Double(whole.width) / Double(whole.height)
        let (width, height) = (Double(size.width), Double(size.height))
        var part = PixelRectangle(x: 0, y: 0, size: size)
        // A side that is off by rounding alone is taken as it is.
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

    /// Whether two sizes have nearly the same aspect.
    static func isSameAspect(_ one: PixelSize, _ other: PixelSize) -> Bool {
        guard one.width > 0, one.height > 0, other.width > 0, other.height > 0 else { return false }
        let first = Double(one.width) / Double(one.height)
        let second = Double(other.width) / Double(other.height)
        return abs(first / second - 1) <= tolerance
    }

    // MARK: - Bars

    /// The part that shows a picture of the size `whole`, or nil when the preview shows another part
    /// of it, or shows it squeezed.
    func part(showing whole: PixelSize) -> PixelRectangle? {
        guard let part = Self.part(of: size, withAspectOf: whole) else { return nil }
        let end = (x: part.x + part.size.width, y: part.y + part.size.height)
        if !Self.isSameAspect(size, whole) {
            // The row or column beside the picture may be mixed with it.
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

    /// Whether bars of one width lie on both sides of what is in a part.
    ///
    /// A dark edge that a photo has by itself is seldom as wide on the other side.
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
        // A picture that is dark all over has no bars.
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
