/// A movie's tracks of timed metadata, such as sensor data or the time of a Live Photo's still
/// image.
///
/// FFmpeg's muxer does not support such tracks, and encoding a movie does not affect them.
///
/// Therefore they are copied from the source's index to the new movie's index.
struct TimedMetadata {
    /// A part of the source file that is appended to the new file's data.
    struct Piece {
        var offset: Int
        var length: Int
    }

    private static let maximumTracks = 32
    private static let maximumSamples = 1_000_000
    private static let maximumLength = 64 << 20

    private(set) var pieces: [Piece] = []
    /// The total length of all pieces in bytes.
    private(set) var length = 0

    /// Adds the source's tracks of timed metadata to `index`.
    ///
    /// - Parameters:
    ///   - source: The source's index, with the same timescale.
    ///   - index: The index of the new movie.
    ///   - identifiers: The track numbers of the new movie by the source's track numbers.
    ///   - start: The offset of the pieces in the new file.
    ///   - size: The length of the source file in bytes.
    init(
        from source: IndexBox,
        into index: inout IndexBox,
        identifiers: [Int: Int],
        start: Int,
        size: Int
    ) {
        var next =
            index.boxes.filter { $0.name == "trak" }.compactMap(Self.identifier(of:)).max() ?? 0
        var added: [IndexBox] = []
        for track in source.boxes
        where track.name == "trak" && added.count < Self.maximumTracks && Self.isTimed(track) {
            guard let table = track.find("mdia", "minf", "stbl"),
                let chunks = Self.chunks(of: table, size: size)
            else { continue }
            let bytes = chunks.reduce(0) { $0 + $1.length }
            guard length + bytes <= Self.maximumLength else { continue }
            var copy = track
            next += 1
            guard Self.rename(&copy, to: next, identifiers) else { continue }
            let first = start + length
            let isLong = first + bytes > Int(UInt32.max)
            ChunkTable.change(in: &copy) { $0.isLong = $0.isLong || isLong }
            ChunkTable.change(in: &copy) { table in
                var position = first
                for at in table.offsets.indices where at < chunks.count {
                    table.offsets[at] = position
                    position += chunks[at].length
                }
            }
            added.append(copy)
            pieces += chunks
            length += bytes
        }
        guard !added.isEmpty else { return }
        let place = index.boxes.lastIndex { $0.name == "trak" }.map { $0 + 1 } ?? 0
        index.boxes.insert(contentsOf: added, at: place)
        Self.setNextIdentifier(next + 1, in: &index)
    }

    // MARK: - Tracks

    /// Returns whether the track's samples are Apple's boxed metadata (`mebx`).
    private static func isTimed(_ track: IndexBox) -> Bool {
        guard let description = track.find("mdia", "minf", "stbl", "stsd")?.bytes else {
            return false
        }
        return description.withUnsafeBytes { ByteView($0).starts(with: "mebx", at: 12) }
    }

    /// Returns the track number in a track's header.
    static func identifier(of track: IndexBox) -> Int? {
        track.first("tkhd")?.bytes.withUnsafeBytes { bytes -> Int? in
            let view = ByteView(bytes)
            return view.integer32(at: view.byte(at: 0) == 1 ? 20 : 12)
        }
    }

    /// Renumbers a track and its references to other tracks; returns false if a referenced track is
    /// missing.
    private static func rename(
        _ track: inout IndexBox,
        to identifier: Int,
        _ identifiers: [Int: Int]
    ) -> Bool {
        guard var header = track.first("tkhd") else { return false }
        var bytes = header.bytes
        let at = bytes.first == 1 ? 20 : 12
        guard bytes.count >= at + 4 else { return false }
        bytes.replace(bigEndian: identifier, at: at)
        header.content = .bytes(bytes)
        track.put(header)
        guard var references = track.first("tref") else { return true }
        let known = references.bytes.withUnsafeBytes { bytes -> [UInt8]? in
            var result: [UInt8] = []
            for box in ISOBox.boxes(in: ByteView(bytes)) {
                var list: [UInt8] = []
                for at in stride(from: 0, to: box.body.count - 3, by: 4) {
                    guard let old = box.body.integer32(at: at), let new = identifiers[old] else {
                        return nil
                    }
                    list.append(bigEndian: UInt32(clamping: new))
                }
                IndexBox(box.type, .bytes(list)).write(into: &result)
            }
            return result
        }
        guard let known else { return false }
        references.content = .bytes(known)
        track.put(references)
        return true
    }

    /// Sets the next free track number, which is in the last four bytes of the movie's header.
    private static func setNextIdentifier(_ identifier: Int, in index: inout IndexBox) {
        guard var header = index.first("mvhd") else { return }
        var bytes = header.bytes
        guard bytes.count >= 100 else { return }
        bytes.replace(bigEndian: identifier, at: bytes.count - 4)
        header.content = .bytes(bytes)
        index.put(header)
    }

    // MARK: - Samples

    /// Returns the offset and length of each chunk; nil if the tables are inconsistent.
    private static func chunks(of table: IndexBox, size: Int) -> [Piece]? {
        guard let offsets = table.boxes.lazy.compactMap(ChunkTable.init).first?.offsets,
            let sizes = sampleSizes(of: table),
            let counts = samplesPerChunk(of: table, offsets.count)
        else { return nil }
        var pieces: [Piece] = []
        var sample = 0
        for (offset, count) in zip(offsets, counts) {
            guard count <= sizes.count - sample else { return nil }
            let length = sizes[sample..<sample + count].reduce(0, +)
            guard offset <= size, length <= size - offset else { return nil }
            pieces.append(Piece(offset: offset, length: length))
            sample += count
        }
        return pieces
    }

    private static func sampleSizes(of table: IndexBox) -> [Int]? {
        table.first("stsz")?.bytes.withUnsafeBytes { bytes -> [Int]? in
            let view = ByteView(bytes)
            guard let same = view.integer32(at: 4), let count = view.integer32(at: 8),
                count <= maximumSamples
            else { return nil }
            if same > 0 { return [Int](repeating: same, count: count) }
            guard count * 4 <= view.count - 12 else { return nil }
            return (0..<count).map { view.integer32(at: 12 + $0 * 4) ?? 0 }
        }
    }

    private static func samplesPerChunk(of table: IndexBox, _ chunks: Int) -> [Int]? {
        table.first("stsc")?.bytes.withUnsafeBytes { bytes -> [Int]? in
            let view = ByteView(bytes)
            guard let count = view.integer32(at: 4), count <= chunks else { return nil }
            var result: [Int] = []
            for entry in 0..<count {
                guard let first = view.integer32(at: 8 + entry * 12),
                    let samples = view.integer32(at: 12 + entry * 12),
                    samples <= maximumSamples, first == result.count + 1
                else { return nil }
                let next = entry + 1 < count ? view.integer32(at: 20 + entry * 12) : chunks + 1
                guard let next, next > first, next <= chunks + 1 else { return nil }
                result += [Int](repeating: samples, count: next - first)
            }
            return result.count == chunks ? result : nil
        }
    }
}

extension [UInt8] {
    /// Overwrites four bytes with a big-endian number.
    mutating func replace(bigEndian value: Int, at offset: Int) {
        guard offset >= 0, offset <= count - 4 else { return }
        Swift.withUnsafeBytes(of: UInt32(clamping: value).bigEndian) {
            replaceSubrange(offset..<offset + 4, with: $0)
        }
    }
}
