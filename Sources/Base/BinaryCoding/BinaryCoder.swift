internal import PhotoModel

/// A coder that writes a compact, self-describing binary form, which `BinaryFormat` specifies.
///
/// Names of properties are stored once in a message. Unknown ones are skipped, and absent optional
/// ones decode as nil. Row ids and `Data` are raw bytes, and lists of `AssetRecord` have a layout
/// of their own. The memory that decoding allocates is limited by the length of the message, see
/// `CodingLimits`.
package struct BinaryCoder: WireCoder {
    package var limits: CodingLimits

    package init(limits: CodingLimits = CodingLimits()) { self.limits = limits }

    package func encode(_ value: some Encodable) throws -> [UInt8] {
        let state = BinaryEncodingState(limits: limits)
        defer { state.deallocate() }
        try state.encode(value, level: 0)
        return try state.finish()
    }

    package func decode<Value: Decodable>(
        _ type: Value.Type,
        from body: UnsafeRawBufferPointer
    ) throws -> Value {
        let state = try BinaryDecodingState(body, limits: limits)
        defer { state.deallocate() }
        let value = try state.decode(type, at: BinaryFormat.headerLength, level: 0)
        if let failure = state.failure { throw failure }
        return value
    }
}
