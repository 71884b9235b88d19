internal import GRDB
internal import Logging

/// Logs SQL statements that take longer than a threshold.
///
/// SQLite measures from the first step to the reset, so the time that a reader spends between rows
/// counts. A connection is only observed if the logger records the debug level; otherwise
/// statements cost nothing more.
struct SlowStatements: Sendable {
    /// The minimum duration, in seconds, of a statement that is logged.
    static let threshold = 0.1

    let logger: Logger

    func observe(_ database: Database) {
        guard logger.logLevel <= .debug else { return }
        database.trace(options: .profile) { [logger] event in
            guard case .profile(let statement, let seconds) = event, seconds >= Self.threshold
            else { return }
            logger.debug(
                "A statement was slow.",
                metadata: [
                    "statement.milliseconds": "\(Int(seconds * 1_000))",
                    // Without the bound values.
                    "statement.sql": "\(statement.sql)",
                ]
            )
        }
    }
}
