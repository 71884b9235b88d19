/// A list of a message that is being decoded.
struct BinaryUnkeyedDecoding: UnkeyedDecodingContainer {
    private let state: BinaryDecodingState
    private let level: Int
    private let start: Int
    private let end: Int
    private var cursor: Int
    private let total: Int
    private(set) var currentIndex = 0

    init(state: BinaryDecodingState, level: Int, position: Int) throws {
        try state.requireDepth(level)
        guard state.byte(position) == BinaryFormat.Tag.list else {
            throw state.mismatch([Any].self, at: position, level: level - 1)
        }
        end = position + 5 + state.length(at: position)
        guard end - position >= 9 else {
            throw state.malformed(level - 1, "The list has no count.")
        }
        total = Int(state.load(position + 5, as: UInt32.self))
        cursor = position + 9
        // Each value has at least one byte.
        guard total <= end - cursor else {
            throw state.malformed(level - 1, "The list has more values than bytes.")
        }
        self.state = state
        self.level = level
        start = position
    }

    var codingPath: [any CodingKey] { state.codingPath(to: level - 1) }
    var count: Int? { total }
    var isAtEnd: Bool { currentIndex == total }
    /// The number of values that have not been decoded yet.
    var remaining: Int { total - currentIndex }

    /// Returns the position of the next value and advances to the value after it.
    @inline(__always)
    mutating func next() throws -> Int {
        state.enter(level, start: start)
        state.frames[level].current = currentIndex
        guard currentIndex < total else {
            throw state.mismatchAtEnd(level)
        }
        let position = cursor
        cursor = try state.end(of: position, within: end, level: level)
        currentIndex += 1
        return position
    }

    mutating func decodeNil() throws -> Bool {
        guard currentIndex < total else { throw state.mismatchAtEnd(level) }
        guard cursor < end, state.isNull(at: cursor) else { return false }
        _ = try next()
        return true
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool {
        try state.bool(at: try next(), level: level)
    }

    mutating func decode(_ type: String.Type) throws -> String {
        try state.text(at: try next(), level: level)
    }

    mutating func decode(_ type: Double.Type) throws -> Double {
        try state.double(at: try next(), level: level)
    }

    mutating func decode(_ type: Float.Type) throws -> Float {
        try state.float(at: try next(), level: level)
    }

    mutating func decode(_ type: Int.Type) throws -> Int {
        try state.integer(at: try next(), as: type, level: level)
    }

    mutating func decode(_ type: Int8.Type) throws -> Int8 {
        try state.integer(at: try next(), as: type, level: level)
    }

    mutating func decode(_ type: Int16.Type) throws -> Int16 {
        try state.integer(at: try next(), as: type, level: level)
    }

    mutating func decode(_ type: Int32.Type) throws -> Int32 {
        try state.integer(at: try next(), as: type, level: level)
    }

    mutating func decode(_ type: Int64.Type) throws -> Int64 {
        try state.integer(at: try next(), as: type, level: level)
    }

    mutating func decode(_ type: UInt.Type) throws -> UInt {
        try state.integer(at: try next(), as: type, level: level)
    }

    mutating func decode(_ type: UInt8.Type) throws -> UInt8 {
        try state.integer(at: try next(), as: type, level: level)
    }

    mutating func decode(_ type: UInt16.Type) throws -> UInt16 {
        try state.integer(at: try next(), as: type, level: level)
    }

    mutating func decode(_ type: UInt32.Type) throws -> UInt32 {
        try state.integer(at: try next(), as: type, level: level)
    }

    mutating func decode(_ type: UInt64.Type) throws -> UInt64 {
        try state.integer(at: try next(), as: type, level: level)
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        // Sets and dictionaries have up to three times the memory of their elements.
        try state.charge(3 * MemoryLayout<Value>.stride, level: level - 1)
        return try state.decode(type, at: try next(), level: level)
    }

    // MARK: - Containers

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> { try superDecoder().container(keyedBy: type) }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try superDecoder().unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder {
        BinaryDecoder(state: state, level: level, position: try next())
    }
}
