internal import Glibc
internal import PhotoModel
internal import WorkerProtocol

/// The last step of a conversion by FFmpeg: adds the metadata to the new file and moves the index
/// to the front.
///
/// Metadata of the source keep their value types.
struct MovieFinisher {
    private static let pieceLength = 4 << 20

    let conversion: MovieConversion
    /// The box layout of the source movie; nil for a format without boxes.
    let source: MovieLayout?
    let index: IndexBox?
    /// The track numbers in the result, keyed by the track numbers in the source.
    let identifiers: [Int: Int]

    /// Finishes the file with the descriptor `output`, whose index is at the end.
    ///
    /// - Parameters:
    ///   - output: The file that FFmpeg wrote.
    ///   - facts: The metadata of the source.
    ///   - progress: Receives the progress, 0...1, and returns whether to stop.
    /// - Returns: The length of the finished file in bytes.
    /// - Throws: `MovieFailure`.
    func finish(
        _ output: Int32,
        facts: MovieFacts,
        progress: MovieConverter.Progress
    ) throws(MovieFailure) -> Int64 {
        let layout = MovieLayout(descriptor: output)
        guard let place = layout.boxes.last, place.name == "moov", place.end == layout.size,
            var index = layout.index
        else { throw .output("its index is too long") }
        let dataEnd = try addTimedMetadata(to: &index, output, at: place.offset)
        let metadata = metadata(facts)
        if !metadata.isEmpty {
            index.put(metadata.box(isQuickTime: conversion.container == .mov))
        }
        // The file type box stays first.
        let front = layout.boxes.first.map { $0.name == "ftyp" ? $0.end : 0 } ?? 0
        var (start, shift) = (dataEnd, 0)
        if conversion.movesIndexToFront {
            let isLong = dataEnd + index.length * 2 + 4096 > Int(UInt32.max)
            ChunkTable.change(in: &index) { $0.isLong = $0.isLong || isLong }
            (start, shift) = (front, index.length)
            ChunkTable.change(in: &index) { table in
                for at in table.offsets.indices { table.offsets[at] += shift }
            }
        }
        let total = dataEnd + index.length
        if let limit = conversion.maximumBytes, limit > 0, Int64(total) > limit {
            throw .source("it would be larger than the \(limit) bytes allowed")
        }
        if shift > 0 {
            try move(output, from: front, to: dataEnd, by: shift, progress: progress)
        }
        var head: [UInt8] = []
        head.reserveCapacity(index.length)
        index.write(into: &head)
        let failure = head.withUnsafeBytes { PieceWriter.write($0, to: output, at: start) }
        if let failure { throw failure }
        guard ftruncate(output, off_t(total)) == 0 else {
            throw .output(String(cString: strerror(errno)))
        }
        return Int64(total)
    }

    /// Returns the metadata for the result, merged from the source's metadata and the conversion's.
    ///
    /// The source's QuickTime entries are kept unchanged. Entries in other formats are added under
    /// QuickTime's keys, unless a key is present already. The conversion's entries replace those
    /// with the same keys.
    private func metadata(_ facts: MovieFacts) -> IndexMetadata {
        var metadata = IndexMetadata()
        if conversion.keepsMetadata {
            let boxes = [index?.first("meta"), index?.find("udta", "meta")]
            for box in boxes.compactMap(\.self) {
                guard metadata.isEmpty, let known = IndexMetadata(box) else { continue }
                metadata = known
            }
            for item in facts.metadata {
                guard let key = MovieTags.key(of: item), !metadata.contains(key) else { continue }
                metadata.set(key, item.value)
            }
        }
        for item in conversion.metadata {
            guard let key = MovieTags.key(of: item) else { continue }
            metadata.set(key, item.value)
        }
        return metadata
    }

    /// Writes the source's timed metadata after the media data, over the old index; returns the new
    /// end of the data.
    private func addTimedMetadata(
        to index: inout IndexBox,
        _ output: Int32,
        at end: Int
    ) throws(MovieFailure) -> Int {
        // Timed metadata are omitted if only a part of the movie is converted.
        guard conversion.container == .mov, conversion.start == nil, conversion.duration == nil,
            let source, let sourceIndex = self.index, sourceIndex.timescale == index.timescale
        else { return end }
        let timed = TimedMetadata(
            from: sourceIndex,
            into: &index,
            identifiers: identifiers,
            start: end + 8,
            size: source.size
        )
        guard timed.length > 0 else { return end }
        var data: [UInt8] = []
        data.append(bigEndian: UInt32(timed.length + 8))
        data += Array("mdat".utf8)
        for piece in timed.pieces where piece.length > 0 {
            guard let bytes = source.read(at: piece.offset, length: piece.length),
                bytes.count == piece.length
            else { throw .source("its data ends early") }
            data += bytes
        }
        let failure = data.withUnsafeBytes { PieceWriter.write($0, to: output, at: end) }
        if let failure { throw failure }
        return end + data.count
    }

    /// Moves a part of a file toward its end, in pieces from the last to the first.
    private func move(
        _ output: Int32,
        from start: Int,
        to end: Int,
        by shift: Int,
        progress: MovieConverter.Progress
    ) throws(MovieFailure) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: Self.pieceLength,
            alignment: 16
        )
        defer { buffer.deallocate() }
        var position = end
        while position > start {
            let count = min(buffer.count, position - start)
            position -= count
            let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
            guard MovieLayout.fill(piece, from: output, at: position) == count else {
                throw .output("it cannot be read again")
            }
            let failure = PieceWriter.write(
                UnsafeRawBufferPointer(piece),
                to: output,
                at: position + shift
            )
            if let failure { throw failure }
            if progress(Double(end - position) / Double(max(1, end - start))) { throw .cancelled }
        }
    }
}
