internal import Glibc
internal import PhotoModel
internal import WorkerProtocol

/// A copier that rewrites a movie without FFmpeg: it keeps the media data and edits the movie's
/// index.
///
/// Every track, edit list and metadata entry is preserved unless the conversion changes it.
///
/// This includes content that FFmpeg's libraries do not support (timed metadata, Dolby Vision,
/// stereo video). The movie must be self-contained, and the target container must be of the same
/// kind; FFmpeg converts all other movies.
struct MovieCopier {
    private let input: Int32
    private let layout: MovieLayout
    private var index: IndexBox
    private let conversion: MovieConversion

    /// Reads the movie's index; returns nil if the movie cannot be copied without FFmpeg.
    ///
    /// - Parameters:
    ///   - input: The movie.
    ///   - format: The format detected from its content.
    ///   - conversion: The parameters of the conversion.
    /// - Throws: `MovieFailure.source` when the data are incomplete.
    init?(_ input: Int32, format: MediaFormat, conversion: MovieConversion) throws(MovieFailure) {
        guard Self.suits(format, conversion) else { return nil }
        self.input = input
        self.conversion = conversion
        layout = MovieLayout(descriptor: input)
        let names = layout.boxes.map(\.name)
        guard !names.contains("moof"), names.filter({ $0 == "moov" }).count == 1,
            let index = layout.index
        else { return nil }
        self.index = index
        guard try isPlain() else { return nil }
    }

    private static func suits(_ format: MediaFormat, _ conversion: MovieConversion) -> Bool {
        guard conversion.video == .copy, conversion.audio == .copy, conversion.start == nil,
            conversion.duration == nil
        else { return false }
        return switch conversion.container {
        case .mov: format == .mov
        case .mp4, .m4v: format == .mp4 || format == .m4v
        case .m4a: false
        }
    }

    /// Returns whether the movie is self-contained and only chunk offsets refer to its media data.
    ///
    /// Other offsets into the file would not be updated.
    private func isPlain() throws(MovieFailure) -> Bool {
        let data = layout.boxes.filter { $0.name == "mdat" }
        let tracks = index.boxes.filter { $0.name == "trak" }
        guard !data.isEmpty, !tracks.isEmpty, index.first("mvex") == nil,
            index.first("cmov") == nil,
            data.allSatisfy({ $0.header == 16 || $0.length <= Int(UInt32.max) })
        else { return false }
        for track in tracks {
            guard let table = track.find("mdia", "minf", "stbl"),
                table.first("saio") == nil,
                let chunks = table.boxes.lazy.compactMap(ChunkTable.init).first
            else { return false }
            for offset in chunks.offsets {
                guard data.contains(where: { $0.start <= offset && offset < $0.end }) else {
                    return false
                }
            }
        }
        // Item locations are also relative to the start of the file.
        let metadata =
            index.boxes.filter { $0.name == "meta" }
            + tracks.flatMap { track in
                track.boxes.filter { $0.name == "meta" }
            }
        let pointers = Array("iloc".utf8)
        guard !metadata.contains(where: { ByteSearch.contains(pointers, in: $0.bytes) }) else {
            return false
        }
        guard data.allSatisfy({ $0.end <= layout.size }) else {
            throw .source("its data ends early")
        }
        return true
    }

    // MARK: - Writing

    /// Writes the movie with an edited index to a file, without re-encoding the tracks.
    ///
    /// - Parameters:
    ///   - output: An empty file.
    ///   - progress: Receives the progress and returns whether to stop.
    /// - Returns: The number of bytes written; nil, without writing anything, if the metadata
    ///   cannot be edited.
    /// - Throws: `MovieFailure`.
    func copy(
        to output: Int32,
        progress: @escaping MovieConverter.Progress
    ) throws(MovieFailure) -> Int64? {
        var index = index
        guard MovieIndexEditor(conversion: conversion).edit(&index) else { return nil }
        let kept = layout.boxes.filter { place in
            place.name == "mdat"
                || conversion.keepsMetadata && place.name == "uuid" && place.end <= layout.size
        }
        // Chooses the offset size before the layout, allowing for growth of the index, so that no
        // offset is truncated.
        let data = kept.reduce(0) { $0 + $1.length + 16 }
        let isLong = data + index.length * 2 + 4096 > Int(UInt32.max)
        ChunkTable.change(in: &index) { $0.isLong = $0.isLong || isLong }

        let head = fileType
        var position = head.count + (conversion.movesIndexToFront ? index.length : 0)
        var moves: [(place: MovieLayout.Place, start: Int)] = []
        for place in kept {
            position += place.header
            moves.append((place, position))
            position += place.length - place.header
        }
        let total = position + (conversion.movesIndexToFront ? 0 : index.length)
        if let limit = conversion.maximumBytes, limit > 0, Int64(total) > limit {
            throw .source("it would be larger than the \(limit) bytes allowed")
        }
        ChunkTable.change(in: &index) { table in
            for at in table.offsets.indices {
                let offset = table.offsets[at]
                guard
                    let move = moves.first(where: {
                        $0.place.start <= offset && offset < $0.place.end
                    })
                else { continue }
                table.offsets[at] = offset - move.place.start + move.start
            }
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(index.length)
        index.write(into: &bytes)

        var writer = PieceWriter(output: output, total: total, progress: progress)
        try writer.write(head)
        if conversion.movesIndexToFront { try writer.write(bytes) }
        for (place, _) in moves {
            guard let header = layout.read(at: place.offset, length: place.header) else {
                throw .source("its data ends early")
            }
            // A box that extends to the end of the file no longer does so in the copy.
            try writer.write(Self.header(header, length: place.length))
            try writer.copy(input, from: place.start, length: place.length - place.header)
        }
        if !conversion.movesIndexToFront { try writer.write(bytes) }
        return Int64(total)
    }

    private static func header(_ bytes: [UInt8], length: Int) -> [UInt8] {
        var result: [UInt8] = []
        // A length of zero ("to the end") is replaced with a number if four bytes can hold it.
        if bytes.count == 8, length <= Int(UInt32.max) {
            result.append(bigEndian: UInt32(length))
            return result + bytes[4...]
        }
        return bytes
    }

    /// The file type box of the result: the movie's own box, with the requested brand.
    private var fileType: [UInt8] {
        let wanted: [UInt8]? =
            switch conversion.container {
            case .mov: Array("qt  ".utf8)
            case .m4v: Array("M4V ".utf8)
            case .mp4, .m4a: nil
            }
        var body: [UInt8] = []
        if let place = layout.boxes.first(where: { $0.name == "ftyp" }) {
            body = layout.body(of: place, atMost: 1024) ?? []
        }
        if body.count < 8 { body = Array("qt  ".utf8) + [0, 0, 2, 0] + Array("qt  ".utf8) }
        if let wanted { body.replaceSubrange(0..<4, with: wanted) }
        // A movie for Apple's devices becomes a generic MPEG-4 file.
        if wanted == nil, body.starts(with: "M4V".utf8) {
            body.replaceSubrange(0..<4, with: "mp42".utf8)
        }
        var result: [UInt8] = []
        IndexBox("ftyp", .bytes(body)).write(into: &result)
        return result
    }
}

/// A search for a byte sequence.
enum ByteSearch {
    static func contains(_ pattern: [UInt8], in bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { ByteView($0).contains(pattern) }
    }
}
