import BinaryCoding
import Foundation
import LibraryService
import PhotoModel
import RemoteLibrary
import Synchronization
import Testing

/// Messages that no encoder writes.
@Suite(.timeLimit(.minutes(2))) struct MalformedMessageTests {
    private let coder = BinaryCoder()

    /// Returns the coding path of the error that decoding ends with.
    private func path<Value: Decodable>(
        _ type: Value.Type,
        _ bytes: [UInt8],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String {
        let error = try #require(throws: DecodingError.self, sourceLocation: sourceLocation) {
            try coder.decode(type, from: bytes)
        }
        switch error {
        case .typeMismatch(_, let context), .valueNotFound(_, let context),
            .keyNotFound(_, let context), .dataCorrupted(let context):
            return context.codingPath.map(\.stringValue).joined(separator: ".")
        @unknown default: return "unknown"
        }
    }

    private struct Inner: Codable { var number: Int8 }
    private struct Outer: Codable {
        var list: [Inner]
        var kind: MediaType?
    }

    @Test func errorsNameThePath() throws {
        typealias Message = BinaryMessage
        func outer(_ number: [UInt8], _ kind: [UInt8] = [Message.null]) -> [UInt8] {
            let inner = Message.map([2] + number)
            return Message.message(
                Message.map([0] + Message.list(Message.map([2, 1]), inner), [1] + kind),
                names: ["list", "kind", "number"]
            )
        }
        #expect(throws: Never.self) { try coder.decode(Outer.self, from: outer([5])) }
        let place = "list.1.number"
        #expect(try path(Outer.self, outer(Message.text("x"))) == place)
        #expect(try path(Outer.self, outer([Message.null])) == place)
        #expect(try path(Outer.self, outer([Message.yes])) == place)
        #expect(try path(Outer.self, outer([Message.int64] + Message.little(128))) == place)
        #expect(try path(Outer.self, outer([Message.uint64] + Message.little(UInt64.max))) == place)
        #expect(try path(Outer.self, outer([0xFE])) == place)
        #expect(try path(Outer.self, outer([5], [99])) == "kind")
        #expect(try path(Outer.self, outer([5], Message.map())) == "kind")
        #expect(try path(Outer.self, Message.message(Message.map(), names: [])) == "")
    }

    @Test func unknownCaseNamesThePath() throws {
        typealias Message = BinaryMessage
        let request = Message.message(
            Message.map([0] + Message.map([1] + Message.map())),
            names: ["scope", "fromTheFuture"]
        )
        #expect(try path(AssetFetchRequest.self, request) == "scope")
    }

    @Test(
        arguments: [
            [], [0], [1, 0, 0, 0], [0, 0, 0, 0, 0], [255, 255, 255, 255, 0],
            // A second value, a name without bytes and a value that is longer than the message.
            [2, 0, 0, 0, 1, 1], [1, 0, 0, 0, 1, 5], [1, 0, 0, 0, 1, 5, 0, 65],
            [5, 0, 0, 0, 0xCB, 255, 255, 255, 255], [3, 0, 0, 0, 0xC6, 0, 0], [1, 0, 0, 0, 0xCE],
        ] as [[UInt8]]
    )
    func malformedMessageIsAnError(_ bytes: [UInt8]) throws {
        #expect(throws: DecodingError.self) { try coder.decode(Int.self, from: bytes) }
        #expect(throws: DecodingError.self) { try coder.decode([String: Int].self, from: bytes) }
        #expect(throws: DecodingError.self) { try coder.decode(AssetRecord.self, from: bytes) }
    }

    @Test func textIsUTF8() throws {
        for bytes: [UInt8] in [[0x81, 0xFF], [0x82, 0xC3, 0x28], [0x83, 0xED, 0xA0, 0x80]] {
            let message = BinaryMessage.message(bytes)
            #expect(throws: DecodingError.self) { try coder.decode(String.self, from: message) }
        }
    }

    @Test func nameIsUTF8() throws {
        var bytes = BinaryMessage.message(BinaryMessage.map([0, 1]), names: ["x"])
        #expect(try coder.decode([String: Int].self, from: bytes) == ["x": 1])
        bytes[bytes.count - 1] = 0xFF
        #expect(throws: DecodingError.self) { try coder.decode([String: Int].self, from: bytes) }
    }

    @Test func rowIDsAreWhole() throws {
        let bytes =
            [BinaryMessage.rowIDs] + BinaryMessage.little(UInt32(7)) + [1, 2, 3, 4, 5, 6, 7]
        #expect(try path(RowIDBuffer.self, BinaryMessage.message(bytes)) == "")
    }

    // MARK: - Depth

    /// A list in a list, to any depth.
    private indirect enum Nested: Codable {
        case value
        case list([Nested])

        init(from decoder: any Decoder) throws {
            self = .list(try decoder.singleValueContainer().decode([Nested].self))
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            if case .list(let list) = self { try container.encode(list) }
        }
    }

    @Test func depthIsLimited() throws {
        var bytes = BinaryMessage.list()
        for _ in 1..<320 { bytes = BinaryMessage.list(bytes) }
        #expect(throws: Never.self) {
            try coder.decode(Nested.self, from: BinaryMessage.message(bytes))
        }
        bytes = BinaryMessage.list(bytes)
        let place = try path(Nested.self, BinaryMessage.message(bytes))
        #expect(place.split(separator: ".").count == 320)
    }

    /// The deepest value that the limit permits needs at most half of a thread's usual stack.
    @Test func deepestValueFitsAStack() throws {
        let coder = coder
        let outcome = Mutex<Bool?>(nil)
        let thread = Thread {
            // Each level has two maps.
            var predicate = PredicateNode.constant(true)
            for _ in 0..<159 { predicate = .not(predicate) }
            let decoded = try? coder.decode(PredicateNode.self, from: coder.encode(predicate))
            let isEqual = decoded == predicate
            outcome.withLock { $0 = isEqual }
        }
        thread.stackSize = 4 << 20
        thread.start()
        while !thread.isFinished { sched_yield() }
        #expect(outcome.withLock { $0 } == true)
    }

    /// A message whose recursive decoding would overflow the stack.
    @Test func extremeDepthIsAnError() throws {
        let depth = 100_000
        var bytes: [UInt8] = []
        for level in 0..<depth {
            bytes.append(BinaryMessage.list)
            bytes += BinaryMessage.little(UInt32((depth - level - 1) * 9 + 4))
            bytes += BinaryMessage.little(UInt32(level == depth - 1 ? 0 : 1))
        }
        let message = BinaryMessage.message(bytes)
        #expect(throws: DecodingError.self) { try coder.decode(Nested.self, from: message) }
        // Skipping takes no recursion.
        let skipped = BinaryMessage.message(BinaryMessage.map([0] + bytes), names: ["unknown"])
        #expect(throws: Never.self) { try coder.decode(NoValue.self, from: skipped) }
    }

    @Test func deepestPredicateIsEncoded() throws {
        var predicate = PredicateNode.constant(true)
        // The engine accepts 90 levels.
        for level in 0..<90 {
            predicate =
                level.isMultiple(of: 2) ? .not(predicate) : .and([predicate, .constant(false)])
        }
        var request = AssetFetchRequest()
        request.predicate = predicate
        let bytes = try coder.encode(request)
        #expect(try coder.decode(AssetFetchRequest.self, from: bytes) == request)
        for _ in 0..<100 { predicate = .not(predicate) }
        #expect(throws: EncodingError.self) { try coder.encode(predicate) }
    }

    // MARK: - Memory

    @Test func largeDictionaryIsWithinTheLimit() throws {
        let uuids = (0..<20_000).map { _ in UUID().uuidString }
        let reply = CommitReply(
            version: 1,
            reused: Dictionary(uniqueKeysWithValues: uuids.map { ($0, $0) })
        )
        #expect(try coder.decode(CommitReply.self, from: try coder.encode(reply)) == reply)
    }

    @Test func countsAreComparedWithTheBytes() throws {
        for count: UInt32 in [2, 1_000, .max] {
            let bytes = BinaryMessage.message(BinaryMessage.list([1], count: count))
            #expect(throws: DecodingError.self) { try coder.decode([Int].self, from: bytes) }
            #expect(throws: DecodingError.self) { try coder.decode([String].self, from: bytes) }
            #expect(throws: DecodingError.self) { try coder.decode(Set<Int>.self, from: bytes) }
            let records =
                [BinaryMessage.records] + BinaryMessage.little(UInt32(4))
                + BinaryMessage.little(count)
            #expect(throws: DecodingError.self) {
                try coder.decode([AssetRecord].self, from: BinaryMessage.message(records))
            }
        }
    }

    /// Lists of nils and of empty values, which take much more memory than bytes.
    @Test func memoryIsLimitedByTheLength() throws {
        let count = 4 << 20
        func list(_ byte: UInt8) -> [UInt8] {
            let body = [UInt8](repeating: byte, count: count)
            return BinaryMessage.message(
                [BinaryMessage.list] + BinaryMessage.little(UInt32(count + 4))
                    + BinaryMessage.little(UInt32(count)) + body
            )
        }
        let nils = list(BinaryMessage.null)
        #expect(throws: DecodingError.self) { try coder.decode([String?].self, from: nils) }
        #expect(throws: DecodingError.self) { try coder.decode([ImportOutcome?].self, from: nils) }
        let empty = list(0x80)
        #expect(throws: DecodingError.self) { try coder.decode([String].self, from: empty) }
        #expect(throws: DecodingError.self) { try coder.decode([String: Int].self, from: empty) }
        #expect(throws: DecodingError.self) { try coder.decode(Set<Int>.self, from: list(1)) }
        #expect(throws: DecodingError.self) { try coder.decode([Int: Int].self, from: list(1)) }
        // Short messages may have many nils.
        let few = BinaryMessage.message(
            [BinaryMessage.list] + BinaryMessage.little(UInt32(10_004))
                + BinaryMessage.little(UInt32(10_000))
                + [UInt8](repeating: BinaryMessage.null, count: 10_000)
        )
        #expect(try coder.decode([ImportOutcome?].self, from: few).count == 10_000)
    }
}
