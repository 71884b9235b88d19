import Foundation
import GRDB
import SamplePhotos
import TestSupport
import Testing

@testable import PhotoLibrary

/// The parser of journal objects returns the values of a general decoder, but faster.
@Suite(.timeLimit(.minutes(1))) struct JournalObjectParserTests {
    @Test("Objects that the journal writes are what a general decoder makes of them")
    func agreesWithADecoder() throws {
        let seed = TestSeed()
        var generator = seed.generator
        var parsed = 0
        for _ in 0..<2_000 {
            let values = (0..<Int.random(in: 1...5, using: &generator)).map { index in
                (name: "column\(index)", value: Self.value(&generator))
            }
            let text = try #require(JournalValue.encode(values))
            let expected = try JSONDecoder().decode(
                [String: JournalValue.Scalar].self,
                from: Data(text.utf8)
            )
            if let found = JournalObjectParser.parse(text) {
                #expect(found == expected, "\(text) \(seed)")
                parsed += 1
            }
            #expect(Self.visited(text) == JournalObjectParser.parse(text), "\(text) \(seed)")
            #expect(try JournalValue.decode(text) == expected, "\(text) \(seed)")
        }
        // Escapes and exponents are rare.
        #expect(parsed > 700, seed.comment)
    }

    @Test(
        "What is no such object is left to a general decoder",
        arguments: [
            "", "{", "{}", "[]", "{\"a\":1", "{\"a\":1}x", "{\"a\":1,}", "{\"a\":01}",
            "{\"a\":-}", "{\"a\":1.}", "{\"a\":.5}", "{\"a\":-.5}", "{\"a\":1e3}",
            "{\"a\":1,\"a\":2}", "{\"a\":\"\\n\"}", "{\"a\":tru}", "{\"a\":nul}", "{\"a\": 1}",
            "{\"a\":99999999999999999999}", "{\"a\":\"\n\"}",
        ]
    )
    func leavesTheRest(text: String) {
        #expect(JournalObjectParser.parse(text) == nil)
    }

    /// Returns the columns with which the parser calls a closure; nil if it does not parse all.
    private static func visited(_ text: String) -> [String: JournalValue.Scalar]? {
        var values: [String: JournalValue.Scalar] = [:]
        let isParsed = JournalObjectParser.forEachColumn(of: Array(text.utf8)) { name, value in
            values[String(decoding: name, as: UTF8.self)] = value
            return true
        }
        return isParsed ? values : nil
    }

    @Test func columnsAreVisitedUntilTheClosureStops() {
        var names: [String] = []
        let isParsed = JournalObjectParser.forEachColumn(
            of: Array(#"{"a":1,"bc":"x","a":null,"d":2}"#.utf8)
        ) { name, _ in
            names.append(String(decoding: name, as: UTF8.self))
            return names.count < 3
        }
        #expect(!isParsed)
        #expect(names == ["a", "bc", "a"])
    }

    private static func value(_ generator: inout SeededGenerator) -> DatabaseValue {
        switch Int.random(in: 0..<9, using: &generator) {
        case 0: .null
        case 1: Int64.random(in: .min ... .max, using: &generator).databaseValue
        case 2: Int64.random(in: -3...3, using: &generator).databaseValue
        case 3: Double.random(in: -1_000_000_000...1_000_000_000, using: &generator).databaseValue
        case 4: Double.random(in: -1...1, using: &generator).databaseValue
        case 5: Double(Int.random(in: -9...9, using: &generator)).databaseValue
        case 6: Data([1, 2, UInt8.random(in: 0...255, using: &generator)]).databaseValue
        case 7:
            [
                "", "x:1", "Grüße, 😀", "{\"a\":[1]}", "two\nlines", "null",
                "\u{2028}é\u{2029}\u{201}", "\\\"\u{1}",
            ]
            .randomElement(using: &generator)?.databaseValue ?? .null
        default: "IMG_\(Int.random(in: 0...9_999, using: &generator)).JPG".databaseValue
        }
    }
}
