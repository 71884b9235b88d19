/// The state of a library, determined without opening it for writing.
package struct LibraryInspection: Codable, Hashable, Sendable {
    /// A program that has the library open.
    package struct OpenProgram: Codable, Hashable, Sendable {
        package var processIdentifier: Int32
        /// The name of the program; nil when the system does not report it.
        package var program: String?
        /// The number of the program's running worker processes.
        package var workers: Int

        package init(processIdentifier: Int32, program: String?, workers: Int) {
            self.processIdentifier = processIdentifier
            self.program = program
            self.workers = workers
        }
    }

    /// The number of assets with metadata from a particular version of the metadata reader.
    package struct ReaderCount: Codable, Hashable, Sendable {
        package var readerVersion: Int
        package var assets: Int

        package init(readerVersion: Int, assets: Int) {
            self.readerVersion = readerVersion
            self.assets = assets
        }
    }

    /// A process whose open read transaction prevents truncation of the write-ahead log.
    package struct LogReader: Codable, Hashable, Sendable {
        package var processIdentifier: Int32
        /// The name of the program that the process runs; nil when the system does not report it.
        package var program: String?

        package init(processIdentifier: Int32, program: String?) {
            self.processIdentifier = processIdentifier
            self.program = program
        }
    }

    /// The numbers of objects in a library.
    package struct Counts: Codable, Hashable, Sendable {
        /// The number of assets outside Recently Deleted, including hidden ones.
        package var assets = 0
        /// The number of hidden assets outside Recently Deleted.
        package var hidden = 0
        /// The number of assets in Recently Deleted.
        package var deleted = 0
        package var albums = 0
        package var folders = 0
        /// The number of stored files of all assets.
        package var resources = 0
        /// The number of assets, including those in Recently Deleted, with metadata from an earlier
        /// reader version.
        package var earlierReaders = 0

        package init() {}
    }

    /// The sizes of a library's files, in bytes.
    package struct Sizes: Codable, Hashable, Sendable {
        /// The size of the originals; nil if measuring takes too long.
        package var originals: Int64?
        /// The size of the edits; nil if measuring takes too long.
        package var edits: Int64?
        package var database: Int64 = 0
        /// The size of the database's write-ahead log.
        package var log: Int64 = 0
        /// The size of the renditions and their write-ahead log.
        package var renditions: Int64 = 0

        package init() {}
    }

    /// The counts of unfinished work and of files that a repair moved aside.
    package struct PendingWork: Codable, Hashable, Sendable {
        /// The number of staging sessions of running processes.
        package var activeSessions = 0
        /// The number of staging sessions of processes that no longer run.
        package var interruptedSessions = 0
        /// The number of files of purged assets that are still to be removed.
        package var discardedFiles = 0
        /// The number of files that a repair moved aside.
        package var leftoverFiles = 0

        package init() {}
    }

    /// The bundle's folder.
    package var path: String
    /// The version number of the bundle's format.
    package var format: Int
    /// The number of the newest migration applied to the database.
    package var schemaVersion: Int
    package var libraryUUID: String
    /// The version of the last committed change.
    package var version: Int64
    /// The reason why the library cannot be opened for writing; nil when it can.
    package var readOnlyReason: String?
    /// The last version of the lost changes; nil if no changes are missing.
    package var missingVersion: Int64?
    package var counts = Counts()
    package var sizes = Sizes()
    package var pending = PendingWork()
    package var logReaders: [LogReader] = []
    /// The version of this software's metadata reader.
    package var readerVersion = 0
    /// The numbers of assets by the version of the metadata reader that read them, in ascending
    /// order of versions.
    package var readers: [ReaderCount] = []
    /// The other programs that have the library open.
    package var programs: [OpenProgram] = []
    /// The process that holds the writer lock; nil for none.
    package var writer: LogReader?
    /// The last complete check; nil if none is recorded.
    package var lastCheck: LastCheck?
    /// The result of reading files again in the background to detect damage; nil if none were read.
    package var lastScrub: LastScrub?

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
