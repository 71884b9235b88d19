internal import Dispatch
internal import GRDB
internal import PhotoModel
internal import Synchronization

/// Pinned snapshots of a library, each held by a connection in an open read transaction.
///
/// 1. A pin ends with `unpin`, or at the latest after `patience`. While it is held, checkpoints
///    cannot reset the write-ahead log.
/// 2. A connection serves one pin at a time; a few are kept for later pins.
///
/// Thread-safe.
final class PinnedReaders: Sendable {
    /// The maximum lifetime of a pin, in seconds.
    static let patience = 10.0
    private static let spareConnections = 2

    private struct State {
        var isClosed = false
        var next: Int64 = 1
        var pinned: [Int64: PinnedReader] = [:]
        var spare: [PinnedReader] = []
    }

    private let store: LibraryStore
    private let patience: Double
    private let state = Mutex(State())

    init(store: LibraryStore, patience: Double = PinnedReaders.patience) {
        self.store = store
        self.patience = patience
    }

    /// Pins a snapshot of the current state.
    ///
    /// - Returns: The pin's number and the snapshot's version.
    func pin() throws -> (pin: Int64, version: Int64) {
        let reader =
            try state.withLock { $0.spare.popLast() } ?? PinnedReader(store.makeReader())
        let version = try reader.begin()
        let pin = state.withLock { state in
            defer { state.next += 1 }
            state.pinned[state.next] = reader
            return state.next
        }
        // A serial queue, because blocks of the program may occupy the threads of a global queue.
        let timer = DispatchQueue(label: "photos.pins", qos: .utility)
        timer.asyncAfter(deadline: .now() + patience) { [weak self] in self?.unpin(pin) }
        return (pin, version)
    }

    /// Returns the reader of a pinned snapshot; nil if the pin has ended.
    func reader(_ pin: Int64) -> PinnedReader? { state.withLock { $0.pinned[pin] } }

    /// Releases a pin once reads in progress have finished.
    func unpin(_ pin: Int64) {
        guard let reader = state.withLock({ $0.pinned.removeValue(forKey: pin) }) else { return }
        // A reader whose transaction cannot be ended is closed on release, which ends it.
        guard (try? reader.end()) != nil else { return }
        state.withLock { state in
            if !state.isClosed, state.spare.count < Self.spareConnections {
                state.spare.append(reader)
            }
        }
    }

    /// Closes the connections that no pin uses.
    func releaseMemory() {
        let spare = state.withLock { state in
            defer { state.spare = [] }
            return state.spare
        }
        for reader in spare { reader.close() }
    }

    /// Releases all pins and closes the connections; a later pin opens a new connection.
    func close() {
        let readers = state.withLock { state in
            state.isClosed = true
            defer { (state.pinned, state.spare) = ([:], []) }
            return Array(state.pinned.values) + state.spare
        }
        for reader in readers { reader.close() }
    }
}

/// A dedicated connection that pins a snapshot by keeping one read transaction open.
final class PinnedReader: Sendable {
    private let queue: DatabaseQueue

    init(_ queue: DatabaseQueue) {
        self.queue = queue
    }

    /// Pins a snapshot of the current state and returns its version.
    func begin() throws -> Int64 {
        try queue.inDatabase { database in
            try database.beginTransaction(.deferred)
            do {
                // The first read takes the snapshot.
                return try JournalWriter.currentVersion(database)
            } catch {
                try? database.rollback()
                throw error
            }
        }
    }

    func end() throws {
        try queue.inDatabase { database in
            if database.isInsideTransaction { try database.commit() }
        }
    }

    /// Ends the transaction and closes the connection.
    func close() {
        try? end()
        try? queue.close()
    }

    func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try queue.inDatabase { database in
            // The pin was released between the lookup and the read, so this reads the current
            // state.
            guard !database.isInsideTransaction else { return try body(database) }
            var result: Result?
            try database.inTransaction(.deferred) {
                result = try body(database)
                return .commit
            }
            guard let result else {
                throw LibraryError(.internalError, "A read of the library returned no result.")
            }
            return result
        }
    }
}
