/// A coder that converts values to and from the bodies of messages.
///
/// Implementations are values that many threads use at once.
package protocol WireCoder: Sendable {
    /// Encodes a value as the body of a message.
    ///
    /// - Throws: `EncodingError`.
    func encode(_ value: some Encodable) throws -> [UInt8]

    /// Decodes a value from the body of a message, which is not trusted.
    ///
    /// The value keeps no reference to `body`.
    ///
    /// - Throws: `DecodingError`, with the coding path of the malformed value.
    func decode<Value: Decodable>(
        _ type: Value.Type,
        from body: UnsafeRawBufferPointer
    ) throws -> Value
}

extension WireCoder {
    /// Decodes a value from the bytes of a body.
    package func decode<Value: Decodable>(_ type: Value.Type, from body: [UInt8]) throws -> Value {
        try body.withUnsafeBytes { try decode(type, from: $0) }
    }
}
