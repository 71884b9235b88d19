/// Questions of the host, whose answers decide nothing in the machine.
extension SyncMachine {
    /// What this device has not published yet.
    package struct Backlog: Hashable, Sendable {
        /// The number of transactions that no confirmed segment contains.
        package var transactions: Int
        /// Whether a segment is built whose PUT is not confirmed.
        package var hasSegment: Bool
        /// The number of blobs that were begun and whose PUT is not confirmed.
        package var uploads: Int

        package var isEmpty: Bool { transactions == 0 && !hasSegment && uploads == 0 }
    }

    /// What this device has not published yet.
    package var backlog: Backlog {
        Backlog(
            transactions: unexported.count,
            hasSegment: pending != nil,
            uploads: openUploads.count
        )
    }

    /// The number of requests so far, by which a host notices that a repeated journal goes another
    /// way.
    package var requestCount: Int { nextRequest }

    /// The blobs that were begun and whose PUT is not confirmed.
    package var openUploads: Set<BlobName> { Set(uploads.filter { !$0.value.isDone }.keys) }

    /// The last own segment that the newest own snapshot contains; 0 without a snapshot.
    package var newestSnapshotSequence: UInt64 { snapshots.last?.vector[device]?.sequence ?? 0 }

    /// The contents that objects refer to, that are not here and that can be fetched, in ascending
    /// order.
    package var contentsToDownload: [ContentID] {
        state.referrers.keys.filter(isDownloadable).sorted()
    }

    /// Returns whether the file of a content is not here and can be fetched.
    package func isDownloadable(_ content: ContentID) -> Bool {
        !files.contains(content) && state.readableBlob(of: content) != nil
    }
}
