/// The state of a library, found without opening it for writing.
package struct LibraryInspection: Codable, Hashable, Sendable {
    /// A process whose open read transaction keeps the write-ahead log from being truncated.
    package struct LogReader: Codable, Hashable, Sendable {
        package var processIdentifier: Int32
        /// The name of its program; nil when the system does not tell.
        package var program: String?

        package init(processIdentifier: Int32, program: String?) {
            self.processIdentifier = processIdentifier
            self.program = program
        }
    }

    /// Numbers of rows.
    package struct Counts: Codable, Hashable, Sendable {
        /// Assets outside Recently Deleted, hidden ones included.
        package var assets = 0
        /// Hidden assets outside Recently Deleted.
        package var hidden = 0
        /// Assets in Recently Deleted.
        package var deleted = 0
        package var albums = 0
        package var folders = 0
        /// Stored files of all assets.
        package var resources = 0
        /// Assets that an earlier version of this software read, those in Recently Deleted included.
        package var earlierReaders = 0

        package init() {}
    }

    /// Lengths of files in bytes.
    package struct Sizes: Codable, Hashable, Sendable {
        package var originals: Int64 = 0
        package var edits: Int64 = 0
        package var database: Int64 = 0
        /// The database's write-ahead log.
        package var log: Int64 = 0
        /// The renditions and their write-ahead log.
        package var renditions: Int64 = 0

        package init() {}
    }

    /// Work that is under way, or that a later writer finishes.
    package struct PendingWork: Codable, Hashable, Sendable {
        /// Staging sessions of live processes.
        package var activeSessions = 0
        /// Staging sessions of dead processes.
        package var interruptedSessions = 0
        /// Files of purged assets that are still to be removed.
        package var discardedFiles = 0
        /// Files that a repair moved aside.
        package var leftoverFiles = 0

        package init() {}
    }

    /// The bundle's folder.
    package var path: String
    /// The bundle's format number.
    package var format: Int
    /// The number of the newest migration that was applied to the database.
    package var schemaVersion: Int
    package var libraryUUID: String
    /// The version of the last committed change.
    package var version: Int64
    /// Why the library does not open for writing; nil when it does.
    package var readOnlyReason: String?
    /// The version up to which changes are missing; nil when none are.
    package var missingVersion: Int64?
    package var counts = Counts()
    package var sizes = Sizes()
    package var pending = PendingWork()
    package var logReaders: [LogReader] = []

    package init(
        path: String,
        format: Int,
        schemaVersion: Int,
        libraryUUID: String,
        version: Int64
    ) {
        self.path = path
        self.format = format
        self.schemaVersion = schemaVersion
        self.libraryUUID = libraryUUID
        self.version = version
    }
}
