package import PhotoModel

/// Scales opaque pixels of four bytes: each result is the mean of what it covers, weighted by nearness.
///
/// A separable triangle filter in whole numbers, as wide as the step when shrinking.
package struct PixelScaler {
    private static let bits = 14

    /// The pixels of one result pixel in one direction.
    private struct Window {
        var start: Int
        var weights: ArraySlice<Int32>
    }

    /// Scales a part of a picture into `target`.
    ///
    /// - Parameters:
    ///   - source: Rows of four bytes a pixel, without padding.
    ///   - size: Of the source.
    ///   - part: What is taken of it; lies within it.
    ///   - scaled: The result's size.
    ///   - target: Where the result goes.
    ///   - targetBytesPerRow: From one of its rows to the next.
    package static func scale(
        _ source: UnsafeRawBufferPointer,
        size: PixelSize,
        part: PixelRectangle,
        to scaled: PixelSize,
        into target: UnsafeMutableRawBufferPointer,
        targetBytesPerRow: Int
    ) {
        guard let from = source.baseAddress?.assumingMemoryBound(to: UInt8.self),
            let to = target.baseAddress?.assumingMemoryBound(to: UInt8.self)
        else { return }
        let columns = windows(from: part.size.width, to: scaled.width)
        let rows = windows(from: part.size.height, to: scaled.height)
        let line = scaled.width * 4
        // Rows are narrowed once, and kept as long as rows of the result need them.
        var narrowed = [UInt8](repeating: 0, count: part.size.height * line)
        narrowed.withUnsafeMutableBufferPointer { narrow in
            for y in 0..<part.size.height {
                let start = from + ((part.y + y) * size.width + part.x) * 4
                for x in 0..<scaled.width {
                    let window = columns[x]
                    var (red, green, blue) = (rounding, rounding, rounding)
                    var pixel = start + window.start * 4
                    for weight in window.weights {
                        red &+= Int32(pixel[0]) &* weight
                        green &+= Int32(pixel[1]) &* weight
                        blue &+= Int32(pixel[2]) &* weight
                        pixel += 4
                    }
                    let at = y * line + x * 4
                    narrow[at] = UInt8(truncatingIfNeeded: red >> Int32(bits))
                    narrow[at + 1] = UInt8(truncatingIfNeeded: green >> Int32(bits))
                    narrow[at + 2] = UInt8(truncatingIfNeeded: blue >> Int32(bits))
                }
            }
            for y in 0..<scaled.height {
                let window = rows[y]
                let row = to + y * targetBytesPerRow
                for x in 0..<scaled.width {
                    var (red, green, blue) = (rounding, rounding, rounding)
                    var at = window.start * line + x * 4
                    for weight in window.weights {
                        red &+= Int32(narrow[at]) &* weight
                        green &+= Int32(narrow[at + 1]) &* weight
                        blue &+= Int32(narrow[at + 2]) &* weight
                        at += line
                    }
                    row[x * 4] = UInt8(truncatingIfNeeded: red >> Int32(bits))
                    row[x * 4 + 1] = UInt8(truncatingIfNeeded: green >> Int32(bits))
                    row[x * 4 + 2] = UInt8(truncatingIfNeeded: blue >> Int32(bits))
                    row[x * 4 + 3] = 255
                }
            }
        }
    }

    private static let rounding: Int32 = 1 << Int32(bits - 1)

    private static func windows(from source: Int, to target: Int) -> [Window] {
        let step = Double(source) / Double(target)
        let reach = max(1, step)
        return (0..<target).map { index in
            let center = (Double(index) + 0.5) * step
            let first = max(0, Int((center - reach).rounded(.down)))
            let last = min(source - 1, Int((center + reach).rounded(.up)))
            var weights = (first...max(first, last)).map { pixel in
                max(0, 1 - abs(Double(pixel) + 0.5 - center) / reach)
            }
            let sum = weights.reduce(0, +)
            if sum <= 0 { weights[weights.count / 2] = 1 }
            let whole = Double(1 << bits)
            var numbers = weights.map {
                Int32(($0 / max(sum, .leastNonzeroMagnitude) * whole).rounded())
            }
            if sum <= 0 { numbers = weights.map { Int32($0 * whole) } }
            // The sum is exactly one, so that a plain area stays what it is.
            let excess = numbers.reduce(0, +) - Int32(whole)
            if let largest = numbers.indices.max(by: { numbers[$0] < numbers[$1] }) {
                numbers[largest] -= excess
            }
            let used = numbers.firstIndex { $0 != 0 } ?? 0
            let end = (numbers.lastIndex { $0 != 0 } ?? 0) + 1
            return Window(start: first + used, weights: numbers[used..<end])
        }
    }
}
