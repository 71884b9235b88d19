internal import FoundationEssentials
internal import PhotoModel

/// The state of encoding a message: the bytes so far, the names of keys and the open containers.
///
/// Containers are written in the order in which they are opened, without a tree in memory. A
/// container ends when its parent is used again. Writing to it later is an error of the encoded
/// type.
///
/// The value is a pointer to the message's storage, which `BinaryCoder.encode` owns: no value keeps
/// its encoder or container after it was encoded. Counting references and checking exclusive access
/// would take a third of the time (ADR 0063). Used by one thread, for one message.
struct BinaryEncodingState {
    /// A map or a list that has not ended.
    struct Frame {
        /// The position of the container's tag.
        var start: Int
        var tag: UInt8
        /// The number of values in a list.
        var count: UInt32
        /// The position of the last key in a map.
        var key: Int
    }

    private struct Storage: ~Copyable {
        var output = BinaryBuffer()
        var names = EncodedNames()
        /// The number of open containers; the innermost one is at `frames[level]`.
        var level = 0
        var limits: CodingLimits
        /// The first error that occurred, including errors in methods that cannot throw.
        var failure: (any Error)?
    }

    /// The tag of a frame for a single value whose type is not known yet, as in `superEncoder`.
    static let pendingValue: UInt8 = 0xFF

    private let storage: UnsafeMutablePointer<Storage>
    /// The open containers by their level; index 0 is the message itself.
    private let frames: UnsafeMutablePointer<Frame>

    /// Allocates the storage, which the caller must deallocate.
    init(limits: CodingLimits) {
        storage = .allocate(capacity: 1)
        storage.initialize(to: Storage(limits: limits))
        frames = .allocate(capacity: limits.depth + 2)
        frames.initialize(
            repeating: Frame(start: 0, tag: 0, count: 0, key: 0),
            count: limits.depth + 2
        )
        storage.pointee.output.append(UInt32(0))
    }

    func deallocate() {
        frames.deallocate()
        storage.deinitialize(count: 1)
        storage.deallocate()
    }

    private var level: Int {
        get { storage.pointee.level }
        nonmutating set { storage.pointee.level = newValue }
    }

    /// The position of the next byte.
    var position: Int {
        @inline(__always) get { storage.pointee.output.position }
    }

    /// Returns the number of values in the list at `level`.
    func count(at level: Int) -> Int { Int(frames[level].count) }

    /// Ends all containers and returns the message.
    func finish() throws -> [UInt8] {
        try close(to: 0)
        if let failure = storage.pointee.failure { throw failure }
        guard
            let length = UInt32(
                exactly: storage.pointee.output.position - BinaryFormat.headerLength
            )
        else {
            throw error(storage.pointee.output.position, "The message is longer than 4 GiB.")
        }
        storage.pointee.output.overwrite(length, at: 0)
        storage.pointee.names.append(to: &storage.pointee.output)
        return storage.pointee.output.bytes()
    }

    // MARK: - Containers

    /// Opens a container at the position `start` of the message, or returns to the container that
    /// is already open there if it has the same tag.
    ///
    /// - Returns: Its level, or nil after an error, which `finish` throws.
    func open(_ tag: UInt8, at start: Int, below parent: Int) -> Int? {
        let child = parent + 1
        do {
            if level > parent, frames[child].start == start, frames[child].tag == tag {
                try close(to: child)
                return child
            }
            try requireValue(at: start, level: parent)
            guard child <= storage.pointee.limits.depth else {
                throw error(
                    start,
                    "The value is nested more than \(storage.pointee.limits.depth) levels deep."
                )
            }
            frames[child] = Frame(start: start, tag: tag, count: 0, key: 0)
            level = child
            if tag != Self.pendingValue {
                storage.pointee.output.append(tag)
                storage.pointee.output.append(UInt32(0))
                if tag == BinaryFormat.Tag.list { storage.pointee.output.append(UInt32(0)) }
            }
            return child
        } catch {
            fail(error)
            return nil
        }
    }

    /// Makes the container at `start` the innermost one by closing the containers inside it.
    @inline(__always)
    func enter(_ container: Int, start: Int) throws {
        if level == container, frames[container].start == start { return }
        guard container > 0, level > container, frames[container].start == start else {
            throw error(start, "A container was written to after it had ended.")
        }
        try close(to: container)
    }

    /// Throws an error unless the value at `start` is the next one to be written.
    @inline(__always)
    func requireValue(at start: Int, level expected: Int) throws {
        guard level == expected, storage.pointee.output.position == start else {
            throw error(start, "A second value was encoded in place of one.")
        }
    }

    /// Closes the containers that are nested deeper than a level.
    @inline(__always)
    func close(to outer: Int) throws {
        while level > outer { try closeInnermost() }
    }

    private func closeInnermost() throws {
        let frame = frames[level]
        level -= 1
        if frame.tag == Self.pendingValue {
            if storage.pointee.output.position == frame.start { appendEmptyMap() }
            return
        }
        let length = storage.pointee.output.position - frame.start - 5
        guard let length = UInt32(exactly: length) else {
            throw error(frame.start, "The value is longer than 4 GiB.")
        }
        storage.pointee.output.overwrite(length, at: frame.start + 1)
        if frame.tag == BinaryFormat.Tag.list {
            storage.pointee.output.overwrite(frame.count, at: frame.start + 5)
        }
    }

    private func appendEmptyMap() {
        storage.pointee.output.append(BinaryFormat.Tag.map)
        storage.pointee.output.append(UInt32(0))
    }

