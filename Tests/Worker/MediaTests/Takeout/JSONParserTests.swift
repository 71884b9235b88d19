import Foundation
import Media
import TestSupport
import Testing

/// Documents of JSON, compared with Foundation's parser.
@Suite(.timeLimit(.minutes(1))) struct JSONParserTests {
    private static func parse(
        _ text: String,
        length: Int = JSONParser.maximumLength,
        values: Int = JSONParser.maximumValues
    ) -> JSONValue? {
        Array(text.utf8).withUnsafeBytes {
            JSONParser.parse(ByteView($0), length: length, values: values)
        }
    }

    /// Returns a value as Foundation represents it.
    private static func plain(_ value: JSONValue) -> NSObject {
        switch value {
        case .null: NSNull()
        case .bool(let flag): NSNumber(value: flag)
        case .number(let text): NSNumber(value: Double(text) ?? .nan)
        case .string(let text): NSString(string: text)
        case .array(let elements): NSArray(array: elements.map(plain))
        case .object(let members): NSDictionary(dictionary: members.mapValues(plain))
        }
    }

    private static func random(_ depth: Int, using generator: inout some RandomNumberGenerator)
        -> Any
    {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &generator) {
        case 0: return NSNull()
        case 1: return Bool.random(using: &generator)
        case 2: return Int.random(in: -1_000_000...1_000_000, using: &generator)
        case 3:
            // Exact in binary, since parsers may round others differently.
            return Double(Int.random(in: -5_000...5_000, using: &generator)) / 1_024
        case 4:
            let scalars = (0..<Int.random(in: 0..<8, using: &generator)).compactMap { _ in
                Unicode.Scalar(UInt32.random(in: 1..<0x1_2000, using: &generator))
            }
            return String(String.UnicodeScalarView(scalars))
        case 5, 6:
            return (0..<Int.random(in: 0..<5, using: &generator)).map { _ in
                random(depth - 1, using: &generator)
            }
        default:
            var members: [String: Any] = [:]
            for key in 0..<Int.random(in: 0..<5, using: &generator) {
                members["key \(key) \"ü\"\\"] = random(depth - 1, using: &generator)
            }
            return members
        }
    }

    @Test(arguments: [false, true]) func valuesAreThoseOfAnotherParser(isPretty: Bool) throws {
        let seed = TestSeed()
        var generator = seed.generator
        for _ in 0..<300 {
            let value = ["value": Self.random(4, using: &generator)]
            let data = try JSONSerialization.data(
                withJSONObject: value,
                options: isPretty ? .prettyPrinted : []
            )
            let text = try #require(String(data: data, encoding: .utf8))
            let read = try #require(Self.parse(text), "\(seed) \(text)")
            let other = try JSONSerialization.jsonObject(with: data) as? NSDictionary
            #expect(Self.plain(read) == other, "\(seed) \(text)")
        }
    }

    @Test func escapesStandForTheirCharacters() {
        let text = #""\"\\\/\b\f\n\r\t\u00e4\ud83d\udc36""#
        #expect(Self.parse(text) == .string("\"\\/\u{8}\u{c}\n\r\tä🐶"))
        // Half of a pair is replaced, as RFC 8259 permits.
        #expect(Self.parse(#""\ud83d""#) == .string("\u{fffd}"))
        #expect(Self.parse(#""\ud83dx""#) == .string("\u{fffd}x"))
        #expect(Self.parse(#""\ud83d\u0041""#) == .string("\u{fffd}A"))
        #expect(Self.parse(#""\udc36""#) == .string("\u{fffd}"))
    }

    @Test(arguments: [
        "", " ", "{", "}", "[", "[1", "[1,", "[1,]", "[,1]", "{\"a\"", "{\"a\":", "{\"a\":1",
        "{\"a\":1,", "{\"a\":1,}", "{a:1}", "{1:1}", "{\"a\" 1}", "\"", "\"\\", "\"\\x\"",
        "\"\\u12\"", "\"\\u12g4\"", "\"\u{1}\"", "tru", "true1", "nul", "+", "-", "1e", "1 2",
        "[] x",
        "\"a\" \"b\"", "\u{FEFF}",
    ])
    func damagedDocumentsAreNone(_ text: String) { #expect(Self.parse(text) == nil) }

    @Test func blanksAndAByteOrderMarkAreSkipped() {
        let expected = JSONValue.object(["a": .array([.null, .bool(false)])])
        #expect(Self.parse("\u{FEFF}\r\n\t {\"a\" :\t[ null , false ] } \n") == expected)
    }

    @Test func theLastMemberOfANameCounts() {
        #expect(Self.parse(#"{"a":1,"a":2}"#) == .object(["a": .number("2")]))
    }

    @Test func limitsHold() {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(Self.parse(nested(64)) != nil)
        #expect(Self.parse(nested(65)) == nil)
        #expect(Self.parse("[1,2,3]", values: 4) != nil)
        #expect(Self.parse("[1,2,3]", values: 3) == nil)
        #expect(Self.parse("[1,2]", length: 5) != nil)
        #expect(Self.parse("[1,2]", length: 4) == nil)
        #expect(Self.parse(String(repeating: "1", count: 64)) != nil)
        #expect(Self.parse(String(repeating: "1", count: 65)) == nil)
    }

    /// Google writes numbers as strings, too.
    @Test func numbersMayBeStrings() throws {
        let value = try #require(
            Self.parse(#"{"a":"1.5","b":2.5,"c":"x","d":1e999,"e":"-7","f":true,"g":9e15}"#)
        )
        #expect(value["a"]?.number == 1.5 && value["b"]?.number == 2.5)
        #expect(value["c"]?.number == nil && value["d"]?.number == nil)
        #expect(value["e"]?.integer == -7 && value["e"]?.number == -7)
        #expect(value["f"]?.number == nil && value["f"]?.integer == nil)
        #expect(value["g"]?.integer == 9_000_000_000_000_000)
        #expect(value["a"]?.integer == nil)
        #expect(value["f"]?.isTrue == true && value["a"]?.isTrue == false)
        #expect(value["a"]?.text == "1.5" && value["b"]?.text == nil)
        #expect(value["none"] == nil && value["a"]?["b"] == nil)
    }
}
