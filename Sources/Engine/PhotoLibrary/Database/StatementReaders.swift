package import GRDB
internal import Synchronization

/// Connections for calls that read with one statement.
///
/// A pool's reader looks at the schema's version before each call, in a transaction of its own, which
/// costs as much as the statement. These don't: SQLite itself prepares a statement anew where tables
/// have changed. Opened when they are first needed; some are kept. Thread-safe.
package final class StatementReaders: Sendable {
    /// So many are kept for the next calls: as many threads read at a time, more seldom.
    private static let keptReaders = 4

    private struct State {
        var idle: [DatabaseQueue] = []
        var isClosed = false
    }

    private let path: String
    private let configuration: Configuration
    private let state = Mutex(State())

    /// Readers of the database at a path, made as the configuration says.
    package init(path: String, configuration: Configuration) {
        var configuration = configuration
        configuration.readonly = true
        self.path = path
        self.configuration = configuration
    }

    /// Runs `body`, which reads with one statement, on a connection that nobody else uses meanwhile.
    ///
    /// - Throws: What SQLite and `body` throw.
    package func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
        let idle = try state.withLock { state in
            if state.isClosed {
                throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "Connection is closed")
            }
            return state.idle.popLast()
        }
        let reader = try idle ?? DatabaseQueue(path: path, configuration: configuration)
        let result = try reader.unsafeRead(body)
        // One that failed is not used again.
        state.withLock { state in
            guard !state.isClosed, state.idle.count < Self.keptReaders else { return }
            state.idle.append(reader)
        }
        return result
    }

    /// Closes what is idle; what is in use is closed when its call ends.
    package func close() {
        let idle = state.withLock { state in
            state.isClosed = true
            defer { state.idle = [] }
            return state.idle
        }
        for reader in idle { try? reader.close() }
    }
}
