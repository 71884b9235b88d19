internal import WorkerProtocol

/// Lists the entries of a gzip-compressed tar archive.
struct TarReader {
    private static let block = 512
    private static let maximumLongName = 1 << 16
    private static let maximumSize: Int64 = 1 << 44

    let file: ArchiveFile

    /// Reads a page of the listing, starting with the entry whose header is at the offset `header`.
    ///
    /// `header` is an offset in the decompressed archive.
    func page(_ position: InflatePosition, header: Int64) throws(ArchiveProblem) -> ArchivePage {
        guard header >= position.output else { throw .damaged }
        var budget = PageBudget()
        let stream = try InflateStream(file, framing: .gzip, from: position)
        let start = stream.output
        var header = header
        do throws(ArchiveProblem) {
            // The end of a page may lie inside of a long file, which the next one skips.
            while !budget.isFull {
                guard stream.output - start < PageBudget.output || stream.output >= header else {
                    break
                }
                if header - stream.output > PageBudget.output {
                    try stream.skip(to: stream.output + PageBudget.output)
                    break
                }
                try stream.skip(to: header)
                guard let entry = try next(stream) else {
                    return try finish(stream, budget.found)
                }
                switch entry.item {
                case .file(let found, _)? where ArchiveNames.isJSON(found.name):
                    budget.add(.file(found, reading: try reading(found, stream)))
                case let item?: budget.add(item)
                case nil: break
                }
                header = entry.end
                if stream.output - start >= PageBudget.output { break }
            }
        } catch {
            return page(budget.found, endedBy: error, stream)
        }
        return ArchivePage(
            items: budget.found,
            next: .tar(stream.position, header: header),
            verified: stream.verified
        )
    }

    /// Reads a page behind the last entry, which has no items.
    func page(behindEntries position: InflatePosition) throws(ArchiveProblem) -> ArchivePage {
        let stream = try InflateStream(file, framing: .gzip, from: position)
        do throws(ArchiveProblem) { return try finish(stream, []) } catch {
            return page([], endedBy: error, stream)
        }
    }

    /// Returns the last page of a listing that ends with a problem.
    private func page(
        _ items: [ArchiveItem],
        endedBy problem: ArchiveProblem,
        _ stream: InflateStream
    ) -> ArchivePage {
        ArchivePage(
            items: items,
            problem: problem.reason,
            verified: stream.verified,
            isDamaged: problem.isDamage
        )
    }

    /// Decompresses the rest of the stream, up to the limit of one page.
    ///
    /// Reading to the end verifies the checksum of the archive, or of its last member.
    private func finish(_ stream: InflateStream, _ items: [ArchiveItem]) throws(ArchiveProblem)
        -> ArchivePage
    {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { buffer.deallocate() }
        let start = stream.output
        while stream.output - start < PageBudget.output {
            guard try stream.read(into: buffer) > 0 else {
                return ArchivePage(items: items, verified: stream.verified)
            }
        }
        return ArchivePage(items: items, next: .tarEnd(stream.position), verified: stream.verified)
    }

    // MARK: - Entries

    private struct Found {
        /// The listed entry; nil for a folder.
        var item: ArchiveItem?
        /// The offset of the next header.
        var end: Int64
    }

    /// The values from the GNU and pax extension headers that precede an entry's header.
    private struct Extended {
        var name: String?
        var size: Int64?
        var modificationTime: Int64?
    }

    /// Reads the headers of the next file or folder; returns nil at the end of the archive.
    private func next(_ stream: InflateStream) throws(ArchiveProblem) -> Found? {
        var extended = Extended()
        for _ in 0..<64 {
            let header = try bytes(stream, Self.block)
            if header.allSatisfy({ $0 == 0 }) { return nil }
            guard isValid(header) else { throw .damaged }
            guard let stated = Self.number(header[124..<136]), stated >= 0,
                stated <= Self.maximumSize
            else { throw .damaged }
            let type = header[156]
            let content = stream.output
            switch type {
            case UInt8(ascii: "L"):
                extended.name = ArchiveNames.text(
                    try long(stream, stated).prefix { $0 != 0 }
                )
            case UInt8(ascii: "x"): try read(try long(stream, stated), into: &extended)
            case UInt8(ascii: "g"), UInt8(ascii: "K"): _ = try long(stream, stated)
            default:
                let isData = [0, UInt8(ascii: "0"), UInt8(ascii: "7")].contains(type)
                let size = isData ? extended.size ?? stated : stated
                guard size >= 0, size <= Self.maximumSize else { throw .damaged }
                let end = Self.padded(content + size)
                let name = extended.name ?? Self.name(header)
                if type == UInt8(ascii: "5") || isData && name.hasSuffix("/") {
                    return Found(item: nil, end: end)
                }
                guard isData, ArchiveNames.problem(name) == nil else {
                    let reason =
                        ArchiveNames.problem(name)
                        ?? "It is a link or a device, not a regular file."
                    let shown = ArchiveNames.shown(name)
                    return Found(
                        item: .refused(name: shown, reason: reason),
                        end: isData ? end : content
                    )
                }
                let entry = ArchiveEntry(
                    name: name,
                    size: size,
                    crc: nil,
                    modificationTime: extended.modificationTime
                        ?? Self.number(header[136..<148]),
                    place: .tar(offset: content)
                )
                return Found(item: .file(entry, reading: nil), end: end)
            }
            try stream.skip(to: Self.padded(content + stated))
        }
        throw .damaged
    }

