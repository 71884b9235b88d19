import Foundation
import TestSupport
import Testing
import WorkerClient

@testable import PhotosCompanions

/// Values that programs pass as Swift or Foundation types, and merged dictionaries.
@Suite(.timeLimit(.minutes(1))) struct PropertyValueTests {
    private var numbers: [(Any, Double)] {
        [
            (5, 5), (5.5, 5.5), (Float(0.25), 0.25), (CGFloat(2), 2), (UInt32(7), 7),
            (Int8(-3), -3), (UInt64.max, Double(UInt64.max)), (true, 1), (false, 0),
            (NSNumber(value: 9), 9), (NSNumber(value: true), 1), ("12.5", 12.5),
            (NSString("3"), 3),
        ]
    }

    @Test func numbersOfAllTypesAreRead() {
        for (value, expected) in numbers {
            #expect(PropertyValue.number(value) == expected, "\(type(of: value)) \(value)")
        }
        for other: Any? in [nil, "", "x", NSNull(), [1], Data()] {
            #expect(PropertyValue.number(other) == nil, "\(String(describing: other))")
        }
    }

    @Test func integersAreTheNearestThatFit() {
        #expect(PropertyValue.integer(2.6) == 3 && PropertyValue.integer("2.4") == 2)
        for none: Any in [Double.nan, Double.infinity, 1e300, "inf", "nan"] {
            #expect(PropertyValue.integer(none) == nil, "\(none)")
        }
        #expect(PropertyValue.truth(2) && !PropertyValue.truth(0) && !PropertyValue.truth(nil))
    }

    @Test func prioritiesOfContextsAreNumbersOfAnyType() {
        for value: Any in [true, 1, CGFloat(1), NSNumber(value: true)] {
            let context = CIContext(options: [.priorityRequestLow: value])
            #expect(context.drawing.priority == .background, "\(type(of: value))")
        }
        for value: Any in [false, 0, CGFloat(0), "high", Data()] {
            let context = CIContext(options: [.priorityRequestLow: value])
            #expect(context.drawing.priority == .visible, "\(type(of: value))")
        }
    }

    @Test func dictionariesArraysAndTextAreRead() {
        let bridged: NSDictionary = ["a": 1, 5: 2, "b": NSArray(array: [1, "x"])]
        let read = PropertyValue.dictionary(bridged)
        #expect(read?.keys.sorted() == ["a", "b"] && PropertyValue.integer(read?["a"]) == 1)
        #expect(PropertyValue.dictionary([NSString("k"): 3])?["k"] as? Int == 3)
        #expect(PropertyValue.dictionary("text") == nil && PropertyValue.dictionary(nil) == nil)
        #expect(PropertyValue.array(NSArray(array: [1, 2]))?.count == 2)
        #expect(PropertyValue.array([1, 2, 3])?.count == 3 && PropertyValue.array(5) == nil)
        #expect(PropertyValue.text(NSString("word")) == "word" && PropertyValue.text(5) == nil)
        #expect(PropertyValue.isNull(NSNull()) && !PropertyValue.isNull(0))
    }

    @Test func upperValuesReplaceMergeAndRemove() throws {
        let lower: [String: Any] = [
            "{Exif}": ["FNumber": 2.8, "ISO": 100], "Orientation": 6, "Depth": 8,
        ]
        let upper: [String: Any] = [
            "{Exif}": NSDictionary(dictionary: ["ISO": 200, "FNumber": NSNull()]),
            "Orientation": 1, "Depth": NSNull(), "{GPS}": ["Latitude": NSNull(), "Speed": 3],
        ]
        let merged = PropertyMerging.merge(upper, over: lower)
        #expect(merged.keys.sorted() == ["Orientation", "{Exif}", "{GPS}"])
        #expect(PropertyValue.integer(merged["Orientation"]) == 1)
        let exif = try #require(merged["{Exif}"] as? [String: Any])
        #expect(exif.keys.sorted() == ["ISO"] && PropertyValue.integer(exif["ISO"]) == 200)
        #expect((merged["{GPS}"] as? [String: Any])?.keys.sorted() == ["Speed"])
        // A dictionary replaces a value that is none.
        let replaced = PropertyMerging.merge(["a": ["b": 1]], over: ["a": 5])
        #expect((replaced["a"] as? [String: Any])?["b"] as? Int == 1)
    }
}
