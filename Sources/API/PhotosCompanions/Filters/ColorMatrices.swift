internal import Glibc

/// 3×4 color matrices for `PointOperation.matrix`, as 12 elements in row order.
enum ColorMatrices {
    /// The weights of linear red, green and blue in luminance (BT.709).
    static let luminance: [Double] = [0.2126, 0.7152, 0.0722]

    /// Returns a saturation matrix: 0 yields gray, 1 is the identity, and larger amounts add
    /// saturation.
    static func saturation(_ amount: Double, weights: [Double] = luminance) -> [Double] {
        make { row, column in
            guard column < 3 else { return 0 }
            let grey: Double = (1 - amount) * weights[column]
            return row == column ? grey + amount : grey
        }
    }

    /// Returns a matrix that multiplies each component by its factor and adds its bias.
    static func scale(_ factors: [Double], plus bias: [Double] = [0, 0, 0]) -> [Double] {
        make { row, column in
            if column == 3 { return bias[row] }
            return row == column ? factors[row] : 0
        }
    }

    /// Returns a matrix that multiplies all components by one factor and adds one bias.
    static func scale(_ factor: Double, plus bias: Double = 0) -> [Double] {
        scale([factor, factor, factor], plus: [bias, bias, bias])
    }

    /// Returns a matrix that rotates hues by an angle and preserves gray, like `hueRotate` in SVG.
    static func hue(_ angle: Double) -> [Double] {
        let cosine: Double = cos(angle)
        let sine: Double = sin(angle)
        let turn: [Double] = [
            -0.2126, -0.7152, 0.9278, 0.143, 0.140, -0.283, -0.7874, 0.7152, 0.0722,
        ]
        return make { row, column in
            guard column < 3 else { return 0 }
            let weight: Double = luminance[column]
            let own: Double = row == column ? 1 : 0
            return weight + cosine * (own - weight) + sine * turn[row * 3 + column]
        }
    }

    /// Returns the product of two matrices, which applies `first` and then `second`.
    static func product(_ second: [Double], after first: [Double]) -> [Double] {
        make { row, column in
            var sum: Double = column == 3 ? second[row * 4 + 3] : 0
            for index in 0..<3 { sum += second[row * 4 + index] * first[index * 4 + column] }
            return sum
        }
    }

    /// Returns an interpolation between the identity (amount 0) and a matrix (amount 1).
    static func mixed(_ matrix: [Double], _ amount: Double) -> [Double] {
        make { row, column in
            let own: Double = row == column ? 1 : 0
            return own + (matrix[row * 4 + column] - own) * amount
        }
    }

    private static func make(_ element: (_ row: Int, _ column: Int) -> Double) -> [Double] {
        var matrix: [Double] = []
        for row in 0..<3 {
            for column in 0..<4 { matrix.append(element(row, column)) }
        }
        return matrix
    }
}
