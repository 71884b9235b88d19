/// What a host reads of the machine for its decisions.
extension SyncMachine {
    /// The number of requests so far, by which a host notices that a repeated journal goes another
    /// way.
    package var requestCount: Int { nextRequest }

    /// The blobs whose uploads are noted and not confirmed.
    package var openUploads: Set<BlobName> { Set(uploads.filter { !$0.value.isDone }.keys) }

    /// The last own segment that the newest own snapshot contains; 0 without a snapshot.
    package var newestSnapshotSequence: UInt64 { snapshots.last?.vector[device]?.sequence ?? 0 }
}
