/// A map of a message that is being encoded.
struct BinaryKeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let state: BinaryEncodingState
    let level: Int
    let start: Int
    /// The table that maps keys to indexes of names; nil if names are written in full.
    let indexes: UnsafeMutablePointer<UInt16>?

    var codingPath: [any CodingKey] { state.codingPath(to: level - 1) }

    @inline(__always)
    private func begin(_ key: Key) throws {
        try state.append(key: key, indexes: indexes, of: level, start: start)
    }

    func encodeNil(forKey key: Key) throws {
        try begin(key)
        state.appendNull()
    }

    func encode(_ value: Bool, forKey key: Key) throws {
        try begin(key)
        state.append(bool: value)
    }

    func encode(_ value: String, forKey key: Key) throws {
        try begin(key)
        try state.append(text: value)
    }

    func encode(_ value: Double, forKey key: Key) throws {
        try begin(key)
        state.append(double: value)
    }

    func encode(_ value: Float, forKey key: Key) throws {
        try begin(key)
        state.append(float: value)
    }

    func encode(_ value: Int, forKey key: Key) throws {
        try begin(key)
        state.append(integer: Int64(value))
    }

    func encode(_ value: Int8, forKey key: Key) throws {
        try begin(key)
        state.append(integer: Int64(value))
    }

    func encode(_ value: Int16, forKey key: Key) throws {
        try begin(key)
        state.append(integer: Int64(value))
    }

    func encode(_ value: Int32, forKey key: Key) throws {
        try begin(key)
        state.append(integer: Int64(value))
    }

    func encode(_ value: Int64, forKey key: Key) throws {
        try begin(key)
        state.append(integer: value)
    }

    func encode(_ value: UInt8, forKey key: Key) throws {
        try begin(key)
        state.append(integer: Int64(value))
    }

    func encode(_ value: UInt16, forKey key: Key) throws {
        try begin(key)
        state.append(integer: Int64(value))
    }

    func encode(_ value: UInt32, forKey key: Key) throws {
        try begin(key)
        state.append(integer: Int64(value))
    }

    func encode(_ value: UInt, forKey key: Key) throws {
        try begin(key)
        state.append(unsigned: UInt64(value))
    }

    func encode(_ value: UInt64, forKey key: Key) throws {
        try begin(key)
        state.append(unsigned: value)
    }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try begin(key)
        try state.encode(value, level: level)
    }

    // MARK: - Optional values
    //
    // Nil is written, so that the keys of equal types have equal orders and decoding need not
    // search for them.

    func encodeIfPresent(_ value: Bool?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) } else { try encodeNil(forKey: key) }
    }

    func encodeIfPresent(_ value: String?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) } else { try encodeNil(forKey: key) }
    }

    func encodeIfPresent(_ value: Double?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) } else { try encodeNil(forKey: key) }
    }

    func encodeIfPresent(_ value: Float?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) } else { try encodeNil(forKey: key) }
    }

    func encodeIfPresent(_ value: Int?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) } else { try encodeNil(forKey: key) }
    }

    func encodeIfPresent(_ value: Int8?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) } else { try encodeNil(forKey: key) }
    }

    func encodeIfPresent(_ value: Int16?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) } else { try encodeNil(forKey: key) }
    }

    func encodeIfPresent(_ value: Int32?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) } else { try encodeNil(forKey: key) }
    }

    func encodeIfPresent(_ value: Int64?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) } else { try encodeNil(forKey: key) }
    }

    func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) } else { try encodeNil(forKey: key) }
    }

    func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) } else { try encodeNil(forKey: key) }
    }

    func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) } else { try encodeNil(forKey: key) }
    }

    func encodeIfPresent(_ value: UInt?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) } else { try encodeNil(forKey: key) }
    }

    func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) } else { try encodeNil(forKey: key) }
    }

    func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) } else { try encodeNil(forKey: key) }
    }

    // MARK: - Containers

    /// Returns an encoder for the value of a key; used by the methods that cannot throw.
    private func child(_ key: Key) -> BinaryEncoder {
        state.child(of: level) { try begin(key) }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> { child(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        child(key).list()
    }

    func superEncoder() -> any Encoder {
        let child = state.child(of: level) {
            try state.append(key: PathKey.super, indexes: nil, of: level, start: start)
        }
        return child.pendingValue()
    }

    func superEncoder(forKey key: Key) -> any Encoder { child(key).pendingValue() }
}
