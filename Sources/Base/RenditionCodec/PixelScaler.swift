package import PhotoModel

/// A scaler for pixels of four bytes, with a separable cubic filter.
///
/// It is a Catmull-Rom filter in fixed-point arithmetic, whose support widens with the scale factor
/// when shrinking. A triangle filter is faster by a third, but visibly softer at scale factors near
/// one, which are common for renditions.
package struct PixelScaler {
    private static let bits = 14
    private static let rounding: Int32 = 1 << Int32(bits - 1)

    /// The source pixels of each result pixel and their filter weights, along one axis.
    private struct Windows {
        var starts: [Int] = []
        var counts: [Int] = []
        /// The weights of all windows, one after the other.
        var weights: [Int32] = []
    }

    /// Scales a part of an image into `target`.
    ///
    /// - Parameters:
    ///   - source: Rows of four bytes per pixel, without padding.
    ///   - size: The size of the source.
    ///   - part: The part of the source to scale; lies within it.
    ///   - exactPart: The same part as fractions of the source's sides, if it is a part of a larger
    ///     image and begins between two pixels. It differs from `part` by less than a pixel.
    ///   - scaled: The size of the result.
    ///   - target: The memory for the result.
    ///   - targetBytesPerRow: The bytes from one row of the target to the next.
    ///   - scalesAlpha: Whether the fourth byte is alpha, with which the colors are premultiplied;
    ///     otherwise it becomes 255.
    package static func scale(
        _ source: UnsafeRawBufferPointer,
        size: PixelSize,
        part: PixelRectangle,
        exactPart: UnitRectangle? = nil,
        to scaled: PixelSize,
        into target: UnsafeMutableRawBufferPointer,
        targetBytesPerRow: Int,
        scalesAlpha: Bool = false
    ) {
        guard let from = source.baseAddress?.assumingMemoryBound(to: UInt8.self),
            let to = target.baseAddress?.assumingMemoryBound(to: UInt8.self)
        else { return }
        let exactColumns = exactPart.map {
            (start: $0.x * Double(size.width), length: $0.width * Double(size.width))
        }
        let exactRows = exactPart.map {
            (start: $0.y * Double(size.height), length: $0.height * Double(size.height))
        }
        let columns = windows(from: part.size.width, at: part.x, exactColumns, to: scaled.width)
        let rows = windows(from: part.size.height, at: part.y, exactRows, to: scaled.height)
        let line = scaled.width * 4
        // Each source row is scaled horizontally once; result rows are weighted sums of these rows.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: part.size.height * line) { narrow in
            guard let narrow = narrow.baseAddress else { return }
            for y in 0..<part.size.height {
                let start = from + ((part.y + y) * size.width + part.x) * 4
                self.narrow(start, columns, into: narrow + y * line)
            }
            withUnsafeTemporaryAllocation(of: Int32.self, capacity: line) { sums in
                guard let sums = sums.baseAddress else { return }
                var at = 0
                for y in 0..<scaled.height {
                    let count = rows.counts[y]
                    sums.initialize(repeating: rounding, count: line)
                    for tap in 0..<count {
                        add(
                            narrow + (rows.starts[y] + tap) * line,
                            times: rows.weights[at + tap],
                            to: sums,
                            count: line
                        )
                    }
                    at += count
                    let row = to + y * targetBytesPerRow
                    for index in 0..<line { row[index] = byte(sums[index]) }
                    if scalesAlpha {
                        limit(row, count: line)
                    } else {
                        for index in stride(from: 3, to: line, by: 4) { row[index] = 255 }
                    }
                }
            }
        }
    }

    /// Scales one row horizontally.
    @inline(__always)
    private static func narrow(
        _ source: UnsafePointer<UInt8>,
        _ columns: Windows,
        into target: UnsafeMutablePointer<UInt8>
    ) {
        columns.weights.withUnsafeBufferPointer { weights in
            guard var weight = weights.baseAddress else { return }
            var result = target
            for x in columns.starts.indices {
                var (red, green, blue, alpha) = (rounding, rounding, rounding, rounding)
                var pixel = source + columns.starts[x] * 4
                for _ in 0..<columns.counts[x] {
                    let factor = weight.pointee
                    red &+= Int32(pixel[0]) &* factor
                    green &+= Int32(pixel[1]) &* factor
                    blue &+= Int32(pixel[2]) &* factor
                    alpha &+= Int32(pixel[3]) &* factor
                    pixel += 4
                    weight += 1
                }
                result[0] = byte(red)
                result[1] = byte(green)
                result[2] = byte(blue)
                result[3] = byte(alpha)
                result += 4
            }
        }
    }

    @inline(__always)
    private static func add(
        _ row: UnsafePointer<UInt8>,
        times factor: Int32,
        to sums: UnsafeMutablePointer<Int32>,
        count: Int
    ) {
        for index in 0..<count { sums[index] &+= Int32(row[index]) &* factor }
    }

    /// Converts a fixed-point sum to a byte; clamps sums out of range, which a cubic filter can
    /// produce.
    @inline(__always)
    private static func byte(_ sum: Int32) -> UInt8 {
        UInt8(truncatingIfNeeded: max(0, min(255, sum >> Int32(bits))))
    }

    /// Clamps premultiplied colors to their alpha.
    @inline(__always)
    private static func limit(_ row: UnsafeMutablePointer<UInt8>, count: Int) {
        for index in stride(from: 0, to: count, by: 4) {
            let alpha = row[index + 3]
            for band in 0..<3 { row[index + band] = min(row[index + band], alpha) }
        }
    }

    // MARK: - Weights

    /// Computes the source pixels and filter weights along one axis.
    ///
    /// - Parameters:
    ///   - source: The number of source pixels that are used.
    ///   - start: The first source pixel that is used.
    ///   - exact: The start and the length of the used part, with fractions.
    ///   - target: The number of result pixels.
    /// - Returns: Windows whose positions are relative to `start`.
    private static func windows(
        from source: Int,
        at start: Int,
        _ exact: (start: Double, length: Double)?,
        to target: Int
    ) -> Windows {
        let step = (exact?.length ?? Double(source)) / Double(target)
        let offset = exact.map { $0.start - Double(start) } ?? 0
        let scale = max(1, step)
        let reach = 2 * scale
        var windows = Windows()
        windows.starts.reserveCapacity(target)
        windows.counts.reserveCapacity(target)
        windows.weights.reserveCapacity(target * (Int(reach * 2) + 2))
        var found: [Double] = []
        for index in 0..<target {
            let center = min(max((Double(index) + 0.5) * step + offset, 0), Double(source))
            let first = min(max(0, Int((center - reach).rounded(.down))), source - 1)
            let last = min(source - 1, Int((center + reach).rounded(.up)))
            found.removeAll(keepingCapacity: true)
            var sum = 0.0
            for pixel in first...max(first, last) {
                let weight = cubic(abs(Double(pixel) + 0.5 - center) / scale)
                found.append(weight)
                sum += weight
            }
            // Zero weights at both ends are dropped.
            let used = found.firstIndex { $0 != 0 } ?? 0
            let end = (found.lastIndex { $0 != 0 } ?? 0) + 1
            let begin = windows.weights.count
            var rest = Int32(1) << Int32(bits)
            for weight in found[used..<end] {
                let number = Int32((weight / sum * Double(1 << bits)).rounded())
                windows.weights.append(number)
                rest -= number
            }
            // The weights sum up to exactly one, so that uniform areas are preserved.
            let middle = min(max(Int(center) - first - used, 0), end - used - 1)
            windows.weights[begin + middle] += rest
            windows.starts.append(first + used)
            windows.counts.append(end - used)
        }
        return windows
    }

    /// Returns the cubic filter's weight at a distance from the filter's center.
    ///
    /// The unit is a source pixel or, when downscaling, a result pixel.
    @inline(__always)
    private static func cubic(_ distance: Double) -> Double {
        if distance < 1 { return (1.5 * distance - 2.5) * distance * distance + 1 }
        guard distance < 2 else { return 0 }
        return ((-0.5 * distance + 2.5) * distance - 4) * distance + 2
    }
}
