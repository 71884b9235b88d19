import Testing

@testable import PhotoLibrary

@Suite(.timeLimit(.minutes(2))) struct PictureQualityTests {
    /// Returns a picture of stripes, 64 × 48.
    private func picture(_ value: (_ x: Int, _ y: Int) -> Int) -> [UInt8] {
        (0..<48).flatMap { y in
            (0..<64).flatMap { x in
                [UInt8](repeating: UInt8(clamping: value(x, y)), count: 3)
            }
        }
    }

    private func score(_ pixels: [UInt8]) -> Double? {
        pixels.withUnsafeBytes { bytes in
            PictureQuality(rgb: bytes, width: 64, height: 48, bytesPerRow: 64 * 3)?.score
        }
    }

    private func stripes(_ x: Int) -> Int { x / 4 % 2 == 0 ? 60 : 180 }

    /// Returns the same stripes with motion blur.
    private func blurred(_ x: Int, by width: Int) -> Int {
        (0..<width).reduce(0) { $0 + stripes(x + $1) } / width
    }

    @Test("The more blurred, the less") func blur() throws {
        let scores = try [1, 2, 3, 5].map { width in
            try #require(score(picture { x, _ in blurred(x, by: width) }))
        }
        #expect(scores == scores.sorted(by: >))
        #expect(Set(scores).count == scores.count)
    }

    @Test("What is clipped counts less, and less light alone does not count")
    func exposure() throws {
        let good = try #require(score(picture { x, _ in stripes(x) }))
        let darker = try #require(score(picture { x, _ in stripes(x) / 2 }))
        let clipped = try #require(score(picture { x, y in y < 24 ? 255 : stripes(x) }))
        #expect(abs(good - darker) < good * 0.02)
        #expect(clipped < good * 0.8)
    }

    @Test("A picture of nothing is no better than any, and a tiny one tells nothing")
    func edges() throws {
        #expect(score(picture { _, _ in 128 }) == 0)
        let tiny = [UInt8](repeating: 0, count: 8 * 8 * 3)
        tiny.withUnsafeBytes { bytes in
            #expect(PictureQuality(rgb: bytes, width: 8, height: 8, bytesPerRow: 24) == nil)
            // Fewer bytes than the size requires.
            #expect(PictureQuality(rgb: bytes, width: 64, height: 64, bytesPerRow: 192) == nil)
        }
    }
}
