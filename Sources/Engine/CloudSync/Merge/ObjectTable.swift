internal import PhotoModel

/// The merged objects of a library by UUID.
///
/// An object with few registers, as nearly all are, is kept encoded: its values would take several
/// times the memory. An object is decoded for each access, so changes of one object should follow
/// each other.
package struct ObjectTable: Hashable, Sendable {
    /// The maximum number of registers with which an object is kept encoded.
    ///
    /// Albums with thousands of members are kept as values, since each change would encode all of
    /// them again.
    static let encodedLimit = 32

    fileprivate enum Entry: Hashable, Sendable {
        case encoded([UInt8])
        indirect case value(CloudObject)

        init(_ object: CloudObject) {
            guard object.registers.count <= encodedLimit else {
                self = .value(object)
                return
            }
            var writer = SegmentWriter()
            writer.append(object)
            // A writer has room for more.
            self = .encoded(writer.bytes.withUnsafeBufferPointer(Array.init))
        }

        var object: CloudObject {
            switch self {
            case .value(let object): return object
            case .encoded(let bytes):
                var reader = SegmentReader(bytes)
                do throws(CloudFormatError) {
                    return try CloudObject(from: &reader)
                } catch {
                    preconditionFailure("An object of the state cannot be decoded: \(error.reason)")
                }
            }
        }
    }

    private var entries: [CloudID: Entry] = [:]
    /// The UUID of the object that is being changed; nil if there is none.
    private var currentID: CloudID?
    /// The object that is being changed; its entry in the table is empty meanwhile.
    private var current = CloudObject()

    mutating func reserveCapacity(_ count: Int) { entries.reserveCapacity(count) }

    package var count: Int { entries.count }
    package var isEmpty: Bool { entries.isEmpty }

    package subscript(id: CloudID) -> CloudObject? {
        currentID == id ? current : entries[id]?.object
    }

    func contains(_ id: CloudID) -> Bool { entries[id] != nil }

    /// Changes an object, or a new empty object if the table does not contain it.
    ///
    /// ``close()`` must follow the last change.
    mutating func change(_ id: CloudID, _ body: (inout CloudObject) -> Void) {
        if currentID != id {
            close()
            // The entry is replaced, so that the object is the only owner of its registers.
            let entry = entries.updateValue(.encoded([]), forKey: id)
            current = entry?.object ?? CloudObject()
            currentID = id
        }
        body(&current)
    }

    /// Stores the object that is being changed back in the table; does nothing if there is none.
    mutating func close() {
        guard let id = currentID else { return }
        entries[id] = Entry(current)
        currentID = nil
        current = CloudObject()
    }

    mutating func remove(_ id: CloudID) {
        if currentID == id {
            currentID = nil
            current = CloudObject()
        }
        entries[id] = nil
    }

    /// Adds an object that was read from its canonical encoding.
    mutating func add(_ id: CloudID, _ object: CloudObject, encoding: [UInt8]) {
        let isEncoded = object.registers.count <= Self.encodedLimit
        entries[id] = isEncoded ? .encoded(encoding) : .value(object)
    }

    /// Adds an object of another table as it is.
    mutating func add(_ id: CloudID, from other: ObjectTable) {
        entries[id] = other.entries[id]
    }

    // MARK: - Encoding

    /// The approximate number of bytes of the encoding.
    var encodedSize: Int {
        entries.values.reduce(0) { size, entry in
            switch entry {
            case .encoded(let bytes): size + 20 + bytes.count
            case .value(let object): size + 128 * object.registers.count
            }
        }
    }

    package var keys: some Collection<CloudID> { entries.keys }

    /// Appends the encoding of an object.
    func write(_ id: CloudID, to writer: inout SegmentWriter) {
        switch entries[id] {
        case .encoded(let bytes): writer.append(encoded: bytes)
        case .value(let object): writer.append(object)
        case nil: break
        }
    }
}

extension ObjectTable: Sequence {
    package struct Iterator: IteratorProtocol {
        private var base: Dictionary<CloudID, Entry>.Iterator

        fileprivate init(_ entries: [CloudID: Entry]) {
            base = entries.makeIterator()
        }

        package mutating func next() -> (id: CloudID, object: CloudObject)? {
            base.next().map { ($0.key, $0.value.object) }
        }
    }

    package func makeIterator() -> Iterator { Iterator(entries) }
}
