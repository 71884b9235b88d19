import Foundation
import PhotosCompanions
import TestSupport
import Testing

/// Filters by name and by type: their attributes, and the handling of mistakes.
@Suite("Filters by name", .timeLimit(.minutes(2)))
struct FilterInterfaceTests {
    @Test("An unknown name is nil, or no picture")
    func unknownName() {
        #expect(CIFilter(name: "CINoSuchFilter") == nil)
        let image = TestCard.standard.image.applyingFilter("CINoSuchFilter")
        #expect(image.extent.isNull)
        #expect(CIContext().createCGImage(image, from: image.extent) == nil)
        // Everything derived from it later is empty as well.
        let later = image.cropped(to: CGRect(x: 0, y: 0, width: 1, height: 1))
        #expect(throws: CIRenderingError.self) {
            try CIContext().writeJPEGRepresentation(
                of: later,
                to: URL(fileURLWithPath: "/nonexistent/a.jpg"),
                colorSpace: #require(CGColorSpace(name: CGColorSpace.sRGB))
            )
        }
    }

    @Test("A failed image is not left out, wherever it lies, and its reason is kept")
    func failuresOfParts() throws {
        let image = TestCard.standard.image
        let failed = image.applyingFilter("CINoSuchFilter")
        let space = try #require(CGColorSpace(name: CGColorSpace.sRGB))
        let made = [
            image.composited(over: failed), failed.composited(over: image),
            image.applyingFilter(
                "CISourceOverCompositing",
                parameters: [kCIInputBackgroundImageKey: failed]
            ),
            image.composited(over: failed.composited(over: image)),
            CIImage.empty().composited(over: failed), failed.composited(over: .empty()),
            failed.transformed(by: CGAffineTransform(scaleX: 0, y: 1)),
        ]
        for (index, each) in made.enumerated() {
            let error = #expect(throws: CIRenderingError.self, "\(index)") {
                try CIContext().writeJPEGRepresentation(
                    of: each,
                    to: URL(fileURLWithPath: "/nonexistent/a.jpg"),
                    colorSpace: space
                )
            }
            #expect(error?.code == .invalidRequest, "\(index)")
            #expect(error?.localizedDescription.contains("CINoSuchFilter") == true, "\(index)")
        }
    }

    @Test("An unknown key, or a value of another kind, gives no picture until defaults are set")
    func mistakes() throws {
        let filter = try #require(CIFilter(name: "CISepiaTone"))
        filter.setValue(TestCard.standard.image, forKey: kCIInputImageKey)
        #expect(filter.outputImage != nil)
        filter.setValue(1, forKey: "inputIntensty")
        #expect(filter.outputImage == nil)
        filter.setDefaults()
        #expect(filter.outputImage != nil)
        filter.setValue("strong", forKey: kCIInputIntensityKey)
        #expect(filter.outputImage == nil)
        #expect(filter.value(forKey: "nothing") == nil)
    }

    @Test("Every filter tells its inputs, with defaults that change little or nothing")
    func attributes() throws {
        let names = CIFilter.filterNames(inCategory: nil)
        #expect(names.count >= 28 && names == names.sorted())
        #expect(CIFilter.filterNames(inCategory: kCICategoryBuiltIn) == names)
        #expect(CIFilter.filterNames(inCategory: kCICategoryBlur) == ["CIGaussianBlur"])
        #expect(CIFilter.filterNames(inCategory: "CICategoryNone").isEmpty)
        for name in names {
            let filter = try #require(CIFilter(name: name))
            #expect(filter.name == name && filter.outputKeys == ["outputImage"])
            #expect(filter.attributes[kCIAttributeFilterName] as? String == name)
            for key in filter.inputKeys {
                let input = try #require(filter.attributes[key] as? [String: Any])
                #expect(input[kCIAttributeClass] is String)
                guard let number = input[kCIAttributeDefault] as? NSNumber else { continue }
                let (least, most) = (
                    try #require(input[kCIAttributeSliderMin] as? NSNumber),
                    try #require(input[kCIAttributeSliderMax] as? NSNumber)
                )
                #expect((least.doubleValue...most.doubleValue).contains(number.doubleValue))
                #expect((filter.value(forKey: key) as? NSNumber) == number, "\(name).\(key)")
            }
        }
    }

    @Test("Properties set what keys set")
    func builders() throws {
        let typed = CIFilter.colorControls()
        typed.inputImage = TestCard.standard.image
        typed.saturation = 0
        typed.contrast = 1.25
        let named = try #require(
            CIFilter(
                name: "CIColorControls",
                parameters: [
                    kCIInputImageKey: TestCard.standard.image, kCIInputSaturationKey: 0.0,
                    kCIInputContrastKey: 1.25,
                ]
            )
        )
        let first = try #require(typed.outputImage)
        let second = try #require(named.outputImage)
        #expect(try TestCard.drawn(first).bytes == TestCard.drawn(second).bytes)
        #expect(CIFilter.photoEffectNoir().outputImage == nil)
        let curve = CIFilter.toneCurve()
        curve.point2 = CGPoint(x: 0.5, y: 0.75)
        #expect(curve.point2 == CGPoint(x: 0.5, y: 0.75) && curve.point4 == CGPoint(x: 1, y: 1))
        let monochrome = CIFilter.colorMonochrome()
        #expect(monochrome.intensity == 1 && monochrome.color.red == 0.6)
    }

    @Test("Numbers of any type are taken")
    func numbers() throws {
        let filter = try #require(CIFilter(name: "CIExposureAdjust"))
        for value: Any in [1, 1.0, Float(1), CGFloat(1), NSNumber(value: 1), UInt8(1)] {
            filter.setValue(value, forKey: kCIInputEVKey)
            #expect((filter.value(forKey: kCIInputEVKey) as? NSNumber)?.doubleValue == 1)
        }
    }

    @Test("A subclass makes its own picture")
    func subclass() {
        final class Twice: CIFilter {
            var input: CIImage?
            override var outputImage: CIImage? {
                input?.transformed(by: CGAffineTransform(scaleX: 2, y: 2))
            }
        }
        let filter = Twice()
        filter.input = TestCard.standard.image
        #expect(filter.outputImage?.extent.width == 48)
    }

    @Test("Automatic adjustment lightens a dark, dull picture and applies in its order")
    func autoAdjustment() throws {
        let dark = TestCard.standard.mapped(isLight: false) { pixel in
            let gray = (pixel.red + pixel.green + pixel.blue) / 3
            return (
                0.05 + 0.2 * gray + 0.15 * pixel.red, 0.05 + 0.2 * gray + 0.15 * pixel.green,
                0.05 + 0.2 * gray + 0.15 * pixel.blue
            )
        }
        let filters = dark.image.autoAdjustmentFilters()
        #expect(filters.contains { $0.name == "CIToneCurve" })
        var image = dark.image
        for filter in filters {
            filter.setValue(image, forKey: kCIInputImageKey)
            image = try #require(filter.outputImage)
        }
        func mean(_ card: TestCard) -> Int {
            card.bytes.reduce(0) { $0 + Int($1) } / card.bytes.count
        }
        #expect(mean(try TestCard.drawn(image)) > mean(dark) + 15)
        for no: Any in [false, 0, CGFloat(0)] {
            #expect(dark.image.autoAdjustmentFilters(options: [.enhance: no]).isEmpty)
        }
        #expect(!dark.image.autoAdjustmentFilters(options: [.enhance: 1]).isEmpty)
    }
}
