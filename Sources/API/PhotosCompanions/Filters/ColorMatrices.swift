internal import Glibc

/// Matrices of three rows of four for `PointOperation.matrix`.
enum ColorMatrices {
    /// What red, green and blue light give to luminance (BT.709).
    static let luminance: [Double] = [0.2126, 0.7152, 0.0722]

    /// Between grey (0) and as it is (1), and beyond.
    static func saturation(_ amount: Double, weights: [Double] = luminance) -> [Double] {
        make { row, column in
            guard column < 3 else { return 0 }
            let grey: Double = (1 - amount) * weights[column]
            return row == column ? grey + amount : grey
        }
    }

    /// Each component times a number, plus another.
    static func scale(_ factors: [Double], plus bias: [Double] = [0, 0, 0]) -> [Double] {
        make { row, column in
            if column == 3 { return bias[row] }
            return row == column ? factors[row] : 0
        }
    }

    /// All components times a number, plus another.
    static func scale(_ factor: Double, plus bias: Double = 0) -> [Double] {
        scale([factor, factor, factor], plus: [bias, bias, bias])
    }

    /// Turns hues by an angle and leaves grey as it is: what SVG calls `hueRotate`.
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

    /// One after another.
    static func product(_ second: [Double], after first: [Double]) -> [Double] {
        make { row, column in
            var sum: Double = column == 3 ? second[row * 4 + 3] : 0
            for index in 0..<3 { sum += second[row * 4 + index] * first[index * 4 + column] }
            return sum
        }
    }

    /// Part of the way from doing nothing (0) to a matrix (1).
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
