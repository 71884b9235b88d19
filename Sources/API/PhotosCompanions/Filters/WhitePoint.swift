internal import Glibc

/// The white point of an illuminant, given its temperature and tint.
struct WhitePoint {
    /// The CIE 1931 tristimulus values, normalized to Y = 1.
    let tristimulus: [Double]

    /// Creates a white point from a temperature in kelvins and a tint.
    ///
    /// The temperature is clamped to 1,667...25,000 and lies on the black-body locus. The tint,
    /// clamped to ±300, moves the point perpendicular to the locus: 3,000 units are a distance of 1
    /// in the CIE 1960 diagram, and positive values are greener.
    init(temperature: Double, tint: Double) {
        let kelvin = min(max(temperature, 1667), 25_000)
        let (u, v) = Self.blackBody(kelvin)
        let step = kelvin * 0.001
        let (nextU, nextV) = Self.blackBody(kelvin + step)
        // The normal of the locus, in the direction of increasing v.
        let (alongU, alongV) = (nextU - u, nextV - v)
        let length = (alongU * alongU + alongV * alongV).squareRoot()
        let distance = min(max(tint, -300), 300) / 3000
        let sign: Double = alongU < 0 ? 1 : -1
        let (finalU, finalV) = (
            u + sign * distance * alongV / length, v - sign * distance * alongU / length
        )
        let scale = 2 * finalU - 8 * finalV + 4
        let (x, y) = (3 * finalU / scale, 2 * finalV / scale)
        tristimulus = [x / y, 1, (1 - x - y) / y]
    }

    /// Returns Krystek's approximation of the black-body locus in the CIE 1960 diagram.
    private static func blackBody(_ kelvin: Double) -> (u: Double, v: Double) {
        let square = kelvin * kelvin
        let u =
            (0.860117757 + 1.54118254e-4 * kelvin + 1.28641212e-7 * square)
            / (1 + 8.42420235e-4 * kelvin + 7.08145163e-7 * square)
        let v =
            (0.317398726 + 4.22806245e-5 * kelvin + 4.20481691e-8 * square)
            / (1 - 2.89741816e-5 * kelvin + 1.61456053e-7 * square)
        return (u, v)
    }

    /// Returns the Bradford matrix, in linear sRGB, that adapts colors from another white point to
    /// this one.
    func adaptation(from other: WhitePoint) -> [Double] {
        let wanted = Self.apply(Self.bradford, to: tristimulus)
        let found = Self.apply(Self.bradford, to: other.tristimulus)
        var scaled = Self.bradford
        for index in scaled.indices { scaled[index] *= wanted[index / 3] / found[index / 3] }
        var matrix = Self.product(scaled, Self.toXYZ)
        matrix = Self.product(Self.fromBradford, matrix)
        matrix = Self.product(Self.fromXYZ, matrix)
        var rows: [Double] = []
        for row in 0..<3 { rows += matrix[row * 3..<row * 3 + 3] + [0] }
        return rows
    }

    // MARK: - 3×3 matrices

    private static let bradford: [Double] = [
        0.8951, 0.2664, -0.1614, -0.7502, 1.7135, 0.0367, 0.0389, -0.0685, 1.0296,
    ]
    private static let fromBradford: [Double] = [
        0.9869929, -0.1470543, 0.1599627, 0.4323053, 0.5183603, 0.0492912, -0.0085287,
        0.0400428, 0.9684867,
    ]
    private static let toXYZ: [Double] = [
        0.4123908, 0.3575843, 0.1804808, 0.2126390, 0.7151687, 0.0721923, 0.0193308, 0.1191948,
        0.9505322,
    ]
    private static let fromXYZ: [Double] = [
        3.2409699, -1.5373832, -0.4986108, -0.9692436, 1.8759675, 0.0415551, 0.0556301,
        -0.2039770, 1.0569715,
    ]

    private static func apply(_ matrix: [Double], to vector: [Double]) -> [Double] {
        var result: [Double] = []
        for row in 0..<3 {
            var sum: Double = 0
            for index in 0..<3 { sum += matrix[row * 3 + index] * vector[index] }
            result.append(sum)
        }
        return result
    }

    private static func product(_ second: [Double], _ first: [Double]) -> [Double] {
        var result: [Double] = []
        for row in 0..<3 {
            for column in 0..<3 {
                var sum: Double = 0
                for index in 0..<3 { sum += second[row * 3 + index] * first[index * 3 + column] }
                result.append(sum)
            }
        }
        return result
    }
}
