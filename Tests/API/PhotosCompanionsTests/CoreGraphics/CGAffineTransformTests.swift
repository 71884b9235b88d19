import Foundation
import PhotosCompanions
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct CGAffineTransformTests {
    @Test func transformsDoWhatTheirNumbersSay() {
        let turn = CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 720, ty: 0)
        #expect(CGPoint(x: 0, y: 0).applying(turn) == CGPoint(x: 720, y: 0))
        #expect(CGPoint(x: 1280, y: 720).applying(turn) == CGPoint(x: 0, y: 1280))
        #expect(
            CGRect(x: 0, y: 0, width: 1280, height: 720).applying(turn)
                == CGRect(x: 0, y: 0, width: 720, height: 1280)
        )
        #expect(
            CGSize(width: 1280, height: 720).applying(turn) == CGSize(width: -720, height: 1280)
        )
        #expect(turn.concatenating(turn.inverted()) == .identity)
        let moved = CGAffineTransform.identity.translatedBy(x: 2, y: 3).scaledBy(x: 2, y: 2)
        #expect(CGPoint(x: 1, y: 1).applying(moved) == CGPoint(x: 4, y: 5))
        let quarter = CGAffineTransform(rotationAngle: .pi / 2)
        #expect(abs(quarter.b - 1) < 1e-9 && abs(quarter.a) < 1e-9)
        let flat = CGAffineTransform(scaleX: 0, y: 1)
        #expect(flat.inverted() == flat && CGAffineTransform().isIdentity)
    }
}
