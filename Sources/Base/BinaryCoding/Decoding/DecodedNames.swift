/// The names of keys in a message that is being decoded.
///
/// The bytes belong to the message. A name becomes a string only when `name(at:)` returns it.
struct DecodedNames: ~Copyable {
    /// The location of a name in the message.
    private struct Name {
        var start: UnsafePointer<UInt8>
        var count: Int
    }

    /// The table that maps the keys of one type to indexes of names.
    ///
    /// An entry is the index plus one, or 0 for a key that was not looked up yet.
    private struct KeyType {
        var type: ObjectIdentifier
        var indexes: UnsafeMutablePointer<UInt16>
    }

    /// The sentinel index for a name that the message does not contain.
    static let absent = UInt16.max

    private var names: [Name] = []
    private var types: [KeyType] = []
    /// The index after the name that was found last, where the next search begins.
    private var next = 0

    init(_ bytes: UnsafeRawBufferPointer) throws {
        var position = 0
        while position < bytes.count {
            guard names.count < BinaryFormat.maximumKeyCount else {
                throw DecodingError.malformed([], "The message has too many names of keys.")
            }
            guard bytes.count - position >= 2 else { throw Self.tooShort }
            let count = Int(
                UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt16.self))
            )
            position += 2
            guard bytes.count - position >= count, let base = bytes.baseAddress else {
                throw Self.tooShort
            }
            let start = (base + position).assumingMemoryBound(to: UInt8.self)
            names.append(Name(start: start, count: count))
            position += count
        }
    }

    deinit {
        for type in types { type.indexes.deallocate() }
    }

    private static var tooShort: DecodingError { .malformed([], "A name of a key is too short.") }

    /// Returns the table that maps a type's keys to name indexes; valid while this instance exists.
    ///
    /// Nil if values of the key type have more than one byte, such as the keys of dictionaries.
    mutating func indexes<Key: CodingKey>(of type: Key.Type) -> UnsafeMutablePointer<UInt16>? {
        // Keys of at most one byte are identified by that byte: equal bytes are equal values.
        guard MemoryLayout<Key>.size <= 1 else { return nil }
        let identifier = ObjectIdentifier(type)
        if let known = types.first(where: { $0.type == identifier }) { return known.indexes }
        let indexes = UnsafeMutablePointer<UInt16>.allocate(capacity: 256)
        indexes.initialize(repeating: 0, count: 256)
        types.append(KeyType(type: identifier, indexes: indexes))
        return indexes
    }

    /// Returns the index of a name, or `absent` if the message does not have the name.
    mutating func index(of name: String) -> UInt16 {
        var name = name
        return name.withUTF8 { wanted in
            if next < names.count, Self.isEqual(names[next], wanted) {
                next += 1
                return UInt16(next - 1)
            }
            guard let index = names.firstIndex(where: { Self.isEqual($0, wanted) }) else {
                return Self.absent
            }
            next = index + 1
            return UInt16(index)
        }
    }

    /// Returns the name at an index; nil if the index has no name or the name is not UTF-8.
    func name(at index: Int) -> String? {
        guard index < names.count else { return nil }
        let name = names[index]
        return String(
            validating: UnsafeBufferPointer(start: name.start, count: name.count),
            as: UTF8.self
        )
    }

    /// Indicates whether the name at an index equals a given one.
    func isName(at index: Int, equalTo name: String) -> Bool {
        guard index < names.count else { return false }
        var name = name
        return name.withUTF8 { Self.isEqual(names[index], $0) }
    }

    private static func isEqual(_ name: Name, _ wanted: UnsafeBufferPointer<UInt8>) -> Bool {
        name.count == wanted.count
            && UnsafeBufferPointer(start: name.start, count: name.count).elementsEqual(wanted)
    }
}
