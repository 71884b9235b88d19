package import PhotoModel

/// A small image in memory: rows from the top with 8-bit red, green and blue, no padding.
package struct PixelImage {
    /// The maximum number of pixels of an image.
    static let maximumPixels = 64_000_000

    package private(set) var size: PixelSize
    package private(set) var bytes: [UInt8]

    private init(size: PixelSize, bytes: [UInt8]) {
        self.size = size
        self.bytes = bytes
    }

    /// Copies rows; returns nil for an invalid size or row length.
    init?(size: PixelSize, rows: UnsafeRawPointer, bytesPerRow: Int) {
        guard size.width > 0, size.height > 0, size.width <= Self.maximumPixels / size.height,
            bytesPerRow >= size.width * 3
        else { return nil }
        let length = size.width * 3
        self.size = size
        bytes = [UInt8](unsafeUninitializedCapacity: length * size.height) { buffer, count in
            for row in 0..<size.height {
                let source = UnsafeRawBufferPointer(start: rows + row * bytesPerRow, count: length)
                UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(buffer)[(row * length)...]
                )
                .copyMemory(from: source)
            }
            count = length * size.height
        }
    }

    /// Modifies all pixels' colors in place.
    mutating func recolor(_ body: (UnsafeMutableRawPointer, _ pixels: Int) -> Void) {
        let pixels = size.width * size.height
        bytes.withUnsafeMutableBytes { if let start = $0.baseAddress { body(start, pixels) } }
    }

    // MARK: - Shape

    /// Returns the part of a preview that shows the image, without dark bars at the edges.
    ///
    /// `whole` is the size of the whole image. Returns nil if the preview does not show all of it.
    func trimmed(toAspectOf whole: PixelSize) -> PixelImage? {
        let found = bytes.withUnsafeBytes { buffer in
            buffer.baseAddress.flatMap { start in
                PreviewEdges(
                    pixels: start,
                    size: size,
                    bytesPerRow: size.width * 3,
                    bands: 3,
                    bytesPerSample: 1
                )
                .part(showing: whole)
            }
        }
        guard let found else { return nil }
        if found.size == size { return self }
        return part(
            found.x..<found.x + found.size.width,
            found.y..<found.y + found.size.height
        )
    }

    private func part(_ columns: Range<Int>, _ rows: Range<Int>) -> PixelImage {
        var result: [UInt8] = []
        result.reserveCapacity(columns.count * rows.count * 3)
        for row in rows {
            let start = (row * size.width + columns.lowerBound) * 3
            result.append(contentsOf: bytes[start..<start + columns.count * 3])
        }
        return PixelImage(
            size: PixelSize(width: columns.count, height: rows.count),
            bytes: result
        )
    }

    // MARK: - Orientation

    /// Returns the image with an orientation applied.
    func turned(_ orientation: Orientation) -> PixelImage {
        guard orientation != .up else { return self }
        let target = size.displayed(with: orientation)
        let (width, height) = (size.width, size.height)
        // The index of the result's first pixel in the source, and the steps per column and row.
        let (start, column, row): (Int, Int, Int) =
            switch orientation {
            case .up: (0, 1, width)
            case .upMirrored: (width - 1, -1, width)
            case .down: (width * height - 1, -1, -width)
            case .downMirrored: (width * (height - 1), 1, -width)
            case .leftMirrored: (0, width, 1)
            case .right: (width * (height - 1), -width, 1)
            case .rightMirrored: (width * height - 1, -width, -1)
            case .left: (width - 1, width, -1)
            }
        let turned = bytes.withUnsafeBufferPointer { source in
            [UInt8](unsafeUninitializedCapacity: bytes.count) { buffer, count in
                var to = 0
                for y in 0..<target.height {
                    var from = start + y * row
                    for _ in 0..<target.width {
                        buffer[to] = source[from * 3]
                        buffer[to + 1] = source[from * 3 + 1]
                        buffer[to + 2] = source[from * 3 + 2]
                        to += 3
                        from += column
                    }
                }
                count = to
            }
        }
        return PixelImage(size: target, bytes: turned)
    }

    // MARK: - Downscaling

    /// Returns the image, downscaled if its longer side exceeds `side`.
    ///
    /// Each resulting pixel is the mean of the source pixels that it covers.
    func shrunk(toSide side: Int) -> PixelImage {
        let longer = max(size.width, size.height)
        guard longer > side, side > 0 else { return self }
        func scaled(_ length: Int) -> Int { max(1, (length * side + longer / 2) / longer) }
        let target = PixelSize(width: scaled(size.width), height: scaled(size.height))
        let columns = Self.spans(from: size.width, to: target.width)
        let rows = Self.spans(from: size.height, to: target.height)
        let length = target.width * 3
        let result = bytes.withUnsafeBufferPointer { source in
            [UInt8](unsafeUninitializedCapacity: length * target.height) { buffer, count in
                var sums = [Float](repeating: 0, count: length)
                for (y, span) in rows.enumerated() {
                    for index in 0..<length { sums[index] = 0 }
                    for (offset, weight) in span.weights.enumerated() {
                        let start = (span.start + offset) * size.width
                        for (x, part) in columns.enumerated() {
                            for (step, share) in part.weights.enumerated() {
                                let at = (start + part.start + step) * 3
                                let factor = share * weight
                                sums[x * 3] += Float(source[at]) * factor
                                sums[x * 3 + 1] += Float(source[at + 1]) * factor
                                sums[x * 3 + 2] += Float(source[at + 2]) * factor
                            }
                        }
                    }
                    for index in 0..<length {
                        buffer[y * length + index] = UInt8(max(0, min(255, sums[index].rounded())))
                    }
                }
                count = length * target.height
            }
        }
        return PixelImage(size: target, bytes: result)
    }

    private struct Span {
        var start: Int
        var weights: [Float]
    }

    /// Returns, for each target column or row, the source columns or rows that it covers, with
    /// their weights.
    private static func spans(from source: Int, to target: Int) -> [Span] {
        let scale = Double(source) / Double(target)
        return (0..<target).map { index in
            let from = Double(index) * scale
            let to = min(Double(source), from + scale)
            let first = Int(from)
            let last = min(source - 1, Int(to.rounded(.up)) - 1)
            let weights = (first...max(first, last)).map { pixel in
                Float((min(to, Double(pixel + 1)) - max(from, Double(pixel))) / scale)
            }
            return Span(start: first, weights: weights)
        }
    }
}
