import BinaryCoding
import Foundation
import LibraryService
import PhotoModel
import RemoteLibrary
import Testing

/// The binary form of single values and of containers.
@Suite(.timeLimit(.minutes(2))) struct BinaryCoderTests {
    private let coder = BinaryCoder()

    private func roundTrip<Value: Codable>(_ value: Value) throws -> Value {
        try coder.decode(Value.self, from: try coder.encode(value))
    }

    private func expectEqual<Value: Codable & Equatable>(_ values: Value...) throws {
        for value in values { #expect(try roundTrip(value) == value) }
    }

    // MARK: - Single values

    @Test func integersOfAllSizesArePreserved() throws {
        try expectEqual(0, 1, 127, 128, -1, -128, -129, 32_767, 32_768, -32_769, Int.max, .min)
        try expectEqual(UInt64(0), 127, .max, UInt64(Int64.max), UInt64(Int64.max) + 1)
        try expectEqual(Int8.min, .max)
        try expectEqual(Int16.min, .max)
        try expectEqual(Int32.min, .max)
        try expectEqual(UInt8.max)
        try expectEqual(UInt16.max)
        try expectEqual(UInt32.max)
        try expectEqual(UInt.max)
    }

    @Test func otherValuesArePreserved() throws {
        try expectEqual(true, false)
        try expectEqual(0.0, -0.0, 1.5, .infinity, -.infinity, .leastNonzeroMagnitude)
        try expectEqual(Float(1.5), .infinity)
        try expectEqual(
            "",
            "a",
            "ü👩‍👩‍👧\u{0}",
            String(repeating: "x", count: 64),
            String(repeating: "é", count: 70_000)
        )
        try expectEqual(Data(), Data([1, 2]), Data(repeating: 7, count: 100_000))
        try expectEqual([UInt8](), [0, 255], [UInt8](repeating: 7, count: 100_000))
        try expectEqual(Date(timeIntervalSinceReferenceDate: 790_000_000.123456), .distantPast)
        try expectEqual([String](), ["", "a"])
        try expectEqual([Int?.none, 1, nil])
        try expectEqual(["a": 1, "": 2], [:])
        try expectEqual([1: ["a"], 2: []], [:])
        try expectEqual(Set(["a", "b"]))
        try expectEqual([[Double]](), [[], [1, 2]])
        try expectEqual(String?.none, "a")
    }

    @Test func notANumberIsPreserved() throws {
        #expect(try roundTrip(Double.nan).isNaN)
        #expect(
            try roundTrip(Date(timeIntervalSinceReferenceDate: .nan)).timeIntervalSinceReferenceDate
                .isNaN
        )
        let json = JSONCoder()
        #expect(try json.decode(Double.self, from: try json.encode(Double.nan)).isNaN)
        #expect(try json.decode(Double.self, from: try json.encode(-Double.infinity)) == -.infinity)
    }

    @Test(arguments: [0, 1, 8_191, 8_192, 100_000]) func rowIDsArePreserved(_ count: Int) throws {
        let ids = RowIDBuffer((0..<count).map { Int64($0) &* 7_919 &- 5 })
        // Two long runs, with short values before, between and after them.
        let value = [ids, RowIDBuffer([.min, .max]), ids, RowIDBuffer()]
        let bytes = try coder.encode(value)
        #expect(try coder.decode([RowIDBuffer].self, from: bytes) == value)
        #expect(bytes.count < count * 16 + 100)
    }

    // MARK: - Keys

    private struct Old: Codable, Equatable {
        var first: Int
        var last: String?
    }

    private struct New: Codable, Equatable {
        var added: [String: [Double]]
        var last: String?
        var first: Int
        var alsoAdded: Int?
    }

    @Test func unknownKeysAreSkippedAndMissingOptionalsAreNil() throws {
        let new = New(added: ["a": [1, 2]], last: "x", first: 3, alsoAdded: 4)
        #expect(try coder.decode(Old.self, from: try coder.encode(new)) == Old(first: 3, last: "x"))
        struct First: Codable { var first: Int }
        let bytes = try coder.encode(First(first: 3))
        #expect(try coder.decode(Old.self, from: bytes) == Old(first: 3))
    }

    @Test func namesAreStoredOnce() throws {
        let values = (0..<100).map { Old(first: $0, last: nil) }
        let bytes = try coder.encode(values)
        #expect(bytes.count < 100 * 12)
        #expect(try coder.decode([Old].self, from: bytes) == values)
    }

    @Test func namesBeyondTheShortIndexesArePreserved() throws {
        // Each instance of the generic type has keys of its own, with the same names.
        let bytes = BinaryMessage.message(
            BinaryMessage.map([BinaryMessage.wideKey] + BinaryMessage.little(UInt16(299)) + [7]),
            names: (0..<299).map { "name\($0)" } + ["first"]
        )
        #expect(try coder.decode(Old.self, from: bytes) == Old(first: 7))
    }

    @Test func repeatedAndAliasedKeysDecode() throws {
        let repeated = BinaryMessage.message(
            BinaryMessage.map([0, 1], [0, 2], [0, 3]),
            names: ["first"]
        )
        #expect(try coder.decode(Old.self, from: repeated).first == 1)
        // A name counts by its first index.
        let aliased = BinaryMessage.message(
            BinaryMessage.map([1, 1], [0, 2]),
            names: ["first", "first"]
        )
        #expect(try coder.decode(Old.self, from: aliased).first == 2)
        let same = BinaryMessage.text("k")
        let dictionary = BinaryMessage.message(
            BinaryMessage.map(
                [BinaryMessage.inlineKey] + same + [1],
                [BinaryMessage.inlineKey] + same + [2]
            )
        )
        #expect(try coder.decode([String: Int].self, from: dictionary).count == 1)
    }

    // MARK: - Containers

    private class Base: Codable {
        var base = 1
    }

    private final class Derived: Base {
        var derived = 2

        override init() { super.init() }

        private enum CodingKeys: CodingKey { case derived }

        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            try super.init(from: container.superDecoder())
            derived = try container.decode(Int.self, forKey: .derived)
        }

        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(derived, forKey: .derived)
            try super.encode(to: container.superEncoder())
        }
    }

    @Test func superclassesArePreserved() throws {
        let value = Derived()
        value.base = 5
        value.derived = 6
        let decoded = try roundTrip(value)
        #expect(decoded.base == 5 && decoded.derived == 6)
    }

    private struct Manual: Codable, Equatable {
        var pairs: [Int]

        private enum Keys: CodingKey { case list, map }

        init(pairs: [Int]) { self.pairs = pairs }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            var list = try container.nestedUnkeyedContainer(forKey: .list)
            let map = try container.nestedContainer(keyedBy: PathKey.self, forKey: .map)
            pairs = []
            // Two containers of one level, in turns.
            while !list.isAtEnd {
                let index = try list.decode(Int.self)
                pairs.append(try map.decode(Int.self, forKey: PathKey(index: index)))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            var list = container.nestedUnkeyedContainer(forKey: .list)
            for index in pairs.indices { try list.encode(index) }
            var map = container.nestedContainer(keyedBy: PathKey.self, forKey: .map)
            for index in pairs.indices {
                try map.encode(pairs[index], forKey: PathKey(index: index))
            }
        }
    }

    /// A key with any name.
    private struct PathKey: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(index: Int) { stringValue = "\(index)" }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    @Test func containersOfOneLevelDecodeInTurns() throws {
        try expectEqual(Manual(pairs: [3, 1, 4, 1, 5]), Manual(pairs: []))
    }

    private struct Interleaved: Encodable {
        func encode(to encoder: any Encoder) throws {
            var list = encoder.unkeyedContainer()
            var first = list.nestedUnkeyedContainer()
            try first.encode(1)
            try list.encode(2)
            try first.encode(3)
        }
    }

    private struct Twice: Encodable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(1)
            try container.encode(2)
        }
    }

    private struct Ignoring: Encodable {
        private enum CodingKeys: CodingKey { case first, second }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try? container.encode(Interleaved(), forKey: .first)
            try container.encode(1, forKey: .second)
        }
    }

    private struct Nothing: Codable, Equatable {
        init() {}
        init(from decoder: any Decoder) throws {}
        func encode(to encoder: any Encoder) throws {}
    }

    @Test func misuseIsAnError() throws {
        #expect(throws: EncodingError.self) { try coder.encode(Interleaved()) }
        #expect(throws: EncodingError.self) { try coder.encode(Twice()) }
        #expect(throws: EncodingError.self) { try coder.encode(Ignoring()) }
        try expectEqual([Nothing(), Nothing()])
    }
}
