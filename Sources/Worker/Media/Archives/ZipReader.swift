internal import WorkerProtocol

/// Lists the entries of a ZIP archive.
///
/// A truncated archive has no central directory. Its listing is made from the headers before the
/// entries.
struct ZipReader {
    let file: ArchiveFile

    // MARK: - Directory

    /// Returns the cursor of the listing's first page.
    func first() throws(ArchiveProblem) -> ArchiveCursor {
        guard let end = try endRecord() else { return .headers(offset: 0) }
        return end
    }

    /// Finds the end record and returns the cursor of the central directory's first page; nil for a
    /// truncated archive.
    private func endRecord() throws(ArchiveProblem) -> ArchiveCursor? {
        let length = Int(min(file.size, 22 + 65_535))
        let start = file.size - Int64(length)
        let tail = try file.bytes(at: start, length: length)
        var offset = length - 22
        while offset >= 0 {
            if number(tail, offset, 4) == 0x0605_4b50,
                offset + 22 + Int(number(tail, offset + 20, 2)) == length
            {
                return try directory(
                    end: start + Int64(offset),
                    Array(tail[offset..<offset + 22])
                )
            }
            offset -= 1
        }
        return nil
    }

    private func directory(end: Int64, _ record: [UInt8]) throws(ArchiveProblem) -> ArchiveCursor {
        var count = number(record, 10, 2)
        var length = number(record, 12, 4)
        var offset = number(record, 16, 4)
        var disk = number(record, 4, 2)
        var end = end
        let isLarge =
            count == 0xffff || length == 0xffff_ffff || offset == 0xffff_ffff || disk == 0xffff
        if isLarge, end >= 20 {
            let locator = try file.bytes(at: end - 20, length: 20)
            let place = number(locator, 8, 8)
            if number(locator, 0, 4) == 0x0706_4b50, place <= UInt64(Int64.max),
                let large = try? file.bytes(at: Int64(place), length: 56),
                number(large, 0, 4) == 0x0606_4b50
            {
                disk = number(large, 16, 4)
                count = number(large, 32, 8)
                length = number(large, 40, 8)
                offset = number(large, 48, 8)
                end = Int64(place)
            }
        }
        guard disk == 0 else {
            throw ArchiveProblem(
                "It is one volume of a split ZIP archive. Join the volumes first."
            )
        }
        guard length <= UInt64(end), offset <= UInt64(end) - length else { throw .damaged }
        let start = end - Int64(length)
        return .directory(
            offset: start,
            end: end,
            base: start - Int64(offset),
            remaining: Int64(min(count, UInt64(Int32.max)))
        )
    }

    /// Reads a page of the listing from the central directory.
    ///
    /// All of the directory is read, whatever number of entries is stated: programs that do not
    /// write the records of ZIP64 state only the lower 16 bits. An entry takes at least 46 bytes of
    /// the directory, so the directory's length limits their number.
    func page(offset: Int64, end: Int64, base: Int64, remaining: Int64)
        throws(ArchiveProblem) -> ArchivePage
    {
        guard base >= 0, (0...file.size).contains(end), offset >= 0, remaining >= -end else {
            throw .damaged
        }
        var budget = PageBudget()
        var offset = offset
        var remaining = remaining
        while offset < end, !budget.isFull {
            guard offset <= end - 46, let fixed = try? file.bytes(at: offset, length: 46),
                number(fixed, 0, 4) == 0x0201_4b50
            else {
                if isSignature(at: offset, end: end) {
                    offset = end
                    break
                }
                return ArchivePage(items: budget.found, problem: ArchiveProblem.damaged.reason)
            }
            let lengths = [28, 30, 32].map { Int(number(fixed, $0, 2)) }
            let total = lengths.reduce(0, +)
            guard Int64(total) <= end - offset - 46,
                let variable = try? file.bytes(at: offset + 46, length: total)
            else { return ArchivePage(items: budget.found, problem: ArchiveProblem.damaged.reason) }
            offset += 46 + Int64(total)
            remaining -= 1
            let name = ArchiveNames.text(variable[..<lengths[0]])
            let extra = Array(variable[lengths[0]..<lengths[0] + lengths[1]])
            guard !name.hasSuffix("/") else { continue }
            budget.add(item(name, Header(directory: fixed, extra: extra, base: base)))
        }
        guard offset >= end else {
            return ArchivePage(
                items: budget.found,
                next: .directory(offset: offset, end: end, base: base, remaining: remaining)
            )
        }
        let isIncomplete = remaining > 0
        return ArchivePage(
            items: budget.found,
            problem: isIncomplete ? ArchiveProblem.damaged.reason : nil
        )
    }