    /// Appends the key of a map's next value.
    @inline(__always)
    func append(
        key: some CodingKey,
        indexes: UnsafeMutablePointer<UInt16>?,
        of map: Int,
        start: Int
    ) throws {
        try enter(map, start: start)
        frames[map].key = storage.pointee.output.position
        guard let indexes else {
            storage.pointee.output.append(BinaryFormat.KeyTag.inline)
            try storage.pointee.output.append(text: key.stringValue)
            return
        }
        let slot = indexes + Int(withUnsafeBytes(of: key) { $0.first ?? 0 })
        if slot.pointee == 0 {
            slot.pointee = try storage.pointee.names.index(of: key.stringValue) + 1
        }
        let index = slot.pointee - 1
        if index < UInt16(BinaryFormat.KeyTag.firstReserved) {
            storage.pointee.output.append(UInt8(truncatingIfNeeded: index))
        } else {
            storage.pointee.output.append(BinaryFormat.KeyTag.wide)
            storage.pointee.output.append(index)
        }
    }

    /// Increments the number of values of a list.
    @inline(__always)
    func countValue(of list: Int, start: Int) throws {
        try enter(list, start: start)
        frames[list].count &+= 1
    }

    /// Returns an encoder for the next value of the container at `level`, after running `begin`.
    ///
    /// `begin` writes the value's key in a map, or counts the value in a list.
    ///
    /// For methods that cannot throw: an error of `begin` is recorded, and `finish` throws it.
    func child(of level: Int, _ begin: () throws -> Void) -> BinaryEncoder {
        do {
            try begin()
            return BinaryEncoder(state: self, level: level, start: storage.pointee.output.position)
        } catch {
            fail(error)
            return BinaryEncoder(state: self, level: level, start: -1)
        }
    }

    /// Returns the table that maps a type's keys to name indexes; nil if the key type is larger
    /// than one byte.
    ///
    /// The keys of dictionaries are an example.
    func indexes<Key: CodingKey>(of type: Key.Type) -> UnsafeMutablePointer<UInt16>? {
        MemoryLayout<Key>.size > 1 ? nil : storage.pointee.names.indexes(of: ObjectIdentifier(type))
    }

    // MARK: - Values

    /// Encodes a value of any type as the next value of the container at `level`.
    func encode<Value: Encodable>(_ value: Value, level: Int) throws {
        // These casts are between equal types.
        if Value.self == Date.self {
            storage.pointee.output.append(BinaryFormat.Tag.date)
            storage.pointee.output.append(
                unsafeBitCast(value, to: Date.self).timeIntervalSinceReferenceDate.bitPattern
            )
        } else if Value.self == String.self {
            try storage.pointee.output.append(text: unsafeBitCast(value, to: String.self))
        } else if Value.self == [String].self {
            try storage.pointee.output.append(texts: unsafeBitCast(value, to: [String].self))
        } else if Value.self == RowIDBuffer.self {
            try storage.pointee.output.append(ids: unsafeBitCast(value, to: RowIDBuffer.self))
        } else if Value.self == Data.self {
            try storage.pointee.output.append(data: unsafeBitCast(value, to: Data.self))
        } else if Value.self == [UInt8].self {
            try storage.pointee.output.append(data: Data(unsafeBitCast(value, to: [UInt8].self)))
        } else if Value.self == [AssetRecord].self {
            try AssetRecordLayout.append(
                unsafeBitCast(value, to: [AssetRecord].self),
                to: &storage.pointee.output
            )
        } else {
            let start = storage.pointee.output.position
            do {
                try value.encode(to: BinaryEncoder(state: self, level: level, start: start))
                try close(to: level)
            } catch {
                // The message has a key without a value now, even if the type ignores the error.
                fail(error)
                throw error
            }
            if storage.pointee.output.position == start { appendEmptyMap() }
        }
    }

    @inline(__always)
    func appendNull() { storage.pointee.output.append(BinaryFormat.Tag.null) }

    @inline(__always)
    func append(bool: Bool) {
        storage.pointee.output.append(bool ? BinaryFormat.Tag.yes : BinaryFormat.Tag.no)
    }

    @inline(__always)
    func append(text: String) throws { try storage.pointee.output.append(text: text) }

    @inline(__always)
    func append(integer: Int64) { storage.pointee.output.append(integer: integer) }

    @inline(__always)
    func append(double: Double) {
        storage.pointee.output.append(BinaryFormat.Tag.double)
        storage.pointee.output.append(double.bitPattern)
    }

    func append(float: Float) {
        storage.pointee.output.append(BinaryFormat.Tag.float)
        storage.pointee.output.append(float.bitPattern)
    }

    @inline(__always)
    func append(unsigned: UInt64) {
        if let integer = Int64(exactly: unsigned) {
            storage.pointee.output.append(integer: integer)
        } else {
            storage.pointee.output.append(BinaryFormat.Tag.uint64)
            storage.pointee.output.append(unsigned)
        }
    }

    // MARK: - Errors

    private func fail(_ error: any Error) {
        storage.pointee.failure = storage.pointee.failure ?? error
    }

    /// Returns the coding path of the value that is currently encoded in the container at `level`.
    func codingPath(to level: Int) -> [any CodingKey] {
        (1..<max(1, min(level, self.level) + 1)).compactMap { level in
            let frame = frames[level]
            switch frame.tag {
            case BinaryFormat.Tag.list: return PathKey(index: Int(frame.count) - 1)
            case BinaryFormat.Tag.map where frame.key > 0:
                return storage.pointee.names.name(ofKeyAt: frame.key, in: storage.pointee.output)
                    .map(PathKey.init(name:))
            default: return nil
            }
        }
    }

    /// Returns an error for the value at a position.
    private func error(_ position: Int, _ text: String) -> EncodingError {
        .invalidValue(
            position,
            EncodingError.Context(codingPath: codingPath(to: level), debugDescription: text)
        )
    }
}
