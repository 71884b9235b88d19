/// An error in the bytes of a remote object.
package struct CloudFormatError: Error, Hashable, CustomStringConvertible {
    /// The offset of the byte at which decoding stopped.
    package var offset: Int
    package var reason: String

    package var description: String {
        "The object is damaged at byte \(offset): \(reason). It is left out until the store returns "
            + "its true bytes; run photos cloud verify after the cause is removed."
    }
}

/// A decoder of untrusted bytes, which throws if they end early or declare more entries than the
/// remaining bytes can contain.
package struct SegmentReader {
    private let bytes: [UInt8]
    private let end: Int
    package private(set) var offset = 0

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        end = bytes.count
    }

    private init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        offset = range.lowerBound
        end = range.upperBound
    }

    package var remaining: Int { end - offset }

    package func error(_ reason: String) -> CloudFormatError {
        CloudFormatError(offset: offset, reason: reason)
    }

    package mutating func byte() throws(CloudFormatError) -> UInt8 {
        guard offset < end else { throw error("it ends early") }
        defer { offset += 1 }
        return bytes[offset]
    }

    private mutating func number(_ count: Int) throws(CloudFormatError) -> UInt64 {
        guard remaining >= count else { throw error("it ends early") }
        var value: UInt64 = 0
        for index in offset..<offset + count {
            value = value << 8 | UInt64(bytes[index])
        }
        offset += count
        return value
    }

    package mutating func uint16() throws(CloudFormatError) -> UInt16 {
        UInt16(truncatingIfNeeded: try number(2))
    }

    package mutating func uint32() throws(CloudFormatError) -> UInt32 {
        UInt32(truncatingIfNeeded: try number(4))
    }

    package mutating func uint64() throws(CloudFormatError) -> UInt64 {
        try number(8)
    }

    package mutating func id() throws(CloudFormatError) -> CloudID {
        CloudID(try number(8), try number(8))
    }

    package mutating func content() throws(CloudFormatError) -> ContentID {
        ContentID(try id(), try id())
    }

    package mutating func blob() throws(CloudFormatError) -> BlobName {
        BlobName(device: try id(), id: try id())
    }

    /// Reads an entry count, for entries that take at least `size` bytes each.
    ///
    /// Throws an error if the remaining bytes cannot contain so many entries.
    package mutating func count(ofAtLeast size: Int) throws(CloudFormatError) -> Int {
        let value = Int(try number(4))
        guard value <= remaining / max(size, 1) else { throw error("it claims \(value) entries") }
        return value
    }

    package mutating func counted() throws(CloudFormatError) -> [UInt8] {
        var part = try part()
        return part.rest()
    }

    /// Reads a length, skips that many bytes, and returns a reader of the skipped bytes.
    mutating func part() throws(CloudFormatError) -> SegmentReader {
        let count = try count(ofAtLeast: 1)
        defer { offset += count }
        return SegmentReader(bytes, offset..<offset + count)
    }

    /// Reads all bytes up to the end.
    mutating func rest() -> [UInt8] {
        defer { offset = end }
        return Array(bytes[offset..<end])
    }

    /// Returns the bytes that were read since an offset.
    func bytes(from start: Int) -> [UInt8] { Array(bytes[start..<offset]) }

    /// Throws if bytes remain.
    func finish() throws(CloudFormatError) {
        guard remaining == 0 else { throw error("bytes follow its end") }
    }

    package mutating func text() throws(CloudFormatError) -> String {
        guard let text = String(validating: try counted(), as: UTF8.self) else {
            throw error("a text is not UTF-8")
        }
        return text
    }

    package mutating func flag() throws(CloudFormatError) -> Bool {
        switch try byte() {
        case 0: return false
        case 1: return true
        case let value: throw error("\(value) is neither 0 nor 1")
        }
    }

    mutating func resources() throws(CloudFormatError) -> [CloudResource] {
        let count = try count(ofAtLeast: 52)
        var records: [CloudResource] = []
        records.reserveCapacity(count)
        for _ in 0..<count {
            records.append(
                CloudResource(id: try id(), content: try content(), record: try counted())
            )
        }
        return records
    }

    package mutating func item() throws(CloudFormatError) -> RegisterItem {
        switch try byte() {
        case 0: return .whole
        case 1: return .object(try id())
        case 2: return .word(try text())
        default: throw error("a register has an unknown item")
        }
    }

    mutating func value() throws(CloudFormatError) -> RegisterValue {
        switch try byte() {
        case 0: return .none
        case 1: return .flag(try flag())
        case 2: return .number(Int64(bitPattern: try uint64()))
        case 3:
            return .pair(Int64(bitPattern: try uint64()), Int64(bitPattern: try uint64()))
        case 4: return .text(try text())
        case 5: return .parent(try flag() ? try id() : nil, order: try counted())
        case 6: return .member(order: try flag() ? try counted() : nil)
        case 7: return .resources(try resources())
        case 8: return .bytes(try counted())
        case 9: return .version(try counted(), try resources())
        case let tag: throw error("a value has the unknown type \(tag)")
        }
    }
}
