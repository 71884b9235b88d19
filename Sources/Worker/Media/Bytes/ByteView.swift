internal import Glibc

/// A view of untrusted bytes with bounds-checked reads that never trap.
///
/// Offsets are relative to the view's start. The memory belongs to the mapped file or to a parent
/// array and must outlive the view; a request retains it while it runs.
package struct ByteView {
    package let bytes: UnsafeRawBufferPointer

    package init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    package static var empty: ByteView {
        ByteView(UnsafeRawBufferPointer(start: nil, count: 0))
    }

    package var count: Int { bytes.count }
    package var isEmpty: Bool { bytes.isEmpty }

    // MARK: - Parts

    /// Returns `length` bytes from `offset` on; nil if the view has fewer.
    package func part(at offset: Int, length: Int) -> ByteView? {
        guard offset >= 0, length >= 0, offset <= count, length <= count - offset else {
            return nil
        }
        return ByteView(UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + length]))
    }

    /// Returns at most `length` bytes from `offset` on, up to the end of the view.
    package func available(at offset: Int, length: Int = .max) -> ByteView {
        guard offset >= 0, offset < count, length > 0 else { return .empty }
        return part(at: offset, length: min(length, count - offset)) ?? .empty
    }

    // MARK: - Numbers

    /// Returns the offset at which a part begins in this view; nil for a view of other memory.
    package func offset(of part: ByteView) -> Int? {
        guard let start = bytes.baseAddress, let first = part.bytes.baseAddress else { return nil }
        let offset = first - start
        return offset >= 0 && offset <= count && part.count <= count - offset ? offset : nil
    }

    package func byte(at offset: Int) -> UInt8? {
        offset >= 0 && offset < count ? bytes[offset] : nil
    }

    /// Reads an unsigned number of 1...8 bytes.
    package func number(at offset: Int, length: Int, isBigEndian: Bool = true) -> UInt64? {
        guard (1...8).contains(length), let part = part(at: offset, length: length) else {
            return nil
        }
        var result: UInt64 = 0
        for index in 0..<length {
            result = result << 8 | UInt64(part.bytes[isBigEndian ? index : length - 1 - index])
        }
        return result
    }

    package func integer16(at offset: Int, isBigEndian: Bool = true) -> Int? {
        number(at: offset, length: 2, isBigEndian: isBigEndian).map { Int($0) }
    }

    package func integer32(at offset: Int, isBigEndian: Bool = true) -> Int? {
        number(at: offset, length: 4, isBigEndian: isBigEndian).map { Int($0) }
    }

    // MARK: - Text

    package func starts(with text: StaticString, at offset: Int = 0) -> Bool {
        let length = text.utf8CodeUnitCount
        guard let part = part(at: offset, length: length) else { return false }
        return text.withUTF8Buffer { wanted in part.bytes.elementsEqual(wanted) }
    }

    /// Reads a four-character code as ASCII: the byte of `©` loses its high bit and becomes `)`,
    /// and other bytes outside printable ASCII become `?`.
    package func code(at offset: Int) -> String? {
        guard let part = part(at: offset, length: 4) else { return nil }
        return String(
            decoding: part.bytes.map {
                (0x20...0x7e).contains($0) || $0 == 0xa9 ? $0 & 0x7f : 0x3f
            },
            as: Unicode.ASCII.self
        )
    }

    /// Returns the offset of the first occurrence of a byte at or after `offset`.
    package func index(of byte: UInt8, from offset: Int = 0) -> Int? {
        guard offset >= 0, offset < count, let start = bytes.baseAddress,
            let found = memchr(start + offset, Int32(byte), count - offset)
        else { return nil }
        return UnsafeRawPointer(found) - start
    }

    /// Returns whether the view contains `text`.
    package func contains(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { contains($0) }
    }

    package func contains(_ wanted: some Sequence<UInt8>) -> Bool {
        index(of: Array(wanted)) != nil
    }

    /// Returns the offset of the first occurrence of a byte sequence.
    package func index(of pattern: [UInt8]) -> Int? {
        guard let start = bytes.baseAddress, let first = pattern.first else { return nil }
        var offset = 0
        while let found = index(of: first, from: offset) {
            guard pattern.count <= count - found else { return nil }
            if memcmp(start + found, pattern, pattern.count) == 0 { return found }
            offset = found + 1
        }
        return nil
    }
}
