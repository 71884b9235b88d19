/// A writer of the canonical encoding: fixed-size big-endian integers and length-prefixed byte
/// strings.
package struct SegmentWriter {
    package private(set) var bytes: [UInt8] = []
    /// The number of bytes counted so far; nil if the writer stores the bytes.
    private var counted: Int?

    package init() {}

    /// Makes room for bytes that will be appended.
    mutating func reserve(_ count: Int) {
        guard counted == nil else { return }
        bytes.reserveCapacity(bytes.count + count)
    }

    /// Removes and returns the first bytes, at most `count`.
    mutating func take(_ count: Int) -> [UInt8] {
        let taken = Array(bytes.prefix(count))
        bytes.removeFirst(taken.count)
        return taken
    }

    /// Appends bytes that are already encoded.
    mutating func append(encoded value: [UInt8]) {
        if counts(value.count) { return }
        bytes.append(contentsOf: value)
    }

    /// Returns the number of bytes that a closure appends, without storing them.
    static func measure(_ write: (inout SegmentWriter) -> Void) -> Int {
        var writer = SegmentWriter()
        writer.counted = 0
        write(&writer)
        return writer.counted ?? 0
    }

    /// Counts bytes and returns true if the writer only counts bytes; otherwise returns false.
    private mutating func counts(_ count: Int) -> Bool {
        guard let counted else { return false }
        self.counted = counted + count
        return true
    }

    package mutating func append(_ value: UInt8) {
        if counts(1) { return }
        bytes.append(value)
    }

    package mutating func append(_ value: UInt16) {
        if counts(2) { return }
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }

    package mutating func append(_ value: UInt32) {
        if counts(4) { return }
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }

    package mutating func append(_ value: UInt64) {
        if counts(8) { return }
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }

    package mutating func append(_ value: CloudID) {
        append(value.high)
        append(value.low)
    }

    package mutating func append(_ value: ContentID) {
        append(value.first)
        append(value.second)
    }

    package mutating func append(_ value: BlobName) {
        append(value.device)
        append(value.id)
    }

    /// Appends the number of the bytes, then the bytes.
    package mutating func append(counted value: [UInt8]) {
        append(UInt32(clamping: value.count))
        if counts(value.count) { return }
        bytes.append(contentsOf: value)
    }

    /// Appends the bytes that a closure writes, preceded by their number.
    mutating func append(countedBy write: (inout SegmentWriter) -> Void) {
        let start = bytes.count
        append(UInt32(0))
        write(&self)
        guard counted == nil else { return }
        let count = UInt32(clamping: bytes.count - start - 4)
        withUnsafeBytes(of: count.bigEndian) {
            bytes.replaceSubrange(start..<start + 4, with: $0)
        }
    }

    package mutating func append(_ value: String) {
        append(UInt32(clamping: value.utf8.count))
        if counts(value.utf8.count) { return }
        bytes.append(contentsOf: value.utf8)
    }

    mutating func append(_ value: Bool) {
        append(value ? UInt8(1) : 0)
    }

    package mutating func append(_ item: RegisterItem) {
        switch item {
        case .whole: append(UInt8(0))
        case .object(let id):
            append(UInt8(1))
            append(id)
        case .word(let word):
            append(UInt8(2))
            append(word)
        }
    }

    mutating func append(_ value: RegisterValue) {
        switch value {
        case .none: append(UInt8(0))
        case .flag(let flag):
            append(UInt8(1))
            append(flag)
        case .number(let number):
            append(UInt8(2))
            append(UInt64(bitPattern: number))
        case .pair(let first, let second):
            append(UInt8(3))
            append(UInt64(bitPattern: first))
            append(UInt64(bitPattern: second))
        case .text(let text):
            append(UInt8(4))
            append(text)
        case .parent(let parent, let order):
            append(UInt8(5))
            append(parent != nil)
            if let parent { append(parent) }
            append(counted: order)
        case .member(let order):
            append(UInt8(6))
            append(order != nil)
            if let order { append(counted: order) }
        case .resources(let resources):
            append(UInt8(7))
            append(resources)
        case .bytes(let value):
            append(UInt8(8))
            append(counted: value)
        case .version(let columns, let resources):
            append(UInt8(9))
            append(counted: columns)
            append(resources)
        }
    }

    mutating func append(_ resources: [CloudResource]) {
        append(UInt32(clamping: resources.count))
        for resource in resources {
            append(resource.id)
            append(resource.content)
            append(counted: resource.record)
        }
    }
}
