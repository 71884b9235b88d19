internal import LibraryService
internal import PhotoModel
public import Photos

/// Rereads the originals of assets that an earlier version of this software imported.
///
/// Metadata is read from files at import. A later version may read more of it, or read it more
/// accurately. A refresh updates these values, except those that a person or program set. It
/// changes up to 500 assets per transaction, which is atomic and which
/// ``PhotoLibraryBundle/undo(ifVersionIs:)`` undoes. A file that was mistaken for a sidecar, and is
/// an image or a movie, becomes a separate asset.
public struct LibraryRefresh: Sendable {
    /// The result of a refresh in numbers.
    public struct Summary: Sendable, Hashable {
        /// The number of assets that were updated, or would be in a dry run.
        public var refreshed = 0
        /// The number of assets whose values already match their originals.
        public var unchanged = 0
        /// The number of assets that could not be read.
        public var failed = 0
        /// The number of assets with a missing file.
        public var missing = 0
        /// Indicates whether the refresh was stopped before the end.
        public var wasStopped = false

        /// Creates an empty summary.
        public init() {}
    }

    private let library: PhotoLibraryBundle
    private let assets: [PHAsset]?
    private let isDryRun: Bool
    private let control: OperationControl

    /// Creates a refresh; call ``run(progress:handler:)`` to start it.
    ///
    /// - Parameters:
    ///   - library: The library.
    ///   - assets: The assets to refresh, whichever version read them; nil for all assets that an
    ///     earlier version read, including those in Recently Deleted.
    ///   - isDryRun: Whether to only report what would change.
    ///   - control: Stops the refresh between two transactions.
    public init(
        library: PhotoLibraryBundle,
        assets: [PHAsset]? = nil,
        isDryRun: Bool = false,
        control: OperationControl = OperationControl()
    ) {
        self.library = library
        self.assets = assets
        self.isDryRun = isDryRun
        self.control = control
    }

    /// Reads the originals on the calling thread until all are read or the refresh is stopped.
    ///
    /// Outcomes passed to `handler` are durable. After a stop or a crash, another run continues at
    /// the same position: assets that were already read are skipped, unless they are named.
    ///
    /// - Parameters:
    ///   - progress: Called after each transaction with the fraction done, 0...1.
    ///   - handler: Called for each asset. An error that it throws ends the refresh and is
    ///     rethrown.
    /// - Returns: The outcomes in numbers.
    /// - Throws: `PHPhotosError` when the refresh cannot continue. An asset that cannot be read is
    ///   an outcome, not an error.
    public func run(
        progress: (Double) throws -> Void = { _ in },
        handler: (AssetRefresh) throws -> Void
    ) throws -> Summary {
        var summary = Summary()
        let total = try assets?.count ?? library.assetsOfEarlierReaders
        var done = 0
        var requests = namedRequests
        while let request = requests.popLast() {
            guard !control.isStopped else {
                summary.wasStopped = true
                return summary
            }
            let reply = try edge { () throws(LibraryError) in
                try library.service.refresh(request)
            }
            for outcome in reply.outcomes {
                switch outcome.kind {
                case .refreshed: summary.refreshed += 1
                case .unchanged: summary.unchanged += 1
                case .failed: summary.failed += 1
                case .missing: summary.missing += 1
                }
                try handler(AssetRefresh(outcome))
            }
            done += reply.outcomes.count
            try progress(total == 0 ? 1 : min(1, Double(done) / Double(total)))
            guard let next = reply.next else { continue }
            requests.append(RefreshRequest(cursor: next, isDryRun: isDryRun))
        }
        return summary
    }

    /// The requests with which `run` begins, in reverse order because `run` takes them from the
    /// end.
    ///
    /// There is one request per batch of `assets`, or a single request if `assets` is nil.
    private var namedRequests: [RefreshRequest] {
        guard let assets else { return [RefreshRequest(isDryRun: isDryRun)] }
        let uuids = assets.compactMap { LocalIdentifier($0.localIdentifier)?.uuid }
        let size = RefreshRequest.largestBatch
        return stride(from: 0, to: uuids.count, by: size).map { start in
            RefreshRequest(
                uuids: Array(uuids[start..<min(start + size, uuids.count)]),
                isDryRun: isDryRun
            )
        }.reversed()
    }
}

extension PhotoLibraryBundle {
    /// The number of assets whose metadata an earlier version of this software read.
    ///
    /// A ``LibraryRefresh`` reads these assets again.
    ///
    /// Assets in Recently Deleted are included.
    ///
    /// - Throws: `PHPhotosError` when the library cannot be read.
    public var assetsOfEarlierReaders: Int {
        get throws {
            try edge { () throws(LibraryError) in try service.readerStatus().earlierAssets }
        }
    }
}
