import TestSupport
import Testing

@testable import PhotosCompanions

/// Curves through points, which never overshoot them.
@Suite(.timeLimit(.minutes(1))) struct ToneSplineTests {
    @Test func curvesPassThroughTheirPointsWithoutOvershooting() {
        let seed = TestSeed()
        var generator = seed.generator
        for _ in 0..<300 {
            var points = (0..<Int.random(in: 1...7, using: &generator)).map { _ in
                (
                    x: Double.random(in: 0...1, using: &generator),
                    y: Double.random(in: -0.5...1.5, using: &generator)
                )
            }
            let spline = ToneSpline(points.shuffled(using: &generator))
            points.sort { $0.x < $1.x }
            for point in points {
                #expect(abs(spline.value(at: point.x) - point.y) < 1e-9, seed.comment)
            }
            for (start, end) in zip(points, points.dropFirst()) {
                var last = start.y
                for step in 1...20 {
                    let x = start.x + (end.x - start.x) * Double(step) / 20
                    let value = spline.value(at: x)
                    // Monotone between two points, hence between their values.
                    #expect(
                        start.y <= end.y ? value >= last - 1e-9 : value <= last + 1e-9,
                        "\(points) \(x) \(seed)"
                    )
                    last = value
                }
            }
            #expect(spline.value(at: -3) == points[0].y)
            #expect(spline.value(at: 4) == points[points.count - 1].y)
        }
    }

    @Test func straightLinesStayStraight() {
        let line = ToneSpline([(x: 0, y: 0), (x: 0.25, y: 0.25), (x: 0.7, y: 0.7), (x: 1, y: 1)])
        for (index, sample) in line.samples.enumerated() {
            #expect(abs(sample - Double(index) / 128) < 1e-12)
        }
        #expect(line.samples.count == 129)
        #expect(ToneSpline([]).value(at: 0.3) == 0.3)
    }

    @Test func theLastOfSeveralPointsAtOnePlaceCounts() {
        let spline = ToneSpline([(x: 0.5, y: 0.1), (x: 1, y: 1), (x: 0.5, y: 0.9), (x: 0, y: 0)])
        #expect(spline.value(at: 0.5) == 0.9)
    }
}
