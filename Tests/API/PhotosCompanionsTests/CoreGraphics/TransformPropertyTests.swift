import Foundation
import PhotosCompanions
import SamplePhotos
import TestSupport
import Testing

/// Transforms by what they do to points.
@Suite(.timeLimit(.minutes(1))) struct TransformPropertyTests {
    private func number(_ generator: inout SeededGenerator) -> CGFloat {
        .random(in: -4...4, using: &generator)
    }

    private func transform(_ generator: inout SeededGenerator) -> CGAffineTransform {
        CGAffineTransform(
            number(&generator),
            number(&generator),
            number(&generator),
            number(&generator),
            number(&generator),
            number(&generator)
        )
    }

    private func isNear(_ one: CGPoint, _ other: CGPoint, _ most: CGFloat = 1e-9) -> Bool {
        abs(one.x - other.x) <= most && abs(one.y - other.y) <= most
    }

    @Test func stepsApplyInTheirOrder() {
        let seed = TestSeed()
        var generator = seed.generator
        for _ in 0..<300 {
            let (one, other) = (transform(&generator), transform(&generator))
            let point = CGPoint(x: number(&generator), y: number(&generator))
            let both = point.applying(CGAffineTransformConcat(one, other))
            #expect(isNear(both, point.applying(one).applying(other)), seed.comment)
            let (x, y) = (number(&generator), number(&generator))
            let moved = CGPoint(x: point.x + x, y: point.y + y).applying(one)
            #expect(isNear(point.applying(one.translatedBy(x: x, y: y)), moved), seed.comment)
            let scaled = CGPoint(x: point.x * x, y: point.y * y).applying(one)
            #expect(isNear(point.applying(one.scaledBy(x: x, y: y)), scaled), seed.comment)
            let turned = CGPoint(
                x: point.x * cos(x) - point.y * sin(x),
                y: point.x * sin(x) + point.y * cos(x)
            ).applying(one)
            #expect(isNear(point.applying(one.rotated(by: x)), turned), seed.comment)
            guard abs(one.a * one.d - one.b * one.c) > 0.1 else { continue }
            #expect(isNear(point.applying(one).applying(one.inverted()), point, 1e-6), seed.comment)
        }
    }

    @Test func rectanglesContainTheirTransformedPoints() {
        let seed = TestSeed()
        var generator = seed.generator
        for _ in 0..<300 {
            let rect = CGRect(
                x: number(&generator),
                y: number(&generator),
                width: abs(number(&generator)),
                height: abs(number(&generator))
            )
            let change = transform(&generator)
            let box = rect.applying(change)
            var (left, top) = (CGFloat.infinity, CGFloat.infinity)
            for x in [0, 0.3, 1] as [CGFloat] {
                for y in [0, 0.6, 1] as [CGFloat] {
                    let point = CGPoint(
                        x: rect.minX + x * rect.width,
                        y: rect.minY + y * rect.height
                    ).applying(change)
                    #expect(box.insetBy(dx: -1e-9, dy: -1e-9).contains(point), seed.comment)
                    (left, top) = (min(left, point.x), min(top, point.y))
                }
            }
            #expect(abs(left - box.minX) < 1e-9 && abs(top - box.minY) < 1e-9, seed.comment)
        }
    }

    @Test(
        "Rectangles without a place have none afterward",
        arguments: [
            CGAffineTransform.identity, CGAffineTransform(translationX: 3, y: 4),
            CGAffineTransform(rotationAngle: 1), CGAffineTransform(scaleX: 0, y: 0),
        ]
    )
    func nullAndInfiniteStay(_ change: CGAffineTransform) {
        #expect(CGRect.null.applying(change).isNull)
        #expect(CGRect.infinite.applying(change).isInfinite)
    }

    @Test func transformsAreCoded() throws {
        let change = CGAffineTransform(1, 2, 3, 4, 5, 6)
        let data = try JSONEncoder().encode(change)
        #expect(try JSONDecoder().decode(CGAffineTransform.self, from: data) == change)
    }
}
