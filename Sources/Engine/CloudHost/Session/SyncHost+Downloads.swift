internal import CloudKeys
internal import CloudSync
internal import EmbeddedLibrary
internal import LibraryService
internal import ObjectStorage
internal import PhotoModel

/// A host's downloads of single files on demand, during a session or without one.
///
///     open ──retain──▶ in use ──close──▶ in use, ending ──last release──▶ closed
///
/// 1. They only read the machine's state. What they placed is noted by the next session, so no
///    step of a session happens between two others of it.
/// 2. The store stays open for them after the host was closed.
extension SyncHost {
    /// A download of a file that is in the store.
    struct Download: Sendable {
        let content: ContentID
        let blob: BlobName
        let record: BlobRecord
        let transfer: BlobTransfer

        /// The size of the file in bytes.
        var size: Int64 { record.layout.size }

        /// The number of bytes of the file that are not on this computer yet.
        var remainingSize: Int64 { transfer.remainingSize(of: blob, record) }
    }

    /// Keeps the store open until `release()`.
    ///
    /// - Returns: False if it is closed.
    func retain() -> Bool {
        guard !isClosed else { return false }
        users += 1
        return true
    }

    /// Ends a use of the store that `retain()` began, and closes the store if it is no longer used.
    func release() async {
        users -= 1
        await closeIfUnused()
    }

    /// Returns a download of a file, which starts when the caller calls `run(progress:)`.
    ///
    /// - Throws: `networkAccessRequired` if no copy in the store is known.
    func download(of content: ContentID) throws(LibraryError) -> Download {
        guard let blob = machine.state.readableBlob(of: content),
            let state = machine.state.blobs[blob],
            let record = try? BlobRecord(decoding: state.key, of: blob)
        else {
            throw LibraryError(
                .networkAccessRequired,
                "The file is not in the cloud library yet.",
                reason: "The computer that has it has not uploaded it, or this one has not read"
                    + " that yet.",
                recovery: "Run photos cloud sync --once, or try again later."
            )
        }
        return Download(
            content: content,
            blob: blob,
            record: record,
            transfer: transfer(DownloadFolder())
        )
    }

    /// Finds the files that the state machine lists as missing although the library contains them,
    /// and reports them to the state machine.
    ///
    /// Such files were downloaded on demand or imported, or returned from a backup. `waiting` are
    /// contents whose files are known to be missing.
    func noteArrivals(except waiting: Set<ContentID>) async throws(LibraryError) {
        let missing = Set(machine.contentsToDownload + machine.contentsWithoutBlob)
        try await noteArrivals(missing.subtracting(waiting).subtracting(damaged))
    }

    /// Informs the state machine which of the given contents have files in the library.
    ///
    /// A file that cannot be opened is reported and does not count.
    func noteArrivals(_ contents: Set<ContentID>) async throws(LibraryError) {
        var here: [ContentID] = []
        for content in contents.sorted() {
            do throws(LibraryError) {
                if try engine.openContent(content) != nil { here.append(content) }
            } catch {
                guard error.concernsFile else { throw error }
                noteDamage(of: content)
            }
        }
        guard !here.isEmpty else { return }
        try await complete(.export([], adding: here, isComplete: !machine.isExporting))
    }
}

extension SyncHost.Download {
    /// Downloads the file and places it in the library.
    ///
    /// - Parameter progress: Gets the number of verified bytes.
    /// - Throws: `networkError` if the store cannot be reached, or has other bytes; `cancelled` if
    ///   the task was canceled.
    func run(
        progress: @escaping @Sendable (Int64) -> Void
    ) async throws(LibraryError) {
        defer { transfer.downloads.end() }
        switch try await transfer.download(blob, record, of: content, progress: progress) {
        case .found: return
        case .damaged: throw Self.failure("It is not the file that was stored.")
        default:
            // A session may have placed it meanwhile.
            guard try transfer.engine.openContent(content) == nil else { return }
            throw Self.failure("It is missing.")
        }
    }

    private static func failure(_ reason: String) -> LibraryError {
        LibraryError(
            .networkError,
            "A file in the store of the cloud library cannot be used.",
            reason: reason,
            recovery: "photos cloud verify tells which files are concerned."
        )
    }
}
