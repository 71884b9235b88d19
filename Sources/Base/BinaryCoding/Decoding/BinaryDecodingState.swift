internal import FoundationEssentials
internal import PhotoModel

/// The state of decoding a message.
///
/// 1. A position that decoders and containers have is that of a value whose whole extent was
///    compared with the end of its container, and so lies within the message.
/// 2. Memory is charged before it is allocated.
///
/// The value is a pointer to the message's storage, which `BinaryCoder.decode` owns: no value keeps
/// its decoder or container after it was decoded. Counting references would take a fifth of the
/// time (ADR 0063). Used by one thread, for one message.
struct BinaryDecodingState {
    /// A map or a list that is being decoded.
    struct Frame {
        /// The position of the container's tag.
        var start: Int
        /// The position of the next entry or value.
        var cursor: Int
        var end: Int
        /// The position of the current key in a map; the index of the current value in a list.
        var current: Int
        var isMap: Bool
    }

    private struct Storage: ~Copyable {
        let base: UnsafeRawPointer
        /// The containers by their level; index 0 is the message itself.
        let frames: UnsafeMutablePointer<Frame>
        var names: DecodedNames
        let limits: CodingLimits
        /// The memory in bytes that may still be allocated.
        var memory: Int
        /// The first error that occurred in a method that cannot throw.
        var failure: (any Error)?
    }

    typealias Tag = BinaryFormat.Tag

    private let storage: UnsafeMutablePointer<Storage>

    /// Checks the lengths in a message and allocates the storage, which the caller must deallocate.
    ///
    /// The message must outlive the state.
    init(_ body: UnsafeRawBufferPointer, limits: CodingLimits) throws {
        guard let base = body.baseAddress, body.count > BinaryFormat.headerLength else {
            throw DecodingError.malformed([], "The message is empty.")
        }
        let length = Int(UInt32(littleEndian: base.loadUnaligned(as: UInt32.self)))
        guard length > 0, length <= body.count - BinaryFormat.headerLength else {
            throw DecodingError.malformed([], "The message is shorter than it states.")
        }
        let end = BinaryFormat.headerLength + length
        let names = try DecodedNames(UnsafeRawBufferPointer(rebasing: body[end...]))
        let (product, overflows) = body.count.multipliedReportingOverflow(by: limits.memoryPerByte)
        let (sum, overflowsToo) = product.addingReportingOverflow(limits.additionalMemory)
        let frames = UnsafeMutablePointer<Frame>.allocate(capacity: limits.depth + 2)
        frames.initialize(
            repeating: Frame(start: -1, cursor: 0, end: 0, current: 0, isMap: false),
            count: limits.depth + 2
        )
        storage = .allocate(capacity: 1)
        storage.initialize(
            to: Storage(
                base: base,
                frames: frames,
                names: names,
                limits: limits,
                memory: overflows || overflowsToo ? .max : sum
            )
        )
        do {
            guard try self.end(of: BinaryFormat.headerLength, within: end, level: 0) == end else {
                throw malformed(0, "The message is longer than its value.")
            }
        } catch {
            deallocate()
            throw error
        }
    }

    func deallocate() {
        frames.deallocate()
        storage.deinitialize(count: 1)
        storage.deallocate()
    }

    var base: UnsafeRawPointer {
        @inline(__always) get { storage.pointee.base }
    }

    var frames: UnsafeMutablePointer<Frame> {
        @inline(__always) get { storage.pointee.frames }
    }

    /// The first error that occurred in a method that cannot throw.
    var failure: (any Error)? { storage.pointee.failure }

    // MARK: - Names

    /// Returns the table, indexed by a key's single byte, that maps a type's keys to indexes of
    /// names; nil if the type's keys are larger than one byte.
    ///
    /// The keys of dictionaries are an example.
    func indexes<Key: CodingKey>(of type: Key.Type) -> UnsafeMutablePointer<UInt16>? {
        storage.pointee.names.indexes(of: type)
    }

    /// Returns the index of a name, or `DecodedNames.absent` if the message does not have the name.
    func index(of name: String) -> UInt16 { storage.pointee.names.index(of: name) }

    /// Returns the name at an index; nil if the index has no name or the name is not UTF-8.
    func name(at index: Int) -> String? { storage.pointee.names.name(at: index) }

    /// Indicates whether the name at an index equals a given one.
    func isName(at index: Int, equalTo name: String) -> Bool {
        storage.pointee.names.isName(at: index, equalTo: name)
    }

    // MARK: - Bytes

    @inline(__always)
    func byte(_ position: Int) -> UInt8 { base.load(fromByteOffset: position, as: UInt8.self) }

    @inline(__always)
    func load<Number: FixedWidthInteger & BitwiseCopyable>(
        _ position: Int,
        as type: Number.Type
    ) -> Number {
        Number(littleEndian: base.loadUnaligned(fromByteOffset: position, as: type))
    }

    /// Returns the position after a value, and checks that the value ends within its container.
    @inline(__always)
    func end(of position: Int, within limit: Int, level: Int) throws -> Int {
        guard position < limit else { throw malformed(level, "A value is missing.") }
        let tag = byte(position)
        if tag <= Tag.lastSmallNumber { return position + 1 }
        guard let fixed = BinaryFormat.fixedLength(after: tag) else {
            throw malformed(level, "The tag \(tag) is unknown.")
        }
        var end = position + 1 + fixed
        guard end <= limit else { throw malformed(level, "A value is too short.") }
        if BinaryFormat.hasLength(tag) { end += Int(load(position + 1, as: UInt32.self)) }
        guard end <= limit else { throw malformed(level, "A value is longer than its container.") }
        return end
    }

