import Foundation
import Media
import TestSupport
import Testing

/// Property lists that Foundation wrote.
@Suite(.timeLimit(.minutes(1))) struct AdjustmentEnvelopeTests {
    private typealias Format = PropertyListSerialization.PropertyListFormat

    private static func list(_ value: [String: Any], _ format: Format) throws -> [UInt8] {
        try Array(
            PropertyListSerialization.data(fromPropertyList: value, format: format, options: 0)
        )
    }

    private static func envelope(_ bytes: [UInt8]) -> AdjustmentEnvelope? {
        bytes.withUnsafeBytes { AdjustmentEnvelope(ByteView($0)) }
    }

    private static func text(_ generator: inout some RandomNumberGenerator) -> String {
        let scalars = (0..<Int.random(in: 1..<40, using: &generator)).compactMap { _ in
            Unicode.Scalar(UInt32.random(in: 0x20..<0x1_1000, using: &generator))
        }
        return "a" + String(String.UnicodeScalarView(scalars.filter { $0.value < 0xFFF0 }))
    }

    @Test(arguments: [Format.binary, .xml].map(\.rawValue)) func membersComeBack(_ raw: UInt) throws
    {
        let format = try #require(Format(rawValue: raw))
        let seed = TestSeed()
        var generator = seed.generator
        for count in 0..<100 {
            let identifier = Self.text(&generator)
            let version = Self.text(&generator)
            let data = Data(
                (0..<count * 7).map { _ in .random(in: .min ... .max, using: &generator) }
            )
            let other: [String: Any] = [
                "adjustmentFormatIdentifier": identifier, "adjustmentFormatVersion": version,
                "adjustmentData": data, "editor": "com.example <&>", "count": count, "flag": true,
                "date": Date(timeIntervalSinceReferenceDate: 5), "real": 0.5, "empty": "",
                "list": ["a", ["b": [1, 2]], []] as [Any], "map": [:] as [String: Any],
            ]
            let read = try #require(
                Self.envelope(try Self.list(other, format)),
                "\(seed) \(identifier) \(version)"
            )
            #expect(read.formatIdentifier == identifier, seed.comment)
            #expect(read.formatVersion == version, seed.comment)
            #expect(Data(read.data) == data, seed.comment)
        }
    }

    private static var complete: [String: Any] {
        [
            "adjustmentFormatIdentifier": "com.apple.photo", "adjustmentFormatVersion": "1.4",
            "adjustmentData": Data([1, 2, 3]),
        ]
    }

    /// Each of the three members is required, and has one type.
    @Test func incompleteEnvelopesAreNone() throws {
        for format in [Format.binary, .xml] {
            #expect(Self.envelope(try Self.list(Self.complete, format)) != nil)
            for key in Self.complete.keys {
                for value in [nil, 5, true, ["a"]] as [Any?] {
                    var list = Self.complete
                    list[key] = value
                    #expect(Self.envelope(try Self.list(list, format)) == nil, "\(key)")
                }
            }
            var list = Self.complete
            list["adjustmentFormatIdentifier"] = ""
            #expect(Self.envelope(try Self.list(list, format)) == nil)
            list["adjustmentFormatIdentifier"] = String(repeating: "x", count: 4097)
            #expect(Self.envelope(try Self.list(list, format)) == nil)
        }
    }

    /// A part of an envelope, or one with another byte, is none or another one; it never traps.
    @Test func damagedEnvelopesAreHarmless() throws {
        for format in [Format.binary, .xml] {
            let whole = try Self.list(Self.complete, format)
            // Of the XML, only blanks and closing tags may be missing.
            for length in 0..<whole.count - 60 {
                #expect(Self.envelope(Array(whole[..<length])) == nil)
            }
            var readable = 0
            for place in whole.indices {
                for change in [UInt8(0xff), 1, 0x80] {
                    var bytes = whole
                    bytes[place] ^= change
                    if Self.envelope(bytes) != nil { readable += 1 }
                }
            }
            #expect(readable < whole.count * 3)
        }
    }

    @Test(arguments: [
        ("<string>a&amp;b&lt;&gt;&quot;&apos;</string>", "a&b<>\"'"),
        ("<string>&#65;&#x42;&#x1F600;</string>", "AB😀"),
        ("<!-- <string>no</string> --><string>yes</string>", "yes"),
    ])
    func entitiesAndCommentsAreResolved(_ element: String, _ text: String) {
        #expect(Self.envelope(Self.xml(element))?.formatVersion == text)
    }

    @Test(arguments: [
        "<string>&unknown;</string>", "<string>&#xZZ;</string>", "<string>&amp</string>",
        "<string>a<b/></string>", "<string>open", "</string>", "<array><string>a</string>",
        "<true>", "<other>",
    ])
    func malformedTextEndsTheList(_ element: String) {
        #expect(Self.envelope(Self.xml(element)) == nil)
    }

    /// Returns an envelope whose version is an element.
    private static func xml(_ element: String) -> [UInt8] {
        Array(
            """
            <?xml version="1.0"?><!DOCTYPE plist><plist version="1.0"><dict>
            <key>adjustmentFormatIdentifier</key><string>i</string>
            <key>adjustmentData</key><data>
            AQID
            </data><key>adjustmentFormatVersion</key>\(element)</dict></plist>
            """.utf8
        )
    }

    @Test(arguments: [
        ("AQID", [1, 2, 3]), ("AQI=", [1, 2]), ("AQ==", [1]), ("A Q\n==", [1]),
        ("+/+/", [251, 255, 191]),
    ])
    func dataIsDecoded(_ text: String, _ bytes: [UInt8]) {
        #expect(Self.envelope(Self.dataList(text))?.data == bytes)
    }

    @Test(arguments: ["A", "AQI=D", "AQ!D", "AQID=", "A===", "AQ==="])
    func invalidDataIsNone(_ text: String) { #expect(Self.envelope(Self.dataList(text)) == nil) }

    private static func dataList(_ text: String) -> [UInt8] {
        Array(
            """
            <plist><dict><key>adjustmentData</key><data>\(text)</data>
            <key>adjustmentFormatIdentifier</key><string>i</string>
            <key>adjustmentFormatVersion</key><string/></dict></plist>
            """.utf8
        )
    }

    // MARK: - Other lists

    @Test func theModelOfALibraryIsRead() throws {
        for format in [Format.binary, .xml] {
            for (values, isIPhoto, version) in [
                (["isIPhotoLibrary": true, "DatabaseVersion": 110], true, 110),
                (["isIPhotoLibrary": 1, "DatabaseVersion": 70_000], true, 70_000),
                (["isIPhotoLibrary": false], false, 0),
                (["isIPhotoLibrary": "yes", "DatabaseVersion": "110"], false, 0), ([:], false, 0),
            ] as [([String: Any], Bool, Int)] {
                let bytes = try Self.list(values, format)
                let list = bytes.withUnsafeBytes { LibraryModelList(ByteView($0)) }
                #expect(list.isIPhoto == isIPhoto && list.version == version, "\(values)")
            }
        }
        let damaged = [UInt8]("bplist00".utf8).withUnsafeBytes { LibraryModelList(ByteView($0)) }
        #expect(!damaged.isIPhoto && damaged.version == 0)
    }

    @Test(arguments: [0, 1, 255, 256, 18_500, 70_000, 1 << 31, 1 << 40])
    func theVersionOfAStoreIsRead(_ version: Int) throws {
        let list = try Self.list(["PLModelVersion": version, "a": "b"], .binary)
        #expect(ModelVersionList.version(list) == version)
        #expect(ModelVersionList.version(try Self.list(["Other": version], .binary)) == nil)
        let text = try Self.list(["PLModelVersion": "\(version)"], .binary)
        #expect(ModelVersionList.version(text) == nil)
        #expect(ModelVersionList.version(Array(list.dropLast())) == nil)
    }
}
