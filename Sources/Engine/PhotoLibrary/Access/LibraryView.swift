package import GRDB
package import LibraryService
internal import PhotoModel
internal import Synchronization

/// A library as one client sees it, shared by the components that serve the client.
package final class LibraryView: Sendable {
    package let store: LibraryStore
    package let access: ClientAccess
    let pins: PinnedReaders
    let cache: FetchCache
    private let loneFrames = LoneFrameCache()
    /// The version of the library at the client's first read with access; nil before that read.
    private let first = Mutex<Int64?>(nil)
    /// The maximum processor time of a read with a predicate; nil for no limit.
    private let readLimit: Mutex<Duration?>

    private static let cacheLimitInBytes = 64 << 20
    /// The maximum size in bytes of the result cache when idle, enough for one result with a
    /// million assets.
    private static let restingCacheInBytes = 8 << 20

    /// Creates a view of a library.
    ///
    /// - Parameters:
    ///   - store: The library.
    ///   - access: The client's access.
    ///   - readLimit: The maximum processor time of a read with a predicate; nil for no limit.
    package init(
        store: LibraryStore,
        access: ClientAccess = ClientAccess(),
        readLimit: Duration? = nil
    ) {
        self.store = store
        self.access = access
        self.readLimit = Mutex(readLimit)
        pins = PinnedReaders(store: store)
        cache = FetchCache(limitInBytes: Self.cacheLimitInBytes, logger: store.loggers.caches)
    }

    /// A snapshot of the library during a read, with the client's access to it.
    package struct Reading {
        package let database: Database
        package let access: LibraryAccess
        /// The state that replies name: version 0 for a client without access, which does not learn
        /// when the library changes.
        package let snapshot: LibrarySnapshot
        /// The first day of Recently Added, by the library's clock.
        let firstRecentDay: Int64
        /// The version of the library at the client's first read with access.
        ///
        /// States of objects in earlier versions are never reported to the client as formerly
        /// visible.
        let firstVersion: Int64
        let loneFrames: LoneFrameCache

        var version: Int64 { snapshot.version }

        /// Returns the snapshot to which the result of a plan belongs.
        func snapshot(of plan: FetchPlan) -> LibrarySnapshot {
            var snapshot = self.snapshot
            snapshot.firstRecentDay = plan.firstRecentDay
            return snapshot
        }
    }

    /// Limits the processor time of each later read with a predicate; nil removes the limit.
    package func limitReads(to duration: Duration?) { readLimit.withLock { $0 = duration } }

    /// The maximum processor time of a read with a predicate; nil for no limit.
    package var currentReadLimit: Duration? { readLimit.withLock(\.self) }

    /// Runs `body` in one read transaction and within the client's limits.
    ///
    /// - Parameters:
    ///   - pin: The pinned snapshot to read; nil or a released pin reads the current state.
    ///   - hasPredicate: Whether the read evaluates a predicate of the client, so that limits
    ///     apply. Other reads take as long as the library's size requires.
    ///   - body: Reads.
    /// - Returns: The result of `body`.
    /// - Throws: SQLite's error, an error of `body`, the error of an exceeded limit, and
    ///   `cancelled` when the call is canceled.
    package func read<Result>(
        pin: Int64? = nil,
        hasPredicate: Bool = false,
        _ body: (Reading) throws -> Result
    ) throws -> Result {
        let state = access.state
        func reading(_ database: Database) throws -> Reading {
            let version = try JournalWriter.currentVersion(database)
            return Reading(
                database: database,
                access: state.access,
                snapshot: state.snapshot(at: version),
                firstRecentDay: store.firstRecentDay,
                firstVersion: first.withLock { first in
                    if let first { return first }
                    if state.access.isNone { return version }
                    first = version
                    return version
                },
                loneFrames: loneFrames
            )
        }
        func run(_ database: Database) throws -> Result {
            let cancellation = CallContext.current?.cancellation
            guard hasPredicate || cancellation != nil else { return try body(reading(database)) }
            try CallContext.current?.checkCancellation()
            let limits = FetchLimits(
                read: hasPredicate ? readLimit.withLock(\.self) : nil,
                cancellation: cancellation
            )
            return try limits.run(on: database) { try body(reading(database)) }
        }
        if let pin, let reader = pins.reader(pin) {
            return try reader.read(run)
        }
        return try store.read(run)
    }

    /// Pins a snapshot of the current state.
    package func pin() throws -> PinReply {
        let (pin, version) = try pins.pin()
        return PinReply(pin: pin, snapshot: access.state.snapshot(at: version))
    }

    package func unpin(_ pin: Int64) { pins.unpin(pin) }

    /// Closes the connections that no pin uses, and shrinks the cache of results to its idle size.
    package func releaseMemory() {
        pins.releaseMemory()
        cache.trim(toBytes: Self.restingCacheInBytes)
    }

    /// Releases all pins.
    package func close() { pins.close() }
}
