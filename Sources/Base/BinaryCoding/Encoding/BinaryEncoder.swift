/// The encoder that a value receives in `encode(to:)`.
struct BinaryEncoder: Encoder {
    let state: BinaryEncodingState
    /// The nesting level of the container that contains the value.
    let level: Int
    /// The position of the value.
    let start: Int

    var codingPath: [any CodingKey] { state.codingPath(to: level) }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(map(keyedBy: type))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { list() }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        BinarySingleValueEncoding(state: state, level: level, start: start)
    }

    /// Begins to encode the value as a map; returns the container for its entries.
    func map<Key: CodingKey>(keyedBy type: Key.Type) -> BinaryKeyedEncoding<Key> {
        let child = state.open(BinaryFormat.Tag.map, at: start, below: level)
        return BinaryKeyedEncoding(
            state: state,
            level: child ?? 0,
            start: start,
            indexes: state.indexes(of: type)
        )
    }

    /// Begins to encode the value as a list; returns the container for its elements.
    func list() -> BinaryUnkeyedEncoding {
        let child = state.open(BinaryFormat.Tag.list, at: start, below: level)
        return BinaryUnkeyedEncoding(state: state, level: child ?? 0, start: start)
    }

    /// Returns an encoder for a value whose type is not known yet; the value becomes an empty map
    /// if nothing is encoded.
    func pendingValue() -> BinaryEncoder {
        let child = state.open(BinaryEncodingState.pendingValue, at: start, below: level)
        return BinaryEncoder(state: state, level: child ?? 0, start: start)
    }
}