    private func reading(_ entry: ArchiveEntry, _ stream: InflateStream)
        throws(ArchiveProblem) -> TakeoutReading
    {
        guard entry.size <= JSONParser.maximumLength else {
            return .failed(reason: ArchiveExtractor.tooLongJSON)
        }
        let bytes = try bytes(stream, Int(entry.size))
        return bytes.withUnsafeBytes { TakeoutReader.read(ByteView($0)) }
    }

    private func long(_ stream: InflateStream, _ size: Int64) throws(ArchiveProblem) -> [UInt8] {
        guard size <= Self.maximumLongName else { throw .damaged }
        return try bytes(stream, Int(size))
    }

    private func bytes(_ stream: InflateStream, _ count: Int) throws(ArchiveProblem) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            var failure: ArchiveProblem?
            let read = bytes[done...].withUnsafeMutableBytes { buffer -> Int in
                do throws(ArchiveProblem) { return try stream.read(into: buffer) } catch {
                    failure = error
                    return 0
                }
            }
            if let failure { throw failure }
            guard read > 0 else { throw .truncated }
            done += read
        }
        return bytes
    }

    // MARK: - Fields

    private func isValid(_ header: [UInt8]) -> Bool {
        guard let stated = Self.number(header[148..<156]) else { return false }
        var sum: Int64 = 0
        for (index, byte) in header.enumerated() {
            sum += (148..<156).contains(index) ? 0x20 : Int64(byte)
        }
        return sum == stated
    }

    private static func name(_ header: [UInt8]) -> String {
        let name = header[..<100].prefix { $0 != 0 }
        let isPOSIX = header[257..<262].elementsEqual("ustar".utf8) && header[262] == 0
        let prefix = isPOSIX ? header[345..<500].prefix { $0 != 0 } : []
        return ArchiveNames.text(
            prefix.isEmpty ? Array(name) : Array(prefix) + [UInt8(ascii: "/")] + Array(name)
        )
    }

    /// Parses a number in octal digits, or in the binary form for large numbers.
    private static func number(_ field: ArraySlice<UInt8>) -> Int64? {
        if let first = field.first, first & 0x80 != 0 {
            // Negative numbers do not occur in the fields that are read.
            guard first == 0x80 else { return nil }
            var value: Int64 = 0
            for byte in field.dropFirst() {
                guard value <= Int64.max >> 9 else { return nil }
                value = value << 8 | Int64(byte)
            }
            return value
        }
        var value: Int64 = 0
        for byte in field where byte != 0 && byte != 0x20 {
            guard (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(byte),
                value <= Int64.max >> 4
            else { return nil }
            value = value << 3 | Int64(byte - UInt8(ascii: "0"))
        }
        return value
    }

    private static func padded(_ offset: Int64) -> Int64 { (offset + 511) / 512 * 512 }

    /// Parses the records of an extended header, which have the form `length key=value`.
    private func read(_ records: [UInt8], into extended: inout Extended) throws(ArchiveProblem) {
        var rest = records[...]
        while let blank = rest.firstIndex(of: 0x20) {
            let digits = String(decoding: rest[rest.startIndex..<blank], as: UTF8.self)
            guard let length = Int(digits), length > blank - rest.startIndex + 1,
                length <= rest.count
            else { throw .damaged }
            let end = rest.startIndex + length
            let record = rest[(blank + 1)..<end].dropLast()
            rest = rest[end...]
            guard let equals = record.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let value = record[(equals + 1)...]
            switch String(decoding: record[..<equals], as: UTF8.self) {
            case "path": extended.name = ArchiveNames.text(value)
            case "size":
                guard let size = Int64(String(decoding: value, as: UTF8.self)) else {
                    throw .damaged
                }
                extended.size = size
            case "mtime":
                extended.modificationTime = Double(String(decoding: value, as: UTF8.self))
                    .flatMap { Int64(exactly: $0.rounded(.down)) }
            default: break
            }
        }
    }
}
