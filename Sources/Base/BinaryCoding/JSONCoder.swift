internal import Foundation

/// A coder that writes JSON, for the bodies of `hello` and `goodbye` and for debugging.
///
/// Its keys are sorted, so that equal values have equal bodies. Numbers that JSON cannot express
/// are strings. Unlike `BinaryCoder`, it does not limit the memory of decoded values; the length of
/// its bodies must be limited instead.
package struct JSONCoder: WireCoder {
    package init() {}

    package func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: Self.infinity,
            negativeInfinity: "-" + Self.infinity,
            nan: Self.notANumber
        )
        return Array(try encoder.encode(value))
    }

    package func decode<Value: Decodable>(
        _ type: Value.Type,
        from body: UnsafeRawBufferPointer
    ) throws -> Value {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: Self.infinity,
            negativeInfinity: "-" + Self.infinity,
            nan: Self.notANumber
        )
        return try decoder.decode(type, from: Data(body))
    }

    private static let infinity = "inf"
    private static let notANumber = "nan"
}
