/// A decoder that supplies random primitives.
struct FabricatingDecoder: Decoder {
    let fabrication: Fabrication

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(FabricatingMap(fabrication: fabrication))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer { FabricatingList(fabrication) }

    func singleValueContainer() -> any SingleValueDecodingContainer {
        FabricatingValue(fabrication: fabrication)
    }
}

private struct FabricatingMap<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let fabrication: Fabrication

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { (try? fabrication.keys(Key.self)) ?? [] }

    func contains(_ key: Key) -> Bool { true }
    func decodeNil(forKey key: Key) -> Bool { fabrication.isNil() }
    func decode(_ type: Bool.Type, forKey key: Key) -> Bool { fabrication.bool() }
    func decode(_ type: String.Type, forKey key: Key) -> String { fabrication.text() }
    func decode(_ type: Double.Type, forKey key: Key) -> Double { fabrication.double() }
    func decode(_ type: Float.Type, forKey key: Key) -> Float { 0.5 }
    func decode(_ type: Int.Type, forKey key: Key) -> Int { fabrication.integer() }
    func decode(_ type: Int8.Type, forKey key: Key) -> Int8 { fabrication.integer() }
    func decode(_ type: Int16.Type, forKey key: Key) -> Int16 { fabrication.integer() }
    func decode(_ type: Int32.Type, forKey key: Key) -> Int32 { fabrication.integer() }
    func decode(_ type: Int64.Type, forKey key: Key) -> Int64 { fabrication.integer() }
    func decode(_ type: UInt.Type, forKey key: Key) -> UInt { fabrication.integer() }
    func decode(_ type: UInt8.Type, forKey key: Key) -> UInt8 { fabrication.integer() }
    func decode(_ type: UInt16.Type, forKey key: Key) -> UInt16 { fabrication.integer() }
    func decode(_ type: UInt32.Type, forKey key: Key) -> UInt32 { fabrication.integer() }
    func decode(_ type: UInt64.Type, forKey key: Key) -> UInt64 { fabrication.integer() }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try fabrication.value(type)
    }

    private var decoder: FabricatingDecoder { FabricatingDecoder(fabrication: fabrication) }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) -> KeyedDecodingContainer<NestedKey> { decoder.container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
        decoder.unkeyedContainer()
    }

    func superDecoder() -> any Decoder { decoder }
    func superDecoder(forKey key: Key) -> any Decoder { decoder }
}

private struct FabricatingList: UnkeyedDecodingContainer {
    let fabrication: Fabrication
    private let total: Int
    private(set) var currentIndex = 0

    init(_ fabrication: Fabrication) {
        self.fabrication = fabrication
        total = fabrication.listCount()
    }

    var codingPath: [any CodingKey] { [] }
    var count: Int? { total }
    var isAtEnd: Bool { currentIndex >= total }

    private mutating func next() -> Fabrication {
        currentIndex += 1
        return fabrication
    }

    mutating func decodeNil() -> Bool {
        guard fabrication.isNil() else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode(_ type: Bool.Type) -> Bool { next().bool() }
    mutating func decode(_ type: String.Type) -> String { next().text() }
    mutating func decode(_ type: Double.Type) -> Double { next().double() }
    mutating func decode(_ type: Float.Type) -> Float {
        _ = next()
        return 0.5
    }
    mutating func decode(_ type: Int.Type) -> Int { next().integer() }
    mutating func decode(_ type: Int8.Type) -> Int8 { next().integer() }
    mutating func decode(_ type: Int16.Type) -> Int16 { next().integer() }
    mutating func decode(_ type: Int32.Type) -> Int32 { next().integer() }
    mutating func decode(_ type: Int64.Type) -> Int64 { next().integer() }
    mutating func decode(_ type: UInt.Type) -> UInt { next().integer() }
    mutating func decode(_ type: UInt8.Type) -> UInt8 { next().integer() }
    mutating func decode(_ type: UInt16.Type) -> UInt16 { next().integer() }
    mutating func decode(_ type: UInt32.Type) -> UInt32 { next().integer() }
    mutating func decode(_ type: UInt64.Type) -> UInt64 { next().integer() }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try next().value(type)
    }

    private mutating func decoder() -> FabricatingDecoder {
        FabricatingDecoder(fabrication: next())
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) -> KeyedDecodingContainer<NestedKey> { decoder().container(keyedBy: type) }

    mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer {
        decoder().unkeyedContainer()
    }

    mutating func superDecoder() -> any Decoder { decoder() }
}

private struct FabricatingValue: SingleValueDecodingContainer {
    let fabrication: Fabrication

    var codingPath: [any CodingKey] { [] }
    func decodeNil() -> Bool { fabrication.isNil() }
    func decode(_ type: Bool.Type) -> Bool { fabrication.bool() }
    func decode(_ type: String.Type) -> String { fabrication.text() }
    func decode(_ type: Double.Type) -> Double { fabrication.double() }
    func decode(_ type: Float.Type) -> Float { 0.5 }
    func decode(_ type: Int.Type) -> Int { fabrication.integer() }
    func decode(_ type: Int8.Type) -> Int8 { fabrication.integer() }
    func decode(_ type: Int16.Type) -> Int16 { fabrication.integer() }
    func decode(_ type: Int32.Type) -> Int32 { fabrication.integer() }
    func decode(_ type: Int64.Type) -> Int64 { fabrication.integer() }
    func decode(_ type: UInt.Type) -> UInt { fabrication.integer() }
    func decode(_ type: UInt8.Type) -> UInt8 { fabrication.integer() }
    func decode(_ type: UInt16.Type) -> UInt16 { fabrication.integer() }
    func decode(_ type: UInt32.Type) -> UInt32 { fabrication.integer() }
    func decode(_ type: UInt64.Type) -> UInt64 { fabrication.integer() }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try fabrication.value(type)
    }
}