    /// Returns the length field of a value that has one.
    func length(at position: Int) -> Int { Int(load(position + 1, as: UInt32.self)) }

    // MARK: - Limits

    /// Charges the size of an allocation, which the caller is about to make, against the message's
    /// memory limit.
    @inline(__always)
    func charge(_ bytes: Int, level: Int) throws {
        let (rest, overflows) = storage.pointee.memory.subtractingReportingOverflow(bytes)
        guard !overflows, rest >= 0 else {
            throw malformed(level, "The value would take too much memory for its length.")
        }
        storage.pointee.memory = rest
    }

    /// Charges the size of `count` values of a type against the message's memory limit.
    func charge<Value>(_ count: Int, of type: Value.Type, level: Int) throws {
        let (bytes, overflows) = count.multipliedReportingOverflow(by: MemoryLayout<Value>.stride)
        try charge(overflows ? .max : bytes, level: level)
    }

    /// Throws an error if a container's level exceeds the maximum depth.
    func requireDepth(_ level: Int) throws {
        guard level <= storage.pointee.limits.depth else {
            throw malformed(
                level - 1,
                "The value is nested more than \(storage.pointee.limits.depth) levels deep."
            )
        }
    }

    // MARK: - Numbers

    @inline(__always)
    func integer<Number: FixedWidthInteger>(
        at position: Int,
        as type: Number.Type,
        level: Int
    ) throws -> Number {
        let tag = byte(position)
        if tag <= Tag.lastSmallNumber { return Number(truncatingIfNeeded: tag) }
        let number: Number?
        switch tag {
        case Tag.int8: number = Number(exactly: load(position + 1, as: Int8.self))
        case Tag.int16: number = Number(exactly: load(position + 1, as: Int16.self))
        case Tag.int32: number = Number(exactly: load(position + 1, as: Int32.self))
        case Tag.int64: number = Number(exactly: load(position + 1, as: Int64.self))
        case Tag.uint64: number = Number(exactly: load(position + 1, as: UInt64.self))
        default: throw mismatch(type, at: position, level: level)
        }
        guard let number else { throw malformed(level, "The number does not fit \(type).") }
        return number
    }

    func bool(at position: Int, level: Int) throws -> Bool {
        switch byte(position) {
        case Tag.yes: true
        case Tag.no: false
        default: throw mismatch(Bool.self, at: position, level: level)
        }
    }

    @inline(__always)
    func double(at position: Int, level: Int) throws -> Double {
        guard byte(position) == Tag.double else {
            throw mismatch(Double.self, at: position, level: level)
        }
        return try checked(
            Double(bitPattern: load(position + 1, as: UInt64.self)),
            level: level
        )
    }

    func float(at position: Int, level: Int) throws -> Float {
        guard byte(position) == Tag.float else {
            throw mismatch(Float.self, at: position, level: level)
        }
        return try checked(Float(bitPattern: load(position + 1, as: UInt32.self)), level: level)
    }

    /// Returns a number, or throws an error if it is not finite and the limits require finite
    /// numbers.
    @inline(__always)
    func checked<Number: BinaryFloatingPoint>(_ number: Number, level: Int) throws -> Number {
        guard number.isFinite || !storage.pointee.limits.requiresFiniteNumbers else {
            throw DecodingError.malformed(codingPath(to: level), "The number is not finite.")
        }
        return number
    }

    @inline(__always)
    func isNull(at position: Int) -> Bool { byte(position) == Tag.null }

    // MARK: - Errors

    /// Records an error in a method that cannot throw; `BinaryCoder` throws it at the end.
    func fail(_ error: any Error) {
        storage.pointee.failure = storage.pointee.failure ?? error
    }

    /// Returns the coding path of the current value of the container at `level`.
    func codingPath(to level: Int) -> [any CodingKey] {
        guard level > 0 else { return [] }
        return (1...min(level, storage.pointee.limits.depth)).map { level in
            let frame = frames[level]
            return frame.isMap
                ? PathKey(name: (try? name(ofKeyAt: frame.current, in: frame)) ?? "?")
                : PathKey(index: frame.current)
        }
    }

    /// Returns an error that reports the current value of the container at `level` as malformed.
    @inline(never)
    func malformed(_ level: Int, _ text: String) -> DecodingError {
        .malformed(codingPath(to: level), text)
    }

    /// Returns an error for a value that does not have the expected type.
    @inline(never)
    func mismatch(_ type: any Any.Type, at position: Int, level: Int) -> DecodingError {
        let context = DecodingError.Context(
            codingPath: codingPath(to: level),
            debugDescription: "The value with the tag \(byte(position)) is no \(type)."
        )
        return isNull(at: position) ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    /// Returns an error for reading past the end of a list.
    @inline(never)
    func mismatchAtEnd(_ level: Int) -> DecodingError {
        .valueNotFound(
            Any.self,
            DecodingError.Context(
                codingPath: codingPath(to: level),
                debugDescription: "The list has too few values."
            )
        )
    }
}

extension DecodingError {
    /// Returns an error for malformed bytes.
    static func malformed(_ path: [any CodingKey], _ text: String) -> DecodingError {
        .dataCorrupted(Context(codingPath: path, debugDescription: text))
    }
}
