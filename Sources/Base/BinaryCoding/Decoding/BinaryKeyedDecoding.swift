/// A map of a message that is being decoded.
struct BinaryKeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let state: BinaryDecodingState
    private let level: Int
    /// The position of the map's tag.
    private let start: Int
    /// The table that maps keys to indexes of names; nil if keys are found by comparing names.
    private let indexes: UnsafeMutablePointer<UInt16>?

    init(state: BinaryDecodingState, level: Int, position: Int) throws {
        try state.requireDepth(level)
        guard state.byte(position) == BinaryFormat.Tag.map else {
            throw state.mismatch([String: Any].self, at: position, level: level - 1)
        }
        self.state = state
        self.level = level
        start = position
        indexes = state.indexes(of: Key.self)
    }

    var codingPath: [any CodingKey] { state.codingPath(to: level - 1) }

    /// The keys of the map, except those that `Key` cannot represent.
    ///
    /// The result is empty for a malformed map, whose decoding then fails.
    var allKeys: [Key] {
        do {
            return try state.keys(Key.self, level: level, start: start)
        } catch {
            state.fail(error)
            return []
        }
    }

    /// Returns the position of the value of a key; nil if the map does not have the key.
    @inline(__always)
    private func find(_ key: Key) throws -> Int? {
        try state.find(key, indexes: indexes, level: level, start: start)
    }

    @inline(__always)
    private func require(_ key: Key) throws -> Int {
        guard let position = try find(key) else { throw missing(key) }
        return position
    }

    /// Returns the position of the value of a key; nil if the key is absent or its value is null.
    @inline(__always)
    private func findValue(_ key: Key) throws -> Int? {
        guard let position = try find(key), !state.isNull(at: position) else { return nil }
        return position
    }

    private func missing(_ key: any CodingKey) -> DecodingError {
        .keyNotFound(
            key,
            DecodingError.Context(
                codingPath: codingPath,
                debugDescription: "The key \"\(key.stringValue)\" is missing."
            )
        )
    }

    func contains(_ key: Key) -> Bool {
        do {
            guard try find(key) != nil else { return false }
            state.stepBack(level)
            return true
        } catch {
            state.fail(error)
            return false
        }
    }

    func decodeNil(forKey key: Key) throws -> Bool {
        let isNull = state.isNull(at: try require(key))
        if !isNull { state.stepBack(level) }
        return isNull
    }

    // MARK: - Values

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        try state.bool(at: try require(key), level: level)
    }

    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        try state.text(at: try require(key), level: level)
    }

    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        try state.double(at: try require(key), level: level)
    }

    func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
        try state.float(at: try require(key), level: level)
    }

    func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
        try state.integer(at: try require(key), as: type, level: level)
    }

    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 {
        try state.integer(at: try require(key), as: type, level: level)
    }

    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
        try state.integer(at: try require(key), as: type, level: level)
    }

    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
        try state.integer(at: try require(key), as: type, level: level)
    }

    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
        try state.integer(at: try require(key), as: type, level: level)
    }

    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt {
        try state.integer(at: try require(key), as: type, level: level)
    }

    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
        try state.integer(at: try require(key), as: type, level: level)
    }

    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
        try state.integer(at: try require(key), as: type, level: level)
    }

    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
        try state.integer(at: try require(key), as: type, level: level)
    }

    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
        try state.integer(at: try require(key), as: type, level: level)
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try state.decode(type, at: try require(key), level: level)
    }

    // MARK: - Optional values

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        try findValue(key).map { try state.bool(at: $0, level: level) }
    }

    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try findValue(key).map { try state.text(at: $0, level: level) }
    }

    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        try findValue(key).map { try state.double(at: $0, level: level) }
    }

    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
        try findValue(key).map { try state.float(at: $0, level: level) }
    }

    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        try findValue(key).map { try state.integer(at: $0, as: type, level: level) }
    }

    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
        try findValue(key).map { try state.integer(at: $0, as: type, level: level) }
    }

    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
        try findValue(key).map { try state.integer(at: $0, as: type, level: level) }
    }

    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
        try findValue(key).map { try state.integer(at: $0, as: type, level: level) }
    }

    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
        try findValue(key).map { try state.integer(at: $0, as: type, level: level) }
    }

    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
        try findValue(key).map { try state.integer(at: $0, as: type, level: level) }
    }

    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
        try findValue(key).map { try state.integer(at: $0, as: type, level: level) }
    }

    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
        try findValue(key).map { try state.integer(at: $0, as: type, level: level) }
    }

    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
        try findValue(key).map { try state.integer(at: $0, as: type, level: level) }
    }

    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
        try findValue(key).map { try state.integer(at: $0, as: type, level: level) }
    }

    func decodeIfPresent<Value: Decodable>(
        _ type: Value.Type,
        forKey key: Key
    ) throws -> Value? {
        try findValue(key).map { try state.decode(type, at: $0, level: level) }
    }

    // MARK: - Containers

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try superDecoder(forKey: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try superDecoder(forKey: key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        guard let position = try state.findSuper(level: level, start: start) else {
            throw missing(PathKey.super)
        }
        return BinaryDecoder(state: state, level: level, position: position)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        BinaryDecoder(state: state, level: level, position: try require(key))
    }
}
