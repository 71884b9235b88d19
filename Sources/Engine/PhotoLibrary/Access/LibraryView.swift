package import GRDB
package import LibraryService
internal import PhotoModel
internal import Synchronization

/// A library as one client sees it: what the parts that answer it share.
package final class LibraryView: Sendable {
    package let store: LibraryStore
    package let access: ClientAccess
    let pins: PinnedReaders
    let cache = FetchCache(limitInBytes: 64 << 20)
    /// The version of the client's first answer; nil before it.
    private let first = Mutex<Int64?>(nil)
    /// How much processor time a read with a predicate may take; nil for as much as it takes.
    private let readLimit: Mutex<Duration?>

    /// A view of a library.
    ///
    /// - Parameters:
    ///   - store: The library.
    ///   - access: What the client may see.
    ///   - readLimit: How much processor time a read with a predicate may take; nil for as much as it takes.
    package init(
        store: LibraryStore,
        access: ClientAccess = ClientAccess(),
        readLimit: Duration? = nil
    ) {
        self.store = store
        self.access = access
        self.readLimit = Mutex(readLimit)
        pins = PinnedReaders(store: store)
    }

    /// One state of the library, and what the client may see of it.
    package struct Reading {
        package let database: Database
        package let access: LibraryAccess
        package let snapshot: LibrarySnapshot
        /// The day that Recently Added begins with, by the library's clock.
        let firstRecentDay: Int64
        /// The version of the client's first answer: nothing from before it is shown as what was seen.
        let firstVersion: Int64

        var version: Int64 { snapshot.version }

        /// What an answer belongs to.
        func snapshot(of plan: FetchPlan) -> LibrarySnapshot {
            var snapshot = self.snapshot
            snapshot.firstRecentDay = plan.firstRecentDay
            return snapshot
        }
    }

    /// Limits the processor time of each read with a predicate from now on; nil for as much as it takes.
    package func limitReads(to duration: Duration?) { readLimit.withLock { $0 = duration } }

    /// Runs `body` in one read transaction and within the client's limits.
    ///
    /// - Parameters:
    ///   - pin: The pinned state to read; the present one for nil and for one that was let go of.
    ///   - hasPredicate: Whether a predicate of the client takes part, so that limits hold. Other reads take
    ///     what the library's size asks for.
    ///   - body: Reads.
    /// - Returns: What `body` returns.
    /// - Throws: What SQLite says, what `body` throws, and that a limit stopped it.
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
                snapshot: LibrarySnapshot(version: version, epoch: state.epoch),
                firstRecentDay: store.firstRecentDay,
                firstVersion: first.withLock { first in
                    if let first { return first }
                    first = version
                    return version
                }
            )
        }
        func run(_ database: Database) throws -> Result {
            guard hasPredicate else { return try body(reading(database)) }
            let limits = FetchLimits(read: readLimit.withLock(\.self))
            return try limits.run(on: database) { try body(reading(database)) }
        }
        if let pin, let reader = pins.reader(pin) {
            return try reader.read(run)
        }
        return try store.read(run)
    }

    /// Holds the present state.
    package func pin() throws -> PinReply {
        let (pin, version) = try pins.pin()
        return PinReply(
            pin: pin,
            snapshot: LibrarySnapshot(version: version, epoch: access.state.epoch)
        )
    }

    package func unpin(_ pin: Int64) { pins.unpin(pin) }

    /// Unpins everything.
    package func close() { pins.close() }
}
