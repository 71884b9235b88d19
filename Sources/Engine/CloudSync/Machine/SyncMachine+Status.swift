/// Status values that only the host uses, not the machine itself.
extension SyncMachine {
    /// The amounts of work that this device has not published yet.
    package struct Backlog: Hashable, Sendable {
        /// The number of transactions that no confirmed segment contains.
        package var transactions: Int
        /// Indicates whether there is a segment whose PUT is not confirmed.
        package var hasSegment: Bool
        /// The number of blobs whose upload has begun but is not confirmed.
        package var uploads: Int

        package var isEmpty: Bool { transactions == 0 && !hasSegment && uploads == 0 }
    }

    /// The amounts of work that this device has not published yet.
    package var backlog: Backlog {
        Backlog(
            transactions: unexported.count,
            hasSegment: pending != nil,
            uploads: uploads.unfinished.count
        )
    }

    /// The number of operations that no confirmed segment contains.
    package var unpublishedOperationCount: Int {
        unexported.reduce(0) { $0 + $1.operations.count }
    }

    /// The number of requests so far, with which the host detects a diverging replay of the
    /// journal.
    package var requestCount: Int { nextRequest }

    /// Returns whether an unanswered request deletes a blob.
    ///
    /// The step of its answer has no outputs.
    package func deletesBlob(_ request: Int) -> Bool {
        if case .deleteBlob? = session.requests[request] { true } else { false }
    }

    /// The blobs whose upload has begun but is not confirmed.
    package var openUploads: Set<BlobName> { uploads.unfinished }

    /// The number of this device's last segment in its newest snapshot; 0 without a snapshot.
    package var newestSnapshotSequence: UInt64 { snapshots.last?.vector[device]?.sequence ?? 0 }

    /// The referenced contents that have no local file and can be downloaded, in ascending order.
    package var contentsToDownload: [ContentID] {
        state.referrers.keys.filter(isDownloadable).sorted()
    }

    /// The contents that unpurged objects refer to and that have neither a local file nor a blob
    /// from which they can be downloaded.
    ///
    /// A file that returns, such as from a backup, must be uploaded.
    package var contentsWithoutBlob: [ContentID] {
        state.referrers.keys.filter {
            !files.contains($0) && state.readableBlob(of: $0) == nil && state.isNeeded($0)
        }
    }

    /// Returns whether a content has no local file and can be downloaded.
    package func isDownloadable(_ content: ContentID) -> Bool {
        !files.contains(content) && state.readableBlob(of: content) != nil
    }
}
