internal import Foundation
internal import Logging
internal import PhotoLibrary

/// The log of the daemon, on standard error, from where systemd passes it to the journal.
///
/// Records of the level `notice` and above are written; `$PHOTOS_LOG_LEVEL` names another level.
enum DaemonLog {
    private static let variable = "PHOTOS_LOG_LEVEL"

    /// Creates the loggers of the engine.
    ///
    /// Must be called once.
    static func start() -> LibraryLoggers {
        let text = ProcessInfo.processInfo.environment[variable] ?? ""
        let level = Logger.Level(rawValue: text.lowercased()) ?? .notice
        LoggingSystem.bootstrap { label in
            var handler = StreamLogHandler.standardError(label: label)
            handler.logLevel = level
            return handler
        }
        return LibraryLoggers()
    }
}
