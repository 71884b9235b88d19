/// A single value of a message that is being encoded.
struct BinarySingleValueEncoding: SingleValueEncodingContainer {
    let state: BinaryEncodingState
    let level: Int
    let start: Int

    var codingPath: [any CodingKey] { state.codingPath(to: level) }

    @inline(__always)
    private func begin() throws { try state.requireValue(at: start, level: level) }

    func encodeNil() throws {
        try begin()
        state.appendNull()
    }

    func encode(_ value: Bool) throws {
        try begin()
        state.append(bool: value)
    }

    func encode(_ value: String) throws {
        try begin()
        try state.append(text: value)
    }

    func encode(_ value: Double) throws {
        try begin()
        state.append(double: value)
    }

    func encode(_ value: Float) throws {
        try begin()
        state.append(float: value)
    }

    func encode(_ value: Int) throws {
        try begin()
        state.append(integer: Int64(value))
    }

    func encode(_ value: Int8) throws {
        try begin()
        state.append(integer: Int64(value))
    }

    func encode(_ value: Int16) throws {
        try begin()
        state.append(integer: Int64(value))
    }

    func encode(_ value: Int32) throws {
        try begin()
        state.append(integer: Int64(value))
    }

    func encode(_ value: Int64) throws {
        try begin()
        state.append(integer: value)
    }

    func encode(_ value: UInt8) throws {
        try begin()
        state.append(integer: Int64(value))
    }

    func encode(_ value: UInt16) throws {
        try begin()
        state.append(integer: Int64(value))
    }

    func encode(_ value: UInt32) throws {
        try begin()
        state.append(integer: Int64(value))
    }

    func encode(_ value: UInt) throws {
        try begin()
        state.append(unsigned: UInt64(value))
    }

    func encode(_ value: UInt64) throws {
        try begin()
        state.append(unsigned: value)
    }

    func encode<Value: Encodable>(_ value: Value) throws {
        try begin()
        try state.encode(value, level: level)
    }
}
