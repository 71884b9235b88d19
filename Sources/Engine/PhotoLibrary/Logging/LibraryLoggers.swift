package import Logging

/// The loggers of the engine's components, one label each.
///
/// `Docs/logging.md` lists every record. A program receives the records through
/// `LoggingSystem.bootstrap`; names, titles, paths and SQL appear at the debug level only.
package struct LibraryLoggers: Sendable {
    /// The logger for the database: opening, migrations, recovery, lock waits and slow statements.
    package var store: Logger
    /// The logger for history pruning and for assets that expire in Recently Deleted.
    package var maintenance: Logger
    /// The logger for imports.
    package var imports: Logger
    /// The logger for changes made by programs and people.
    package var changes: Logger
    /// The logger for in-memory caches.
    package var caches: Logger
    /// The logger for the store of renditions.
    package var renditions: Logger
    /// The logger for worker processes.
    package var workers: Logger

    /// Creates the loggers with a function that returns the logger of a label.
    package init(_ makeLogger: (String) -> Logger = { Logger(label: $0) }) {
        store = makeLogger("photos.store")
        maintenance = makeLogger("photos.maintenance")
        imports = makeLogger("photos.import")
        changes = makeLogger("photos.changes")
        caches = makeLogger("photos.caches")
        renditions = makeLogger("photos.renditions")
        workers = makeLogger("photos.workers")
    }

    /// Loggers that discard all records.
    package static let silent = LibraryLoggers {
        Logger(label: $0) { _ in SwiftLogNoOpLogHandler() }
    }
}

extension Logger {
    /// Returns the value, which may name a person or a place, if this logger records the debug
    /// level; otherwise returns `<private>`.
    package func detail(_ value: @autoclosure () -> String) -> MetadataValue {
        logLevel <= .debug ? "\(value())" : "<private>"
    }

    /// Returns the whole milliseconds since an instant, as metadata.
    func milliseconds(since start: ContinuousClock.Instant) -> MetadataValue {
        "\(Int((ContinuousClock.now - start) / .milliseconds(1)))"
    }
}
