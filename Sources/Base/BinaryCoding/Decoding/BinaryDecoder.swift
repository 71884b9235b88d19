/// The decoder that a type receives in `init(from:)`.
struct BinaryDecoder: Decoder {
    let state: BinaryDecodingState
    /// The nesting level of the container that contains the value.
    let level: Int
    let position: Int

    var codingPath: [any CodingKey] { state.codingPath(to: level) }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(
        keyedBy type: Key.Type
    ) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(
            try BinaryKeyedDecoding<Key>(state: state, level: level + 1, position: position)
        )
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try BinaryUnkeyedDecoding(state: state, level: level + 1, position: position)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer {
        BinarySingleValueDecoding(state: state, level: level, position: position)
    }
}
