import BinaryCoding
import LibraryService
import PhotoModel
import RemoteLibrary
import Testing

/// A type of which values cross a connection.
struct SeamMessage: CustomTestStringConvertible, Sendable {
    typealias Value = any (Codable & Sendable)

    let name: String
    let valueType: any (Codable & Sendable).Type

    var testDescription: String { name }

    /// The requests and replies of all calls, the errors and the handshake.
    static let all: [SeamMessage] =
        CallTable.all.flatMap { call in
            [
                SeamMessage(name: call.name + ".request", valueType: call.requestType),
                SeamMessage(name: call.name + ".reply", valueType: call.replyType),
            ]
        } + [
            SeamMessage(name: "failure", valueType: FailureBody.self),
            SeamMessage(name: "hello.daemon", valueType: DaemonHello.self),
            SeamMessage(name: "hello.client", valueType: ClientHello.self),
            SeamMessage(name: "goodbye", valueType: Goodbye.self),
        ]

    /// Fabricates a value.
    func value(_ fabrication: Fabrication) throws -> Value {
        try Self.value(valueType, fabrication)
    }

    private static func value<Message: Codable & Sendable>(
        _ type: Message.Type,
        _ fabrication: Fabrication
    ) throws -> Value { try fabrication.value(type) }

    /// Decodes a value.
    func decode(_ bytes: [UInt8], with coder: any WireCoder) throws -> Value {
        try Self.decode(valueType, bytes, coder)
    }

    private static func decode<Message: Codable & Sendable>(
        _ type: Message.Type,
        _ bytes: [UInt8],
        _ coder: any WireCoder
    ) throws -> Value { try coder.decode(type, from: bytes) }

    /// Indicates whether two values are equal.
    static func areEqual(_ first: Value, _ second: Value) -> Bool {
        (first as? any Equatable).map { areEqual($0, second) } ?? false
    }

    private static func areEqual<First: Equatable>(_ first: First, _ second: Value) -> Bool {
        first == second as? First
    }
}