    /// Indicates whether the rest of the central directory is its digital signature, which may
    /// follow the last entry.
    private func isSignature(at offset: Int64, end: Int64) -> Bool {
        guard offset <= end - 6, let fixed = try? file.bytes(at: offset, length: 6),
            number(fixed, 0, 4) == 0x0505_4b50
        else { return false }
        return Int64(number(fixed, 4, 2)) == end - offset - 6
    }

    /// The values of an entry's header, which is in the central directory or precedes the entry.
    private struct Header {
        var flags: UInt64
        var method: UInt64
        var crc: UInt32
        var packed: UInt64
        var size: UInt64
        var offset: UInt64
        var mode: UInt64

        init(directory fixed: [UInt8], extra: [UInt8], base: Int64) {
            flags = number(fixed, 8, 2)
            method = number(fixed, 10, 2)
            crc = UInt32(truncatingIfNeeded: number(fixed, 16, 4))
            packed = number(fixed, 20, 4)
            size = number(fixed, 24, 4)
            offset = number(fixed, 42, 4)
            // Only Unix states the kind of a file.
            mode = number(fixed, 4, 2) >> 8 == 3 ? number(fixed, 38, 4) >> 16 : 0
            apply(extra: extra, hasOffset: true)
            offset = offset.addingReportingOverflow(UInt64(base)).partialValue
        }

        init(local fixed: [UInt8], extra: [UInt8], offset: Int64) {
            flags = number(fixed, 6, 2)
            method = number(fixed, 8, 2)
            crc = UInt32(truncatingIfNeeded: number(fixed, 14, 4))
            packed = number(fixed, 18, 4)
            size = number(fixed, 22, 4)
            self.offset = UInt64(offset)
            mode = 0
            apply(extra: extra, hasOffset: false)
        }

        /// Replaces the sizes and the offset that do not fit into 32 bits with those in the ZIP64
        /// extra field.
        ///
        /// The extra field contains only the values that do not fit into the header, in a fixed
        /// order.
        private mutating func apply(extra: [UInt8], hasOffset: Bool) {
            var place = 0
            while place + 4 <= extra.count {
                let length = Int(number(extra, place + 2, 2))
                guard place + 4 + length <= extra.count else { return }
                if number(extra, place, 2) == 1 {
                    var values = Array(extra[place + 4..<place + 4 + length])[...]
                    func next() -> UInt64? {
                        guard values.count >= 8 else { return nil }
                        defer { values = values.dropFirst(8) }
                        return number(Array(values.prefix(8)), 0, 8)
                    }
                    if size == 0xffff_ffff, let value = next() { size = value }
                    if packed == 0xffff_ffff, let value = next() { packed = value }
                    if hasOffset, offset == 0xffff_ffff, let value = next() { offset = value }
                    return
                }
                place += 4 + length
            }
        }
    }

    private func item(_ name: String, _ header: Header) -> ArchiveItem {
        func refused(_ reason: String) -> ArchiveItem {
            .refused(name: ArchiveNames.shown(name), reason: reason)
        }
        if let problem = ArchiveNames.problem(name) { return refused(problem) }
        guard header.flags & 1 == 0 else {
            return refused("It is encrypted. Extract the archive first.")
        }
        guard [0, 0o100000].contains(header.mode & 0o170000) else {
            return refused("It is a link or a device, not a regular file.")
        }
        guard header.method == 0 || header.method == 8 else {
            return refused("Its compression (method \(header.method)) is not supported.")
        }
        guard header.packed <= UInt64(file.size), header.offset < UInt64(file.size),
            header.packed <= UInt64(file.size) - header.offset
        else { return refused("It lies beyond the end of the archive.") }
        guard header.size <= UInt64(Int64.max), header.method == 8 || header.size == header.packed,
            // Deflate cannot compress to less than a thousandth.
            header.size / 1100 <= header.packed
        else { return refused("Its size is impossible.") }
        let entry = ArchiveEntry(
            name: name,
            size: Int64(header.size),
            crc: header.crc,
            modificationTime: nil,
            place: .zip(
                header: Int64(header.offset),
                length: Int64(header.packed),
                isDeflated: header.method == 8
            )
        )
        return .file(entry, reading: ArchiveExtractor.reading(of: entry, in: file))
    }

