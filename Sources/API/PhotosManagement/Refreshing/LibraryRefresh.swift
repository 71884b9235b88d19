internal import LibraryService
internal import PhotoModel
public import Photos

/// Reads the originals of assets again, for those that an earlier version of this software imported.
///
/// What files say is read when they are imported. A later version may read more of them, or read them
/// better. A refresh brings assets up to that, and updates only what no person and no program set. It
/// changes up to 500 assets at a time, each such change whole or not at all; ``PhotoLibraryBundle/undo(ifVersionIs:)``
/// takes one back. A file that was taken for a sidecar and is a picture or a movie becomes an asset of
/// its own.
public struct LibraryRefresh: Sendable {
    /// What a refresh came to.
    public struct Summary: Sendable, Hashable {
        /// Assets that were updated, or would be.
        public var refreshed = 0
        /// Assets that have the values that reading gives.
        public var unchanged = 0
        /// Assets that could not be read.
        public var failed = 0
        /// Assets of which a file is not there.
        public var missing = 0
        /// Whether it was stopped before the end.
        public var wasStopped = false

        /// Nothing yet.
        public init() {}
    }

    private let library: PhotoLibraryBundle
    private let assets: [PHAsset]?
    private let isDryRun: Bool
    private let control: OperationControl

    /// Prepares a refresh; nothing happens before ``run(progress:handler:)``.
    ///
    /// - Parameters:
    ///   - library: The library.
    ///   - assets: The assets, whoever read them; nil for all that an earlier version read, those in
    ///     Recently Deleted too.
    ///   - isDryRun: Whether it only tells what it would change.
    ///   - control: Stops it, between two changes.
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

    /// Reads the originals, on this thread, until the end or until it is stopped.
    ///
    /// What `handler` is told of is durable. Stopped, or ended by a crash, it continues where it was
    /// when it is run again: assets that were read are left out, unless they are named.
    ///
    /// - Parameters:
    ///   - progress: Told after each change: 0...1.
    ///   - handler: Told of each asset. What it throws ends the refresh and is thrown on.
    /// - Returns: The outcomes in numbers.
    /// - Throws: `PHPhotosError` when the refresh cannot go on. An asset that cannot be read is an
    ///   outcome, not an error.
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

    /// The first requests, the last one first.
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
    /// The number of assets that an earlier version of this software read, and that
    /// ``LibraryRefresh`` would read again; those in Recently Deleted count.
    ///
    /// - Throws: `PHPhotosError` when the library cannot be read.
    public var assetsOfEarlierReaders: Int {
        get throws {
            try edge { () throws(LibraryError) in try service.readerStatus().earlierAssets }
        }
    }
}
