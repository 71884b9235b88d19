import Foundation
import Logging
import Synchronization

/// The log of the `photos` command, on standard error.
///
/// Records of the level `warning` and above are written; the environment variable
/// `PHOTOS_LOG_LEVEL` sets another level, and `--verbose` includes the level `debug`.
enum CommandLog {
    /// The name of the environment variable that sets the log level.
    static let variable = "PHOTOS_LOG_LEVEL"

    private static let level = Mutex(Logger.Level.warning)

    /// Sends the log records of all components to standard error.
    ///
    /// Must be called once, before any logger is created.
    static func start() {
        if let text = ProcessInfo.processInfo.environment[variable], !text.isEmpty {
            if let chosen = Logger.Level(rawValue: text.lowercased()) {
                level.withLock { $0 = chosen }
            } else {
                let names = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
                StandardError.shared.say(
                    "photos: \(variable) is \(TerminalStyle.quoted(text)), which is no level: \(names)."
                )
            }
        }
        LoggingSystem.bootstrap { label in
            CommandLogHandler(label: label, logLevel: level.withLock(\.self))
        }
    }

    /// Enables the debug level in the loggers that are created from now on.
    static func setVerbose() {
        level.withLock { $0 = min($0, .debug) }
    }
}

/// Writes one line per log record to standard error: time, level, label, message and metadata.
struct CommandLogHandler: LogHandler {
    let label: String
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let time = Date().formatted(.iso8601)
        var line = "\(time) \(event.level) \(label): \(event.message)"
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        for (key, value) in all.sorted(by: { $0.key < $1.key }) { line += " \(key)=\(value)" }
        StandardError.shared.say(TerminalStyle.safe(line))
    }
}
