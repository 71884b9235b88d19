internal import Foundation
internal import Logging
internal import PhotoLibrary

/// The log of the daemon.
///
/// It is written to the journal, with fields, if systemd connected standard error to the journal;
/// otherwise to standard error. Records of the level `notice` and above are written; the
/// environment variable `PHOTOS_LOG_LEVEL` sets another level.
enum DaemonLog {
    private static let variable = "PHOTOS_LOG_LEVEL"

    /// Creates the loggers of the engine.
    ///
    /// Must be called once.
    ///
    /// - Parameter path: The socket of the journal; nil for the system's.
    /// - Returns: The loggers.
    static func start(journal path: String? = nil) -> LibraryLoggers {
        let text = ProcessInfo.processInfo.environment[variable] ?? ""
        let chosen = Logger.Level(rawValue: text.lowercased())
        if chosen == nil, !text.isEmpty {
            let names = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
            say("\(variable) is “\(text)”, which is no level: \(names).")
        }
        let level = chosen ?? .notice
        let journal = JournalSocket(
            path: path ?? JournalSocket.standardPath,
            environment: ProcessInfo.processInfo.environment
        )
        LoggingSystem.bootstrap { label in
            if let journal {
                return JournalLogHandler(label: label, socket: journal, logLevel: level)
            }
            var handler = StreamLogHandler.standardError(label: label)
            handler.logLevel = level
            return handler
        }
        return LibraryLoggers()
    }

    /// Writes a line to standard error, for the person who started the daemon.
    static func say(_ text: String) {
        let line = "photolibraryd: " + text.filter { !$0.isNewline } + "\n"
        try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
    }
}
