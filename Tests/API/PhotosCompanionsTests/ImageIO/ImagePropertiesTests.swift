import Foundation
import PhotoModel
import Testing
import WorkerProtocol

@testable import PhotosCompanions

/// The properties that are computed from what the worker reads in a file.
@Suite(.timeLimit(.minutes(1))) struct ImagePropertiesTests {
    /// Returns the properties of a JPEG with a resolution of 100 × 50 in a unit of TIFF.
    private static func properties(unit: Double?) -> [String: Any] {
        var facts = MediaFacts(format: .jpeg, contentType: "public.jpeg")
        var values: [(number: Int, value: Double)] = [(0x011a, 100), (0x011b, 50)]
        if let unit { values.append((0x0128, unit)) }
        facts.tags = values.map {
            WrittenTag(directory: .image, number: $0.number, value: .numbers([$0.value]))
        }
        return ImageProperties(facts).dictionary
    }

    @Test(
        "The resolution is of an inch, which is TIFF's default unit",
        arguments: [(nil, 1), (2, 1), (3, 2.54)] as [(Double?, Double)]
    )
    func resolutionsAreOfAnInch(_ unit: Double?, _ factor: Double) {
        let properties = Self.properties(unit: unit)
        #expect(properties["DPIWidth"] as? Double == 100 * factor)
        #expect(properties["DPIHeight"] as? Double == 50 * factor)
    }

    @Test("A resolution without a unit of length is only among the tags", arguments: [0.0, 1, 4])
    func resolutionsWithoutAUnit(_ unit: Double) {
        let properties = Self.properties(unit: unit)
        #expect(properties["DPIWidth"] == nil && properties["DPIHeight"] == nil)
        let tags = properties["{TIFF}"] as? [String: Any]
        #expect(tags?["XResolution"] as? Double == 100)
        #expect(tags?["ResolutionUnit"] as? Int == Int(unit))
    }

    @Test("Animations have the dictionaries of their formats, and GIF's if there is none")
    func animationsHaveTheirDictionaries() {
        let animations: [(format: MediaFormat, key: String)] = [
            (.gif, kCGImagePropertyGIFDictionary as String),
            (.png, kCGImagePropertyPNGDictionary as String),
            (.webp, kCGImagePropertyWebPDictionary as String),
            (.heic, kCGImagePropertyHEICSDictionary as String),
            (.heif, kCGImagePropertyHEICSDictionary as String),
            (.avif, kCGImagePropertyAVISDictionary as String),
            (.jpegXL, kCGImagePropertyGIFDictionary as String),
        ]
        for (format, key) in animations {
            var facts = MediaFacts(format: format, contentType: "public.image")
            facts.isAnimated = true
            facts.frameCount = 7
            let properties = ImageProperties(facts).dictionary
            let frames = properties[key] as? [String: Any]
            #expect(frames?["FrameCount"] as? Int == 7, "\(format)")
            let others = animations.map(\.key).filter { $0 != key }
            #expect(others.allSatisfy { properties[$0] == nil }, "\(format)")
        }
    }
}
