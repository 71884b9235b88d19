/// The names of keys in a message that is being encoded, each stored once.
struct EncodedNames: ~Copyable {
    /// The table that maps the keys of one type to indexes of names.
    ///
    /// An entry is the index plus one, or 0 for a key that has not been used. A key of at most one
    /// byte is identified by that byte: equal bytes are equal values.
    private struct KeyType {
        var type: ObjectIdentifier
        var indexes: UnsafeMutablePointer<UInt16>
    }

    private var names: [String] = []
    private var indexes: [String: UInt16] = [:]
    private var types: [KeyType] = []

    deinit {
        for type in types { type.indexes.deallocate() }
    }

    /// Returns the index of a name, and adds the name if it is new.
    mutating func index(of name: String) throws -> UInt16 {
        if let index = indexes[name] { return index }
        guard names.count < BinaryFormat.maximumKeyCount, name.utf8.count <= Int(UInt16.max) else {
            throw EncodingError.invalidValue(
                name,
                EncodingError.Context(
                    codingPath: [],
                    debugDescription: "The message has too many or too long names of keys."
                )
            )
        }
        let index = UInt16(names.count)
        names.append(name)
        indexes[name] = index
        return index
    }

    /// Returns the table that maps a type's keys to name indexes; valid while this instance exists.
    mutating func indexes(of type: ObjectIdentifier) -> UnsafeMutablePointer<UInt16> {
        if let known = types.first(where: { $0.type == type }) { return known.indexes }
        let indexes = UnsafeMutablePointer<UInt16>.allocate(capacity: 256)
        indexes.initialize(repeating: 0, count: 256)
        types.append(KeyType(type: type, indexes: indexes))
        return indexes
    }

    /// Appends all names to a message.
    func append(to output: inout BinaryBuffer) {
        for name in names {
            output.append(UInt16(name.utf8.count))
            output.append(rawText: name)
        }
    }

    /// Returns the name that the key at a position refers to, for error messages.
    ///
    /// Nil for a key that contains its name instead of an index.
    func name(ofKeyAt position: Int, in output: borrowing BinaryBuffer) -> String? {
        let tag: UInt8 = output.load(at: position)
        switch tag {
        case BinaryFormat.KeyTag.inline: return nil
        case BinaryFormat.KeyTag.wide: return names[Int(output.load(at: position + 1) as UInt16)]
        default: return names[Int(tag)]
        }
    }
}
