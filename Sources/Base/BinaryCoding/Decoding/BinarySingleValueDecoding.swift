/// A single value of a message that is being decoded.
struct BinarySingleValueDecoding: SingleValueDecodingContainer {
    let state: BinaryDecodingState
    let level: Int
    let position: Int

    var codingPath: [any CodingKey] { state.codingPath(to: level) }

    func decodeNil() -> Bool { state.isNull(at: position) }

    func decode(_ type: Bool.Type) throws -> Bool {
        try state.bool(at: position, level: level)
    }

    func decode(_ type: String.Type) throws -> String {
        try state.text(at: position, level: level)
    }

    func decode(_ type: Double.Type) throws -> Double {
        try state.double(at: position, level: level)
    }

    func decode(_ type: Float.Type) throws -> Float {
        try state.float(at: position, level: level)
    }

    func decode(_ type: Int.Type) throws -> Int {
        try state.integer(at: position, as: type, level: level)
    }

    func decode(_ type: Int8.Type) throws -> Int8 {
        try state.integer(at: position, as: type, level: level)
    }

    func decode(_ type: Int16.Type) throws -> Int16 {
        try state.integer(at: position, as: type, level: level)
    }

    func decode(_ type: Int32.Type) throws -> Int32 {
        try state.integer(at: position, as: type, level: level)
    }

    func decode(_ type: Int64.Type) throws -> Int64 {
        try state.integer(at: position, as: type, level: level)
    }

    func decode(_ type: UInt.Type) throws -> UInt {
        try state.integer(at: position, as: type, level: level)
    }

    func decode(_ type: UInt8.Type) throws -> UInt8 {
        try state.integer(at: position, as: type, level: level)
    }

    func decode(_ type: UInt16.Type) throws -> UInt16 {
        try state.integer(at: position, as: type, level: level)
    }

    func decode(_ type: UInt32.Type) throws -> UInt32 {
        try state.integer(at: position, as: type, level: level)
    }

    func decode(_ type: UInt64.Type) throws -> UInt64 {
        try state.integer(at: position, as: type, level: level)
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try state.decode(type, at: position, level: level)
    }
}
