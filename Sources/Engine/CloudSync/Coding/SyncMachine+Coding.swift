internal import PhotoModel

extension SyncMachine {
    /// The first bytes of each checkpoint: the format and its version.
    private static let magic = "spy1"

    /// The encoded machine as a checkpoint, from which later inputs can be replayed.
    ///
    /// Equal machines have equal bytes. `session` is included, since the answers that follow the
    /// checkpoint belong to requests that precede it; only ``SyncInput/start`` ends it. `hashing`
    /// and `weakness` are not.
    package var encoded: [UInt8] {
        var writer = SegmentWriter()
        writeHead(to: &writer)
        writer.append(state)
        writeRest(to: &writer)
        return writer.bytes
    }

    /// The number of bytes of `encoded`, which are not made.
    package var encodedSize: Int {
        SegmentWriter.measure { writer in
            writeHead(to: &writer)
            writer.append(state)
            writeRest(to: &writer)
        }
    }

    /// Writes what precedes the merged state.
    func writeHead(to writer: inout SegmentWriter) {
        writer.append(magic: Self.magic)
        writer.append(device)
        writer.append(former)
        writer.append(name)
        writer.append(isCreator)
        writer.append(UInt32(clamping: segmentLimit))
        writer.append(UInt32(clamping: uploadsAtOnce))
        writer.append(clock.last.rawValue)
        writer.append(named)
        writer.append(logs)
        writer.append(logs.mapValues(\.readAt))
    }

    /// Writes what follows the merged state.
    func writeRest(to writer: inout SegmentWriter) {
        writePublishing(to: &writer)
        writer.append(joinPlace)
        writer.append(isFull)
        writer.append(settled)
        writer.append(files)
        writer.append(snapshots)
        writer.append(compacted)
        writer.append(isReadOnly)
        writer.append(UInt64(nextRequest))
        writer.append(UInt64(pollCount))
        writer.append(session)
    }

    /// Decodes a checkpoint.
    ///
    /// - Throws: ``CloudFormatError`` for anything but exactly one machine.
    package init(
        decoding bytes: [UInt8],
        hashing: any SegmentHashing
    ) throws(CloudFormatError) {
        var reader = SegmentReader(bytes)
        try reader.magic(Self.magic, of: "checkpoint")
        let device = try reader.id()
        let former: [CloudID] = try reader.list()
        let name = try reader.text()
        self.init(device: device, name: name, isCreator: try reader.flag(), hashing: hashing)
        self.former = former
        segmentLimit = try reader.limit()
        uploadsAtOnce = try reader.limit()
        clock = HybridClock(last: try reader.time())
        named = try reader.set()
        logs = try reader.dictionary()
        let times: [CloudID: UInt64] = try reader.dictionary()
        guard times.count == logs.count else { throw reader.error("a log has no time") }
        for (device, time) in times {
            guard logs[device] != nil else { throw reader.error("a log is missing") }
            logs[device]?.readAt = time
        }
        state = try LibraryState(from: &reader)
        try readPublishing(from: &reader)
        joinPlace = try reader.optional()
        isFull = try reader.flag()
        settled = try reader.set()
        files = try reader.set()
        snapshots = try reader.list()
        compacted = try reader.number()
        isReadOnly = try reader.flag()
        nextRequest = Int(try reader.number())
        pollCount = Int(try reader.number())
        session = try Session(from: &reader)
        try reader.finish()
    }

    private func writePublishing(to writer: inout SegmentWriter) {
        writer.append(unexported)
        writer.append(pending)
        writer.append(isExporting)
        writer.append(uploads.entries)
        writer.append(acknowledged)
        writer.append(owesAcknowledgement)
    }

    private mutating func readPublishing(
        from reader: inout SegmentReader
    ) throws(CloudFormatError) {
        unexported = try Queue(from: &reader)
        pending = try reader.optional()
        isExporting = try reader.flag()
        uploads = UploadTable(try reader.dictionary())
        acknowledged = try reader.dictionary()
        owesAcknowledgement = try reader.flag()
    }
}

extension SegmentReader {
    /// Reads a limit such as `segmentLimit`; throws if it is 0.
    fileprivate mutating func limit() throws(CloudFormatError) -> Int {
        let value = try uint32()
        guard value > 0 else { throw error("a limit is 0") }
        return Int(value)
    }
}

extension SyncMachine.Upload: SegmentCodable {
    static var minimumSize: Int { 39 }

    func write(to writer: inout SegmentWriter) {
        writer.append(content)
        writer.append(counted: key)
        writer.append(isDone)
        writer.append(replenishes)
        writer.append(isAttached)
    }

    init(from reader: inout SegmentReader) throws(CloudFormatError) {
        self.init(content: try reader.content())
        key = try reader.counted()
        isDone = try reader.flag()
        replenishes = try reader.flag()
        isAttached = try reader.flag()
    }
}

extension SyncMachine.SnapshotRecord: SegmentCodable {
    static var minimumSize: Int { 20 }

    func write(to writer: inout SegmentWriter) {
        writer.append(id)
        writer.append(vector)
    }

    init(from reader: inout SegmentReader) throws(CloudFormatError) {
        let id = try reader.id()
        self.init(id: id, vector: try reader.dictionary())
    }
}
