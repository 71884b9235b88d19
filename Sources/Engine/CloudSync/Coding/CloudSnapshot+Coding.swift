internal import PhotoModel

extension CloudSnapshot {
    /// The first bytes of each snapshot: the format and its version.
    private static let magic = "spn1"

    /// The canonical encoding of the snapshot, which the host encrypts.
    ///
    /// Equal snapshots have equal bytes.
    package var encoded: [UInt8] {
        var writer = SegmentWriter()
        writer.append(magic: Self.magic)
        writer.append(self)
        return writer.bytes
    }

    /// Decodes a snapshot from bytes that another device wrote.
    ///
    /// - Throws: ``CloudFormatError`` for anything but exactly one snapshot.
    package init(decoding bytes: [UInt8]) throws(CloudFormatError) {
        var reader = SegmentReader(bytes)
        try reader.magic(Self.magic, of: "snapshot")
        try self.init(from: &reader)
        try reader.finish()
    }
}

extension CloudSnapshot: SegmentCodable {
    static var minimumSize: Int { LibraryState.minimumSize + 16 }

    func write(to writer: inout SegmentWriter) {
        writer.append(time.rawValue)
        writer.append(named)
        writer.append(logs)
        writer.append(state)
    }

    init(from reader: inout SegmentReader) throws(CloudFormatError) {
        let time = try reader.time()
        let named: Set<CloudID> = try reader.set()
        let logs: [CloudID: LogProgress] = try reader.dictionary()
        self.init(state: try LibraryState(from: &reader), logs: logs, named: named, time: time)
    }
}

/// The encoding of a log's reading progress, without `readAt` and `skipped`.
///
/// `readAt` is a time of the local clock, and only simulations use `skipped`.
extension LogProgress: SegmentCodable {
    static var minimumSize: Int { 14 }

    func write(to writer: inout SegmentWriter) {
        writer.append(tip)
        writer.append(vector)
        writer.append(hashes)
        // Those of the branch that was read first are among the applied ones.
        writer.append(applied.subtracting(hashes.values))
        writer.append(forkedAt)
    }

    init(from reader: inout SegmentReader) throws(CloudFormatError) {
        self.init()
        tip = try reader.optional()
        if let tip, tip.sequence == 0 || tip.sequence >= 1 << 62 {
            throw reader.error("a log ends at an impossible number")
        }
        vector = try reader.dictionary()
        hashes = try reader.dictionary()
        let others: Set<CloudID> = try reader.set()
        applied = others.union(hashes.values)
        guard applied.count == others.count + Set(hashes.values).count else {
            throw reader.error("a segment is there twice")
        }
        forkedAt = try reader.optional()
    }
}
