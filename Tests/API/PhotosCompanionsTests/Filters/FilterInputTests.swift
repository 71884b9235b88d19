import Foundation
import PhotosCompanions
import Testing

/// Every filter, by its own description, and inputs that none can have.
@Suite(.timeLimit(.minutes(1))) struct FilterInputTests {
    static let names = CIFilter.filterNames(inCategory: nil)
    private let image = CIImage(color: .red).cropped(
        to: CGRect(x: 0, y: 0, width: 40, height: 30)
    )

    /// Returns a filter with an image in each input that takes one.
    private func filter(_ name: String) throws -> CIFilter {
        let filter = try #require(CIFilter(name: name))
        for key in filter.inputKeys {
            let attributes = filter.attributes[key] as? [String: Any]
            if attributes?[kCIAttributeClass] as? String == "CIImage" {
                filter.setValue(image, forKey: key)
            }
        }
        return filter
    }

    @Test(arguments: names)
    func defaultsMakeAnImage(_ name: String) throws {
        let filter = try filter(name)
        #expect(filter.name == name && filter.outputKeys == ["outputImage"])
        let output = try #require(filter.outputImage)
        #expect(!output.extent.isNull)
        #expect(CIFilter.localizedName(forFilterName: name)?.isEmpty == false)
    }

    @Test(arguments: names)
    func numbersHaveTheirLimits(_ name: String) throws {
        let filter = try filter(name)
        for key in filter.inputKeys {
            let attributes = try #require(filter.attributes[key] as? [String: Any])
            guard attributes[kCIAttributeClass] as? String == "NSNumber" else { continue }
            let number = { (key: String) in (attributes[key] as? NSNumber)?.doubleValue }
            let value = try #require(number(kCIAttributeDefault))
            let slider =
                try #require(
                    number(kCIAttributeSliderMin)
                )...(try #require(number(kCIAttributeSliderMax)))
            #expect(slider.contains(value), "\(name) \(key)")
            for end in [slider.lowerBound, slider.upperBound] {
                filter.setValue(end, forKey: key)
                #expect(filter.value(forKey: key) as? NSNumber == NSNumber(value: end))
                #expect(filter.outputImage != nil, "\(name) \(key) \(end)")
            }
            filter.setValue(nil, forKey: key)
            #expect(filter.value(forKey: key) as? NSNumber == NSNumber(value: value))
        }
    }

    @Test(
        "A mistake is not forgotten until the defaults are set",
        arguments: [
            ("inputIntensity", "much"), ("inputIntensity", Double.nan),
            ("inputIntensity", Double.infinity), ("inputIntensity", Data()), ("inputX", 1),
            ("inputImage", 5),
        ] as [(String, any Sendable)]
    )
    func mistakesLeaveNoImage(_ row: (String, any Sendable)) throws {
        let filter = try filter("CISepiaTone")
        filter.setValue(row.1, forKey: row.0)
        #expect(filter.outputImage == nil)
        filter.setValue(0.5, forKey: "inputIntensity")
        #expect(filter.outputImage == nil)
        filter.setDefaults()
        #expect(filter.outputImage != nil)
    }

    @Test func withoutAnImageThereIsNone() {
        let filter = CIFilter(name: "CISepiaTone")
        #expect(filter?.outputImage == nil)
        filter?.setValue(image, forKey: kCIInputImageKey)
        #expect(filter?.outputImage != nil)
        filter?.setValue(nil, forKey: kCIInputImageKey)
        #expect(filter?.outputImage == nil)
        #expect(CIFilter(name: "CINothing") == nil)
        #expect(image.applyingFilter("CINothing").applyingFilter("CISepiaTone").extent.isNull)
    }

    @Test func categoriesAreSubsets() {
        for category in Set(
            Self.names.flatMap { name in
                CIFilter(name: name)?.attributes[kCIAttributeFilterCategories] as? [String] ?? []
            }
        ) {
            let some = CIFilter.filterNames(inCategory: category)
            #expect(!some.isEmpty && Set(some).isSubset(of: Self.names))
            #expect(some == some.sorted())
        }
        #expect(CIFilter.filterNames(inCategory: "nothing").isEmpty)
        #expect(Self.names.count > 20)
    }
}
