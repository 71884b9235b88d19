/// The encoder that a value receives in `encode(to:)`.
struct BinaryEncoder: Encoder {
    let state: BinaryEncodingState
    /// The level of the container that the value belongs to.
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

    /// Opens a map as the value.
    func map<Key: CodingKey>(keyedBy type: Key.Type) -> BinaryKeyedEncoding<Key> {
        let child = state.open(BinaryFormat.Tag.map, at: start, below: level)
        return BinaryKeyedEncoding(
            state: state,
            level: child ?? 0,
            start: start,
            indexes: state.indexes(of: type)
        )
    }

    /// Opens a list as the value.
    func list() -> BinaryUnkeyedEncoding {
        let child = state.open(BinaryFormat.Tag.list, at: start, below: level)
        return BinaryUnkeyedEncoding(state: state, level: child ?? 0, start: start)
    }

    /// Waits for a value, for which nothing has to be encoded.
    func pendingValue() -> BinaryEncoder {
        let child = state.open(BinaryEncodingState.pendingValue, at: start, below: level)
        return BinaryEncoder(state: state, level: child ?? 0, start: start)
    }
}
