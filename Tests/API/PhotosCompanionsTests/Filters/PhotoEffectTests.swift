import Foundation
import PhotosCompanions
import TestSupport
import Testing

/// The eight photo effects, compared with small reference pictures and with their documented
/// properties.
///
/// `Scripts/draw-effects` draws the pictures from the formulas, independently of the tested code.
@Suite("Photo effects", .timeLimit(.minutes(2)))
struct PhotoEffectTests {
    static let names = [
        "Chrome", "Fade", "Instant", "Mono", "Noir", "Process", "Tonal", "Transfer",
    ].map { "CIPhotoEffect" + $0 }
    static let others = ["CISepiaTone", "CIVibrance", "CIHighlightShadowAdjust", "CIVignette"]

    private static let parameters: [String: [String: Double]] = [
        "CIVibrance": [kCIInputAmountKey: 0.8],
        "CIHighlightShadowAdjust": ["inputShadowAmount": 0.6, "inputHighlightAmount": 0.5],
        "CIVignette": [kCIInputIntensityKey: 0.7],
    ]

    private let card = TestCard.standard

    private func drawn(_ name: String) throws -> TestCard {
        try TestCard.drawn(
            card.image.applyingFilter(name, parameters: Self.parameters[name] ?? [:])
        )
    }

    @Test("Looks as its reference picture does", arguments: names + others)
    func reference(name: String) throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Resources/effects/\(name).png").standardizedFileURL
        let drawn = try drawn(name)
        let reference = try #require(UIImage(contentsOfFile: file.path)?.cgImage)
        let data = try #require(reference.dataProvider?.data)
        let wanted = TestCard(
            width: reference.width,
            height: reference.height,
            bytes: [UInt8](data)
        )
        #expect(drawn.distance(to: wanted) <= 2)
    }

    @Test("Noir is black and white with lifted contrast")
    func noir() throws {
        let noir = try drawn("CIPhotoEffectNoir")
        for index in stride(from: 0, to: noir.bytes.count, by: 4) {
            let pixel = noir.bytes[index..<index + 3]
            #expect(Set(pixel).count == 1)
        }
        // Black and white stay; dark tones become darker, light tones lighter.
        #expect(noir.pixel(0, 0).red == 0 && noir.pixel(card.width - 1, 0).red == 255)
        #expect(noir.pixel(5, 0).red < card.pixel(5, 0).red - 15)
        #expect(noir.pixel(18, 0).red > card.pixel(18, 0).red + 15)
        let mono = try drawn("CIPhotoEffectMono")
        #expect(spread(noir) > spread(mono) * 1.15)
        #expect(spread(mono) > spread(try drawn("CIPhotoEffectTonal")))
    }

    @Test("Colors grow in Chrome, fade in Fade, and are warm in Transfer and Instant")
    func colors() throws {
        #expect(colorfulness(try drawn("CIPhotoEffectChrome")) > colorfulness(card))
        #expect(colorfulness(try drawn("CIPhotoEffectFade")) < colorfulness(card) * 0.8)
        for name in ["CIPhotoEffectTransfer", "CIPhotoEffectInstant"] {
            let gray = try drawn(name).pixel(14, 0)
            #expect(gray.red > gray.blue + 10, "\(name)")
        }
        let cool = try drawn("CIPhotoEffectProcess").pixel(6, 0)
        #expect(cool.blue > cool.red + 10)
    }

    /// Returns the standard deviation of gray.
    private func spread(_ card: TestCard) -> Double {
        let values = stride(from: 0, to: card.bytes.count, by: 4).map { Double(card.bytes[$0]) }
        let mean = values.reduce(0, +) / Double(values.count)
        let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return (squares / Double(values.count)).squareRoot()
    }

    private func colorfulness(_ card: TestCard) -> Double {
        stride(from: 0, to: card.bytes.count, by: 4).reduce(0) { sum, index in
            let pixel = card.bytes[index..<index + 3]
            return sum + Double(pixel.max() ?? 0) - Double(pixel.min() ?? 0)
        }
    }
}
