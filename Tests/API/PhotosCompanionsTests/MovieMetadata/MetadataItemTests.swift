import Foundation
import TestSupport
import Testing

@testable import PhotosCompanions

/// Identifiers, keys and values of metadata items.
@Suite(.timeLimit(.minutes(1))) struct MetadataItemTests {
    private func item(
        _ key: String,
        in space: AVMetadataKeySpace,
        _ value: AVMetadataItem.Value? = nil
    ) -> AVMutableMetadataItem {
        AVMutableMetadataItem(entry: .init(keySpace: space, key: key, value: value))
    }

    @Test(arguments: [
        (
            AVMetadataKeySpace.quickTimeMetadata, "com.apple.quicktime.title",
            "mdta/com.apple.quicktime.title"
        ),
        (.quickTimeUserData, "©nam", "udta/%A9nam"), (.iTunes, "©ART", "itsk/%A9ART"),
        (.common, "title", "common/title"),
    ])
    func identifiersCombineSpaceAndKey(_ row: (AVMetadataKeySpace, String, String)) {
        #expect(item(row.1, in: row.0).identifier?.rawValue == row.2)
    }

    @Test("A key comes back from its identifier, whatever it contains")
    func keysComeBack() {
        let seed = TestSeed()
        var generator = seed.generator
        let parts = [
            "a", "Z", "©", "é", "Ã", "/", "%", "%A9", "%25", " ", "日", "😀", "\u{301}", "©©", "Â",
            ".", "\u{a9}é", "+", "?", "#",
        ]
        for _ in 0..<500 {
            let key = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
                parts.randomElement(using: &generator) ?? ""
            }.joined()
            let one = item(key, in: .quickTimeMetadata)
            let other = AVMutableMetadataItem()
            other.identifier = one.identifier
            #expect(other.entry.key == key, "\(one.identifier?.rawValue ?? "") \(seed)")
            #expect(other.keySpace == .quickTimeMetadata)
            #expect(other.identifier == one.identifier)
        }
    }

    @Test func anIdentifierWithoutAKeyIsNone() {
        let one = item("title", in: .common)
        one.identifier = AVMetadataIdentifier("common")
        #expect(one.identifier == nil && one.key == nil && one.keySpace == nil)
        one.identifier = AVMetadataIdentifier("common/artist")
        #expect(one.keySpace == .common && one.commonKey?.rawValue == "artist")
        one.identifier = nil
        #expect(one.commonKey == nil)
    }

    @Test(
        arguments: [
            (
                AVMetadataKeySpace.quickTimeMetadata, "com.apple.quicktime.creationdate",
                "creationDate"
            ),
            (.quickTimeUserData, "©mak", "make"), (.quickTimeUserData, "©nam", "title"),
            (.iTunes, "©wrt", "author"), (.iTunes, "©mak", nil),
            (.init("org.example"), "TITLE", "title"), (.quickTimeMetadata, "title", nil),
            (.common, "anything", "anything"),
        ] as [(AVMetadataKeySpace, String, String?)]
    )
    func commonKeysAreTheSameInAllFormats(_ row: (AVMetadataKeySpace, String, String?)) {
        #expect(item(row.1, in: row.0).commonKey?.rawValue == row.2)
    }

    @Test func quickTimeKeysAreThoseOfTheirCommonKeys() {
        for common in ["title", "creationDate", "location", "make", "model", "software"] {
            let key = MetadataNames.quickTimeKey(common)
            #expect(key?.hasPrefix("com.apple.quicktime.") == true)
            #expect(MetadataNames.common(key ?? "", in: .quickTimeMetadata)?.rawValue == common)
        }
        #expect(MetadataNames.quickTimeKey("subject") == nil)
        #expect(MetadataNames.quickTimeKey("unknown") == nil)
    }

    @Test func valuesConvertWhereTheyCan() {
        let text = item("a", in: .common, .text(" 12.5 "))
        #expect(text.stringValue == " 12.5 " && text.numberValue == 12.5)
        #expect(text.dateValue == nil && text.dataValue == Data(" 12.5 ".utf8))
        let word = item("a", in: .common, .text("word"))
        #expect(word.numberValue == nil)
        let number = item("a", in: .common, .number(3))
        #expect(number.stringValue == "3" && number.numberValue == 3 && number.dateValue == nil)
        let date = item("a", in: .common, .date(Date(timeIntervalSince1970: 86_400)))
        #expect(date.stringValue == "1970-01-02T00:00:00Z" && date.numberValue == nil)
        #expect(date.dateValue?.timeIntervalSince1970 == 86_400)
        let data = item("a", in: .common, .data(Data([1, 2])))
        #expect(data.stringValue == nil && data.dataValue == Data([1, 2]))
        let none = item("a", in: .common)
        #expect(none.value == nil && none.stringValue == nil && none.dataValue == nil)
    }

    @Test func settingAValueKeepsItsType() {
        let one = item("a", in: .common)
        one.value = NSNumber(value: 7)
        #expect(one.numberValue == 7)
        one.value = NSString("seven")
        #expect(one.stringValue == "seven" && one.numberValue == nil)
        one.value = NSDate(timeIntervalSince1970: 5)
        #expect(one.dateValue?.timeIntervalSince1970 == 5)
        one.value = NSData(data: Data([9]))
        #expect(one.dataValue == Data([9]))
        one.value = NSArray(array: [1])
        #expect(one.value == nil)
    }

    @Test func copiesAreIndependent() {
        let one = item("title", in: .common, .text("one"))
        let copy = one.copy() as? AVMetadataItem
        let mutable = one.mutableCopy() as? AVMutableMetadataItem
        one.value = NSString("other")
        mutable?.key = NSString("artist")
        #expect(copy?.stringValue == "one" && mutable?.stringValue == "one")
        #expect(one.commonKey?.rawValue == "title" && mutable?.commonKey?.rawValue == "artist")
        #expect(!(copy is AVMutableMetadataItem))
    }

    @Test func filtersFindByIdentifierKeyAndSpace() {
        let items: [AVMetadataItem] = [
            item("com.apple.quicktime.title", in: .quickTimeMetadata),
            item("©nam", in: .iTunes), item("©ART", in: .iTunes), item("x", in: .iTunes),
        ]
        func named(_ identifier: String) -> [AVMetadataItem] {
            AVMetadataItem.metadataItems(
                from: items,
                filteredByIdentifier: AVMetadataIdentifier(identifier)
            )
        }
        #expect(named("common/title") == Array(items[0...1]))
        #expect(named("itsk/%A9nam") == [items[1]])
        #expect(named("common/nothing").isEmpty)
        func found(_ key: String?, _ space: AVMetadataKeySpace?) -> [AVMetadataItem] {
            AVMetadataItem.metadataItems(from: items, withKey: key, keySpace: space)
        }
        #expect(found(nil, .iTunes) == Array(items[1...]))
        #expect(found("©ART", nil) == [items[2]] && found("©ART", .quickTimeMetadata).isEmpty)
        #expect(found("title", .common) == Array(items[0...1]))
        #expect(found(nil, .common) == Array(items[0...2]))
        #expect(found(nil, nil) == items)
    }

    @Test func languagesAreTags() {
        let one = item("a", in: .common)
        one.extendedLanguageTag = "de-CH"
        #expect(one.locale?.language.languageCode == "de" && one.extendedLanguageTag == "de-CH")
        one.extendedLanguageTag = nil
        #expect(one.locale == nil && one.extendedLanguageTag == nil)
    }
}
