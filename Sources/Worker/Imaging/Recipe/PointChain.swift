internal import CVipsShim
internal import PhotoModel

/// A chain of color operations that is simplified as it is built.
struct PointChain {
    /// A step of the chain.
    enum Link {
        /// A matrix of three rows of four.
        case matrix([Double])
        /// An operation that is applied to each color component separately.
        case separate(Separate)
        case other(cphotos_point)
    }

    /// An operation that is applied to each color component separately.
    enum Separate {
        case encode
        case decode
        case power(Double)
        case curves([[Double]])
    }

    private(set) var links: [Link] = []

    mutating func append(_ link: Link) {
        switch (links.last, link) {
        case (.matrix(let first), .matrix(let second)):
            links[links.count - 1] = .matrix(Self.product(second, first))
        case (.separate(.encode), .separate(.decode)), (.separate(.decode), .separate(.encode)):
            links.removeLast()
        default: links.append(link)
        }
    }

    /// Appends a matrix of three rows of three.
    mutating func append(primaries matrix: [Double]) {
        append(
            .matrix([
                matrix[0], matrix[1], matrix[2], 0, matrix[3], matrix[4], matrix[5], 0, matrix[6],
                matrix[7], matrix[8], 0,
            ])
        )
    }

    /// Appends the operations of a recipe.
    ///
    /// - Parameters:
    ///   - operations: The operations in order.
    ///   - isLinear: Whether the values are linear light.
    ///   - box: The extent of the image.
    mutating func append(_ operations: [PointOperation], isLinear: Bool, in box: PixelBox) {
        for operation in operations {
            switch operation {
            case .matrix(let numbers) where numbers.count == 12: append(.matrix(numbers))
            case .alphaMatrix(let numbers) where numbers.count == 20:
                append(.other(Self.point(CPHOTOS_ALPHA_MATRIX, numbers)))
            case .encode: if isLinear { append(.separate(.encode)) }
            case .decode: if isLinear { append(.separate(.decode)) }
            case .power(let power): append(.separate(.power(power)))
            case .curves(let red, let green, let blue)
            where red.count > 1 && green.count == red.count && blue.count == red.count:
                append(.separate(.curves([red, green, blue])))
            case .vibrance(let amount): append(.other(Self.point(CPHOTOS_VIBRANCE, [amount])))
            case .tones(let highlights, let shadows):
                let numbers = [highlights, shadows, isLinear ? 1 : 0]
                append(.other(Self.point(CPHOTOS_TONES, numbers)))
            case .vignette(let x, let y, let radius, let intensity):
                let numbers = [
                    x - Double(box.left), Double(box.top) - y, 1 / max(radius, 1e-6), intensity,
                ]
                append(.other(Self.point(CPHOTOS_VIGNETTE, numbers)))
            case .opaque: append(.other(Self.point(CPHOTOS_OPAQUE, [])))
            case .matrix, .alphaMatrix, .curves: break
            }
        }
    }

    /// Removes and returns the first link if it operates on each component separately.
    mutating func takeFirstSeparate() -> Separate? {
        guard case .separate(let first) = links.first else { return nil }
        links.removeFirst()
        return first
    }

    /// Removes and returns the last link if a lookup table can replace it.
    ///
    /// A table is too coarse for operations that amplify small differences between dark values.
    mutating func takeLastLookup() -> Separate? {
        guard case .separate(let last) = links.last else { return nil }
        switch last {
        case .encode, .power: return nil
        case .decode, .curves:
            links.removeLast()
            return last
        }
    }

    static func point(_ kind: cphotos_point_kind, _ numbers: [Double]) -> cphotos_point {
        var point = cphotos_point()
        point.kind = kind
        withUnsafeMutableBytes(of: &point.numbers) { bytes in
            let floats = bytes.bindMemory(to: Float.self)
            for (index, number) in numbers.prefix(floats.count).enumerated() {
                floats[index] = Float(number)
            }
        }
        return point
    }

    private static func product(_ second: [Double], _ first: [Double]) -> [Double] {
        var result: [Double] = []
        for row in 0..<3 {
            for column in 0..<4 {
                var sum: Double = column == 3 ? second[row * 4 + 3] : 0
                for index in 0..<3 { sum += second[row * 4 + index] * first[index * 4 + column] }
                result.append(sum)
            }
        }
        return result
    }
}
