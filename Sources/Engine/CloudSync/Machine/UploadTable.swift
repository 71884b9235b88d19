/// The uploads, by blob, that have begun but are not announced by a confirmed segment.
///
/// A step has to find the uploads of one content, or the unfinished ones. Indexes answer both, so
/// that its cost does not grow with the number of uploads. Only the uploads are encoded.
struct UploadTable: Hashable, Sendable {
    typealias Upload = SyncMachine.Upload

    /// All uploads.
    private(set) var entries: [BlobName: Upload] = [:]
    /// The blobs whose upload is not confirmed.
    private(set) var unfinished: Set<BlobName> = []
    /// The blobs of each content.
    private var blobs: [ContentID: CompactSet<BlobName>] = [:]

    init() {}

    /// Creates a table of uploads that were read from their encoding.
    init(_ entries: [BlobName: Upload]) {
        self.entries = entries
        for (blob, upload) in entries { index(blob, upload) }
    }

    /// The upload of a blob; nil if there is none.
    subscript(blob: BlobName) -> Upload? {
        get { entries[blob] }
        set {
            if let old = entries[blob] {
                blobs.remove(blob, at: old.content)
                unfinished.remove(blob)
            }
            entries[blob] = newValue
            if let newValue { index(blob, newValue) }
        }
    }

    private mutating func index(_ blob: BlobName, _ upload: Upload) {
        blobs.insert(blob, at: upload.content)
        if !upload.isDone { unfinished.insert(blob) }
    }

    /// Returns the smallest blob of a content whose upload meets a condition; nil if there is none.
    func blob(
        of content: ContentID,
        where condition: (BlobName, Upload) -> Bool
    ) -> BlobName? {
        guard let names = blobs[content] else { return nil }
        var smallest: BlobName?
        for name in names {
            guard let upload = entries[name], condition(name, upload) else { continue }
            smallest = min(smallest ?? name, name)
        }
        return smallest
    }

    /// Returns whether an upload of a content meets a condition.
    func contains(_ content: ContentID, where condition: (BlobName, Upload) -> Bool) -> Bool {
        blob(of: content, where: condition) != nil
    }
}
