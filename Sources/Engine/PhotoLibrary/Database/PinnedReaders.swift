internal import Dispatch
internal import GRDB
internal import PhotoModel
internal import Synchronization

/// States of a library that are held for a while, each by a connection in an open read transaction.
///
/// 1. A pin ends with `unpin`, at the latest after `patience`: as long as it holds, what writers add
///    to the write-ahead log cannot be cleared.
/// 2. A connection serves one pin at a time; a few are kept for the next.
///
/// Thread-safe.
final class PinnedReaders: Sendable {
    /// How long a state is held, in seconds.
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

    /// Holds the present state.
    ///
    /// - Returns: Its number, and its version.
    func pin() throws -> (pin: Int64, version: Int64) {
        let reader =
            try state.withLock { $0.spare.popLast() } ?? PinnedReader(store.makeReader())
        let version = try reader.begin()
        let pin = state.withLock { state in
            defer { state.next += 1 }
            state.pinned[state.next] = reader
            return state.next
        }
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + patience) {
            [weak self] in self?.unpin(pin)
        }
        return (pin, version)
    }

    /// The reader of a state; nil when it is held no longer.
    func reader(_ pin: Int64) -> PinnedReader? { state.withLock { $0.pinned[pin] } }

    /// Lets go of a state, once no one reads it.
    func unpin(_ pin: Int64) {
        guard let reader = state.withLock({ $0.pinned.removeValue(forKey: pin) }) else { return }
        // One that does not end its transaction is closed, which does.
        guard (try? reader.end()) != nil else { return }
        state.withLock { state in
            if !state.isClosed, state.spare.count < Self.spareConnections {
                state.spare.append(reader)
            }
        }
    }

    /// Unpins everything and closes the connections; a later pin opens a new one.
    func close() {
        let readers = state.withLock { state in
            state.isClosed = true
            defer { (state.pinned, state.spare) = ([:], []) }
            return Array(state.pinned.values) + state.spare
        }
        for reader in readers { reader.close() }
    }
}

/// A connection of its own that stays in one read transaction.
final class PinnedReader: Sendable {
    private let queue: DatabaseQueue

    init(_ queue: DatabaseQueue) {
        self.queue = queue
    }

    /// Begins to hold the present state; returns its version.
    func begin() throws -> Int64 {
        try queue.inDatabase { database in
            try database.beginTransaction(.deferred)
            do {
                // The first read is what takes the snapshot.
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
            // Let go of between being looked up and being asked: the present state.
            guard !database.isInsideTransaction else { return try body(database) }
            var result: Result?
            try database.inTransaction(.deferred) {
                result = try body(database)
                return .commit
            }
            guard let result else {
                throw LibraryError(.internalError, "A read of the library had no result.")
            }
            return result
        }
    }
}
