internal import FoundationEssentials
internal import PhotoModel

/// A growable byte buffer for messages in the binary form.
///
/// Long runs of bytes are not copied into the buffer's memory. They are retained, and copied once
/// into the result of `bytes()`. Positions include them.
struct BinaryBuffer: ~Copyable {
    /// A run of bytes that is retained instead of copied.
    private enum Run {
        case ids(ContiguousArray<Int64>)
        case data(Data)

        var count: Int {
            switch self {
            case .ids(let ids): ids.count * 8
            case .data(let data): data.count
            }
        }

        func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
            switch self {
            case .ids(let ids): ids.withUnsafeBytes(body)
            case .data(let data): data.withUnsafeBytes(body)
            }
        }
    }

    /// The minimum length of a run that is retained, in bytes.
    private static let longRun = 64 << 10

    private var base: UnsafeMutableRawPointer
    private var capacity = 1_024
    /// The number of bytes in the buffer's own memory, without the retained runs.
    private var count = 0
    /// The retained runs, each with its insertion offset in the buffer's own memory.
    private var runs: [(offset: Int, run: Run)] = []
    private var runLength = 0

    init() { base = .allocate(byteCount: capacity, alignment: 16) }

    deinit { base.deallocate() }

    /// The number of bytes so far, including the retained runs.
    var position: Int {
        @inline(__always) get { count + runLength }
    }

    /// Returns all bytes, including those of the retained runs.
    func bytes() -> [UInt8] {
        let total = position
        return [UInt8](unsafeUninitializedCapacity: total) { buffer, initialized in
            let target = UnsafeMutableRawBufferPointer(buffer)
            var copied = 0
            var filled = 0
            func copy(_ source: UnsafeRawBufferPointer) {
                UnsafeMutableRawBufferPointer(rebasing: target[filled...]).copyMemory(from: source)
                filled += source.count
            }
            for (offset, run) in runs {
                copy(UnsafeRawBufferPointer(start: base + copied, count: offset - copied))
                copied = offset
                run.withBytes(copy)
            }
            copy(UnsafeRawBufferPointer(start: base + copied, count: count - copied))
            initialized = total
        }
    }

    // MARK: - Numbers

    /// Makes room for `length` more bytes.
    @inline(__always)
    private mutating func reserve(_ length: Int) {
        if capacity - count < length { grow(length) }
    }

    @inline(never)
    private mutating func grow(_ length: Int) {
        capacity = max(capacity * 2, count + length)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
        larger.copyMemory(from: base, byteCount: count)
        base.deallocate()
        base = larger
    }

    /// Appends the bytes of a number.
    @inline(__always)
    mutating func append<Number: FixedWidthInteger & BitwiseCopyable>(_ number: Number) {
        reserve(MemoryLayout<Number>.size)
        base.storeBytes(of: number.littleEndian, toByteOffset: count, as: Number.self)
        count += MemoryLayout<Number>.size
    }

    /// Appends the bytes of a floating-point number.
    @inline(__always)
    mutating func append(_ number: Double) { append(number.bitPattern) }

    /// Replaces the number at a position, which must lie in the buffer's own memory.
    mutating func overwrite(_ number: UInt32, at position: Int) {
        base.storeBytes(
            of: number.littleEndian,
            toByteOffset: offset(of: position),
            as: UInt32.self
        )
    }

    /// Returns the number at a position, which must lie in the buffer's own memory.
    func load<Number: FixedWidthInteger & BitwiseCopyable>(at position: Int) -> Number {
        Number(
            littleEndian: base.loadUnaligned(fromByteOffset: offset(of: position), as: Number.self)
        )
    }

    /// Converts a position to an offset in the buffer's own memory.
    private func offset(of position: Int) -> Int {
        var before = 0
        for (offset, run) in runs where offset + before < position { before += run.count }
        return position - before
    }

    /// Appends an integer in its shortest form.
    @inline(__always)
    mutating func append(integer: Int64) {
        typealias Tag = BinaryFormat.Tag
        if integer >= 0, integer <= Int64(Tag.lastSmallNumber) {
            append(UInt8(truncatingIfNeeded: integer))
        } else if let short = Int8(exactly: integer) {
            append(Tag.int8)
            append(short)
        } else if let short = Int16(exactly: integer) {
            append(Tag.int16)
            append(short)
        } else if let short = Int32(exactly: integer) {
            append(Tag.int32)
            append(short)
        } else {
            append(Tag.int64)
            append(integer)
        }
    }

    // MARK: - Texts and bytes

    /// Appends a text with its tag and length.
    @inline(__always)
    mutating func append(text: String) throws {
        let length = text.utf8.count
        if length <= Int(BinaryFormat.Tag.lastShortText - BinaryFormat.Tag.firstShortText) {
            append(BinaryFormat.Tag.firstShortText + UInt8(truncatingIfNeeded: length))
        } else {
            append(BinaryFormat.Tag.text)
            try append(length: length)
        }
        append(rawText: text)
    }

    /// Appends the bytes of a text, without a tag or length.
    @inline(__always)
    mutating func append(rawText text: String) {
        var text = text
        text.withUTF8 { append(raw: UnsafeRawBufferPointer($0)) }
    }

    /// Appends a list of texts with its tag, length and count.
    mutating func append(texts: [String]) throws {
        append(BinaryFormat.Tag.list)
        let start = position
        append(UInt32(0))
        try append(length: texts.count)
        for text in texts { try append(text: text) }
        try overwriteLength(at: start)
    }

    /// Appends row ids with their tag and length.
    mutating func append(ids: RowIDBuffer) throws {
        append(BinaryFormat.Tag.rowIDs)
        let length = ids.count * 8
        try append(length: length)
        #if _endian(little)
        let values = ids.ids
        #else
        let values = ContiguousArray(ids.ids.map(\.littleEndian))
        #endif
        if length >= Self.longRun {
            runs.append((count, .ids(values)))
            runLength += length
        } else {
            values.withUnsafeBytes { append(raw: $0) }
        }
    }

    /// Appends data with its tag and length.
    mutating func append(data: Data) throws {
        append(BinaryFormat.Tag.data)
        try append(length: data.count)
        if data.count >= Self.longRun {
            runs.append((count, .data(data)))
            runLength += data.count
        } else {
            data.withUnsafeBytes { append(raw: $0) }
        }
    }

    /// Appends a length field.
    mutating func append(length: Int) throws {
        guard let length = UInt32(exactly: length) else { throw Self.tooLong(length) }
        append(length)
    }

    /// Sets a length field to the number of bytes that follow the field.
    mutating func overwriteLength(at position: Int) throws {
        let length = self.position - position - 4
        guard let length = UInt32(exactly: length) else { throw Self.tooLong(length) }
        overwrite(length, at: position)
    }

    @inline(__always)
    mutating func append(raw bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        reserve(bytes.count)
        (base + count).copyMemory(from: start, byteCount: bytes.count)
        count += bytes.count
    }

    private static func tooLong(_ length: Int) -> EncodingError {
        .invalidValue(
            length,
            EncodingError.Context(
                codingPath: [],
                debugDescription: "A value of \(length) bytes is longer than 4 GiB."
            )
        )
    }
}
