/// A monotone cubic spline (Fritsch–Carlson): a smooth curve that never overshoots its points.
struct ToneSpline {
    /// The number of samples of a curve; values between them are interpolated linearly.
    static let sampleCount = 129

    private let points: [(x: Double, y: Double)]
    private let slopes: [Double]

    /// Creates a spline through points, which can be given in any order.
    ///
    /// Of several points at the same x, the last one is used.
    init(_ given: [(x: Double, y: Double)]) {
        var points: [(x: Double, y: Double)] = []
        for point in given.enumerated().sorted(by: {
            ($0.element.x, $0.offset) < ($1.element.x, $1.offset)
        }).map(\.element) {
            if let last = points.last, point.x - last.x < 1e-9 { points.removeLast() }
            points.append(point)
        }
        self.points = points
        slopes = Self.slopes(points)
    }

    /// Returns the value at a position; before the first and after the last point, the value is
    /// constant.
    func value(at x: Double) -> Double {
        guard let first = points.first, let last = points.last else { return x }
        if x <= first.x { return first.y }
        if x >= last.x { return last.y }
        let index = (points.firstIndex { $0.x > x } ?? 1) - 1
        let (start, end) = (points[index], points[index + 1])
        let width = end.x - start.x
        let t = (x - start.x) / width
        let (square, cube) = (t * t, t * t * t)
        return (2 * cube - 3 * square + 1) * start.y
            + (cube - 2 * square + t) * width * slopes[index]
            + (3 * square - 2 * cube) * end.y
            + (cube - square) * width * slopes[index + 1]
    }

    /// The values at evenly spaced positions from 0 to 1.
    var samples: [Double] {
        (0..<Self.sampleCount).map { value(at: Double($0) / Double(Self.sampleCount - 1)) }
    }

    private static func slopes(_ points: [(x: Double, y: Double)]) -> [Double] {
        guard points.count > 1 else { return points.map { _ in 0 } }
        let secants = zip(points, points.dropFirst()).map { ($1.y - $0.y) / ($1.x - $0.x) }
        var slopes = points.indices.map { index -> Double in
            if index == 0 { return secants[0] }
            if index == points.count - 1 { return secants[index - 1] }
            let (before, after) = (secants[index - 1], secants[index])
            return before * after <= 0 ? 0 : (before + after) / 2
        }
        for (index, secant) in secants.enumerated() {
            guard secant != 0 else {
                slopes[index] = 0
                slopes[index + 1] = 0
                continue
            }
            let (start, end) = (slopes[index] / secant, slopes[index + 1] / secant)
            let length = start * start + end * end
            guard length > 9 else { continue }
            let scale = 3 / length.squareRoot()
            slopes[index] = scale * start * secant
            slopes[index + 1] = scale * end * secant
        }
        return slopes
    }
}