    // MARK: - Headers

    /// Reads a page of the listing of a truncated archive, from the headers before the entries.
    func page(headersAt start: Int64) throws(ArchiveProblem) -> ArchivePage {
        var budget = PageBudget()
        var offset = start
        var work: Int64 = 0
        while !budget.isFull, work < PageBudget.output {
            guard let fixed = try? file.bytes(at: offset, length: 30),
                number(fixed, 0, 4) == 0x0403_4b50
            else {
                if offset == 0 { throw .damaged }
                return ArchivePage(
                    items: budget.found,
                    problem: ArchiveProblem.truncated.reason
                )
            }
            let (nameLength, extraLength) = (Int(number(fixed, 26, 2)), Int(number(fixed, 28, 2)))
            let length = nameLength + extraLength
            guard let variable = try? file.bytes(at: offset + 30, length: length) else {
                return ArchivePage(
                    items: budget.found,
                    problem: ArchiveProblem.truncated.reason
                )
            }
            let name = ArchiveNames.text(variable[..<nameLength])
            var header = Header(
                local: fixed,
                extra: Array(variable[nameLength...]),
                offset: offset
            )
            let data = offset + 30 + Int64(length)
            var end = data
            if header.flags & 8 != 0, header.method == 8, header.packed == 0 {
                // The size follows the bytes, so only decompression finds their end.
                guard let found = try? measure(at: data, &header) else {
                    return ArchivePage(
                        items: budget.found,
                        problem: ArchiveProblem.truncated.reason
                    )
                }
                end = found
                work += Int64(clamping: header.size)
            } else {
                guard header.flags & 8 == 0 || header.packed > 0,
                    header.packed <= UInt64(max(0, file.size - data))
                else {
                    return ArchivePage(
                        items: budget.found,
                        problem: ArchiveProblem.truncated.reason
                    )
                }
                end = data + Int64(header.packed)
                if header.flags & 8 != 0 { end += descriptorLength(at: end, header.crc) }
            }
            offset = end
            if !name.hasSuffix("/") { budget.add(item(name, header)) }
        }
        return ArchivePage(items: budget.found, next: .headers(offset: offset))
    }

    /// Decompresses an entry to find its end; returns the offset at which the next header is
    /// expected.
    private func measure(at data: Int64, _ header: inout Header) throws(ArchiveProblem) -> Int64 {
        let stream = try InflateStream(
            file,
            framing: .raw(end: file.size),
            from: InflatePosition(input: data)
        )
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        defer { buffer.deallocate() }
        while try stream.read(into: buffer) > 0 {}
        let end = stream.consumed
        header.packed = UInt64(end - data)
        header.size = UInt64(stream.output)
        header.crc = stream.crc
        return end + descriptorLength(at: end, stream.crc)
    }

    /// Returns the length of the data descriptor, which follows an entry's content.
    private func descriptorLength(at offset: Int64, _ crc: UInt32) -> Int64 {
        guard let bytes = try? file.bytes(at: offset, length: 4) else { return 0 }
        let hasMark = number(bytes, 0, 4) == 0x0807_4b50
        let start: Int64 = hasMark ? 4 : 0
        for length: Int64 in [12, 20] {
            if let next = try? file.bytes(at: offset + start + length, length: 4),
                [0x0403_4b50, 0x0201_4b50].contains(number(next, 0, 4))
            {
                return start + length
            }
        }
        return start + 12
    }
}

/// Reads a little-endian number of up to eight bytes; returns 0 if the array ends before it.
private func number(_ bytes: [UInt8], _ offset: Int, _ length: Int) -> UInt64 {
    guard offset >= 0, length <= 8, offset + length <= bytes.count else { return 0 }
    return bytes[offset..<offset + length].reversed().reduce(0) { $0 << 8 | UInt64($1) }
}
