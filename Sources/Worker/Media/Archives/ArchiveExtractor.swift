package import WorkerProtocol

/// Reads archives of Google Takeout: lists entries, parses their JSON files, and extracts entries.
///
/// ZIP archives and gzip-compressed tape archives are detected from their content.
package enum ArchiveExtractor {
    static let tooLongJSON = "It is longer than 1 MB, so it is not a description by Google."

    // MARK: - Listing

    /// Returns a page of an archive's listing, with the parsed content of the JSON files among its
    /// entries.
    package static func page(_ cursor: ArchiveCursor, of descriptor: Int32)
        throws(ArchiveProblem) -> ArchivePage
    {
        let file = try ArchiveFile(descriptor)
        switch cursor {
        case .start: return try page(first(file), of: descriptor)
        case .directory(let offset, let end, let base, let remaining):
            return try ZipReader(file: file)
                .page(offset: offset, end: end, base: base, remaining: remaining)
        case .headers(let offset): return try ZipReader(file: file).page(headersAt: offset)
        case .tar(let position, let header):
            return try TarReader(file: file).page(position, header: header)
        case .tarEnd(let position): return try TarReader(file: file).page(behindEntries: position)
        }
    }

    private static func first(_ file: ArchiveFile) throws(ArchiveProblem) -> ArchiveCursor {
        guard file.size > 0 else { throw ArchiveProblem("The file is empty (0 bytes).") }
        let head = try file.bytes(at: 0, length: Int(min(file.size, 4)))
        if head.starts(with: [0x1f, 0x8b]) {
            return .tar(InflatePosition(input: 0, isAtHeader: true), header: 0)
        }
        if head.starts(with: [0x50, 0x4b, 3, 4]) || head.starts(with: [0x50, 0x4b, 5, 6]) {
            return try ZipReader(file: file).first()
        }
        throw ArchiveProblem("It is neither a ZIP nor a TGZ archive.")
    }

    /// Parses an entry of a ZIP archive if it is a JSON file; returns nil for other entries.
    static func reading(of entry: ArchiveEntry, in file: ArchiveFile) -> TakeoutReading? {
        guard ArchiveNames.isJSON(entry.name) else { return nil }
        guard entry.size <= JSONParser.maximumLength else {
            return .failed(reason: tooLongJSON)
        }
        var bytes: [UInt8] = []
        do throws(ArchiveProblem) {
            let request = ArchiveExtraction(entry: entry, position: nil, done: 0)
            _ = try extract(request, file) { part in
                bytes.append(contentsOf: part)
                return true
            }
        } catch { return .failed(reason: error.reason) }
        return bytes.withUnsafeBytes { TakeoutReader.read(ByteView($0)) }
    }

    // MARK: - Extracting

    /// Passes the next bytes of an entry to `write`, which returns whether the bytes were written.
    ///
    /// For an entry of a ZIP archive, the call that reaches the end verifies the length and the
    /// checksum.
    package static func extract(
        _ request: ArchiveExtraction,
        from descriptor: Int32,
        write: (UnsafeRawBufferPointer) -> Bool
    ) throws(ArchiveProblem) -> ArchiveProgress {
        try extract(request, ArchiveFile(descriptor), write: write)
    }

    private static func extract(
        _ request: ArchiveExtraction,
        _ file: ArchiveFile,
        write: (UnsafeRawBufferPointer) -> Bool
    ) throws(ArchiveProblem) -> ArchiveProgress {
        let entry = request.entry
        guard entry.size >= 0, request.done >= 0, request.done <= entry.size else { throw .damaged }
        let end = min(entry.size, request.done + ArchiveExtraction.maximumStep)
        switch entry.place {
        case .zip(let header, let length, let isDeflated):
            let data = try dataOffset(of: header, file)
            guard length >= 0, data <= file.size, length <= file.size - data else {
                throw .truncated
            }
            guard isDeflated else {
                return try copyStored(request, file, data: data, length: length, to: end, write)
            }
            let position = request.position ?? InflatePosition(input: data)
            let stream = try InflateStream(file, framing: .raw(end: data + length), from: position)
            guard stream.output <= request.done else { throw .damaged }
            try stream.skip(to: request.done)
            try copy(stream, count: end - request.done, write)
            if end == entry.size { try check(stream, entry) }
            return ArchiveProgress(done: end, position: stream.position)
        case .tar(let offset):
            guard let position = request.position, offset >= 0,
                position.output <= offset.addingReportingOverflow(request.done).partialValue
            else { throw .damaged }
            let stream = try InflateStream(file, framing: .gzip, from: position)
            try stream.skip(to: offset + request.done)
            try copy(stream, count: end - request.done, write)
            return ArchiveProgress(done: end, position: stream.position)
        }
    }

    private static func copy(
        _ stream: InflateStream,
        count: Int64,
        _ write: (UnsafeRawBufferPointer) -> Bool
    ) throws(ArchiveProblem) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        defer { buffer.deallocate() }
        var left = count
        while left > 0 {
            let room = Int(min(Int64(buffer.count), left))
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<room])
            let read = try stream.read(into: part)
            guard read > 0 else { throw .truncated }
            guard write(UnsafeRawBufferPointer(rebasing: buffer[..<read])) else {
                throw ArchiveProblem("It cannot be written.")
            }
            left -= Int64(read)
        }
    }

    /// Verifies that a decompressed entry has the length and the checksum that the archive states.
    private static func check(_ stream: InflateStream, _ entry: ArchiveEntry)
        throws(ArchiveProblem)
    {
        var byte: UInt8 = 0
        var failure: ArchiveProblem?
        let more = withUnsafeMutableBytes(of: &byte) { buffer -> Int in
            do throws(ArchiveProblem) { return try stream.read(into: buffer) } catch {
                failure = error
                return 0
            }
        }
        if let failure { throw failure }
        guard more == 0, stream.output == entry.size, entry.crc == nil || stream.crc == entry.crc
        else {
            throw ArchiveProblem(
                "Its bytes do not match the checksum in the archive. Download this part again."
            )
        }
    }

    private static func copyStored(
        _ request: ArchiveExtraction,
        _ file: ArchiveFile,
        data: Int64,
        length: Int64,
        to end: Int64,
        _ write: (UnsafeRawBufferPointer) -> Bool
    ) throws(ArchiveProblem) -> ArchiveProgress {
        guard length == request.entry.size else { throw .damaged }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        defer { buffer.deallocate() }
        // The checksum so far travels in the position, whose other values are unused.
        var position = request.position ?? InflatePosition(input: data)
        var sum = Checksum(position.crc)
        var done = request.done
        while done < end {
            let room = Int(min(Int64(buffer.count), end - done))
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<room])
            let count = try file.read(at: data + done, into: part)
            guard count > 0 else { throw .truncated }
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            sum.update(bytes)
            guard write(bytes) else { throw ArchiveProblem("It cannot be written.") }
            done += Int64(count)
        }
        position.crc = sum.value
        if done == request.entry.size, let crc = request.entry.crc, crc != sum.value {
            throw ArchiveProblem(
                "Its bytes do not match the checksum in the archive. Download this part again."
            )
        }
        return ArchiveProgress(done: done, position: position)
    }

    /// Returns the offset of an entry's content, which follows its header.
    private static func dataOffset(of header: Int64, _ file: ArchiveFile)
        throws(ArchiveProblem) -> Int64
    {
        let bytes = try file.bytes(at: header, length: 30)
        guard bytes.starts(with: [0x50, 0x4b, 3, 4]) else { throw .damaged }
        let name = Int64(bytes[26]) | Int64(bytes[27]) << 8
        let extra = Int64(bytes[28]) | Int64(bytes[29]) << 8
        return header + 30 + name + extra
    }
}
