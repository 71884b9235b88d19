package import GRDB
internal import Synchronization

/// A pool of read connections for calls that read with one statement.
///
/// A reader of GRDB's pool checks the schema's version before each call in a separate transaction,
/// which costs as much as the statement. These connections do not: SQLite itself prepares a
/// statement again if the schema has changed. Connections are opened on demand, and some are
/// retained. Thread-safe.
package final class StatementReaders: Sendable {
    /// The maximum number of idle connections to keep open.
    ///
    /// More connections than this are seldom in use simultaneously.
    private static let keptReaders = 8

    private struct State {
        var idle: [DatabaseQueue] = []
        var isClosed = false
    }

    private let path: String
    private let configuration: Configuration
    private let state = Mutex(State())

    /// Creates a pool of read-only connections with the given configuration to the database at a
    /// path.
    ///
    /// `first` is a connection of that kind that is already open.
    package init(path: String, configuration: Configuration, first: DatabaseQueue? = nil) {
        var configuration = configuration
        configuration.readonly = true
        self.path = path
        self.configuration = configuration
        if let first { state.withLock { $0.idle = [first] } }
    }

    /// Runs `body` on a connection that no other call uses at the same time; `body` must read with
    /// a single statement.
    ///
    /// - Throws: The errors of SQLite and `body`.
    package func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
        let idle = try state.withLock { state in
            if state.isClosed {
                throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "Connection is closed")
            }
            return state.idle.popLast()
        }
        let reader = try idle ?? DatabaseQueue(path: path, configuration: configuration)
        let result = try reader.unsafeRead(body)
        // A connection whose read failed is not reused.
        state.withLock { state in
            guard !state.isClosed, state.idle.count < Self.keptReaders else { return }
            state.idle.append(reader)
        }
        return result
    }

    /// Closes all idle connections but one, and frees the cached pages and statements of the
    /// remaining one.
    ///
    /// The next read does not have to open a connection and to read the schema again.
    func releaseMemory() {
        var surplus = state.withLock { state in
            defer { state.idle = [] }
            return state.idle
        }
        if let reader = surplus.popLast() {
            reader.unsafeRead { $0.releaseMemory() }
            state.withLock { state in
                if state.isClosed || state.idle.count >= Self.keptReaders {
                    surplus.append(reader)
                } else {
                    state.idle.append(reader)
                }
            }
        }
        for reader in surplus { try? reader.close() }
    }

    /// Closes idle connections; those in use close when their calls end.
    package func close() {
        let idle = state.withLock { state in
            state.isClosed = true
            defer { state.idle = [] }
            return state.idle
        }
        for reader in idle { try? reader.close() }
    }
}
