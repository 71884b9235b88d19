/// The conversion between the values of the seam and the bodies of frames.
///
/// Implementations are values that many threads use at once.
package protocol WireCoder: Sendable {
    /// Encodes a value as the body of a message.
    ///
    /// - Throws: `EncodingError`.
    func encode(_ value: some Encodable) throws -> [UInt8]

    /// Decodes a value from the body of a message, of which every byte may be hostile.
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
