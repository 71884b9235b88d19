package import Logging
internal import Synchronization

/// Keeps the records of loggers that it makes.
package final class LogRecords: Sendable {
    /// A record as text.
    package struct Record: Sendable, Hashable {
        package var label: String
        package var level: String
        package var message: String
        package var metadata: [String: String]
    }

    private let records = Mutex<[Record]>([])

    package init() {}

    /// What was recorded so far.
    package var all: [Record] { records.withLock(\.self) }

    /// The records with a message.
    package func of(_ message: String) -> [Record] { all.filter { $0.message == message } }

    /// A logger that records here.
    package func logger(_ label: String, level: Logger.Level = .trace) -> Logger {
        Logger(label: label) { Handler(records: self, label: $0, logLevel: level) }
    }

    private struct Handler: LogHandler {
        let records: LogRecords
        let label: String
        var logLevel: Logger.Level
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(event.metadata ?? [:]) { $1 }
            let record = Record(
                label: label,
                level: event.level.rawValue,
                message: "\(event.message)",
                metadata: all.mapValues { "\($0)" }
            )
            records.records.withLock { $0.append(record) }
        }
    }
}
