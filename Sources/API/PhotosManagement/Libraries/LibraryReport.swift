internal import EmbeddedLibrary
public import Foundation
internal import LibraryService
internal import PhotoModel

/// The state of a library: its versions, counts, sizes on disk and pending work.
///
/// Creating a report changes nothing, and also works for libraries that do not open for writing.
public struct LibraryReport: Sendable, Hashable {
    /// A process that is reading the database (in `logReaders`) or writing to the library (in
    /// `writer`).
    ///
    /// A reader is reported because its open read transaction keeps the write-ahead log from being
    /// truncated.
    public struct LogReader: Sendable, Hashable {
        /// The process identifier.
        public var processIdentifier: Int32
        /// The name of the process's program; nil when the system does not report it.
        public var program: String?
    }

    /// A program that has the library open.
    public struct OpenProgram: Sendable, Hashable {
        /// The process identifier.
        public var processIdentifier: Int32
        /// The name of the program; nil when the system does not report it.
        public var program: String?
        /// The number of the program's running worker processes, which decode and render images.
        public var workers: Int
    }

    /// The number of assets whose metadata was extracted by one version of the metadata reader.
    public struct ReaderCount: Sendable, Hashable {
        /// The version of the metadata reader.
        public var readerVersion: Int
        /// The number of assets, including those in Recently Deleted.
        public var assets: Int
    }

    /// The numbers of objects in a library.
    public struct Counts: Sendable, Hashable {
        /// The number of assets outside Recently Deleted, including hidden ones.
        public var assets: Int
        /// The number of hidden assets outside Recently Deleted.
        public var hidden: Int
        /// The number of assets in Recently Deleted.
        public var deleted: Int
        /// The number of the user's albums.
        public var albums: Int
        /// The number of the user's folders.
        public var folders: Int
        /// The number of stored files of all assets.
        public var resources: Int
        /// The number of assets whose metadata was extracted by an earlier version of the reader.
        ///
        /// ``LibraryRefresh`` would read these assets again.
        ///
        /// Assets in Recently Deleted are included.
        public var assetsOfEarlierReaders: Int
    }

    /// The sizes of a library's files, in bytes.
    public struct Sizes: Sendable, Hashable {
        /// The size of all original files; nil when measuring takes too long.
        public var originals: Int64?
        /// The size of rendered edits and adjustment data; nil when measuring takes too long.
        public var edits: Int64?
        /// The size of the database.
        public var database: Int64
        /// The size of the database's write-ahead log.
        public var log: Int64
        /// The size of the thumbnails and their write-ahead log.
        public var renditions: Int64
    }

    /// The library's unfinished work, which is in progress or left for the next writer.
    public struct PendingWork: Sendable, Hashable {
        /// The number of imports and edits that are currently writing files.
        public var activeSessions: Int
        /// The number of imports and edits that were interrupted.
        ///
        /// The next writer removes their leftovers.
        public var interruptedSessions: Int
        /// The number of files that belonged to purged assets and have not been removed yet.
        ///
        /// The next writer removes them.
        public var discardedFiles: Int
        /// The number of files that a repair moved aside instead of deleting.
        public var leftoverFiles: Int
    }

    /// The record of the daemon's scrubbing, which rereads some files each day to detect damage.
    public struct Scrub: Sendable, Hashable {
        /// The time when the last file was read.
        public var date: Date
        /// The files that were found damaged and have not been repaired since.
        ///
        /// The paths are relative to the library's folder.
        public var damagedFiles: [String]
    }

    /// The library's folder.
    public var url: URL
    /// The library's UUID, which stays the same when the library is moved.
    public var libraryIdentifier: String
    /// The version number of the bundle's format.
    public var format: Int
    /// The version number of the database's schema.
    public var schemaVersion: Int
    /// The version of the most recent committed change.
    public var version: Int64
    /// The reason why the library does not open for writing; nil when it does.
    public var readOnlyReason: String?
    /// The version of the last change that was lost with the write-ahead log; nil if none was lost.
    public var missingVersion: Int64?
    /// The numbers of objects.
    public var counts: Counts
    /// The sizes on disk.
    public var sizes: Sizes
    /// The unfinished work.
    public var pending: PendingWork
    /// The processes that keep the write-ahead log from being truncated.
    public var logReaders: [LogReader]
    /// The version of the metadata reader in this software.
    public var readerVersion: Int
    /// The number of assets for each version of the metadata reader, in ascending order of
    /// versions.
    public var readers: [ReaderCount]
    /// The other programs that have the library open, except those in other containers or on other
    /// machines.
    ///
    /// What such a program has in memory, such as its caches and the thumbnails that it is about to
    /// generate, is not visible from outside.
    public var programs: [OpenProgram]
    /// The process that is writing to the library; nil when none is.
    public var writer: LogReader?
    /// The last complete check; nil when none is recorded.
    public var lastCheck: LibraryCheck.Record?
    /// The record of the daemon's scrubbing; nil when the daemon has reread no file.
    public var scrub: Scrub?

    /// Creates a report on the library at a URL.
    ///
    /// Works without the writer lock, and changes nothing. Measuring the originals and edits
    /// requires a file system call for every file, which takes a second or two for a million files.
    ///
    /// - Parameters:
    ///   - url: The library's folder.
    ///   - waitsForSizes: Whether to take that time. Otherwise these sizes are nil when measuring
    ///     takes more than a quarter of a second.
    /// - Throws: `PHPhotosError` when there is no library, its volume is not mounted, its format is
    ///   newer, or it is damaged or unreadable; ``LibraryFailure`` distinguishes the cases.
    public init(of url: URL, waitsForSizes: Bool = true) throws {
        let path = url.path(percentEncoded: false)
        self.init(
            try edge { () throws(LibraryError) in
                try EmbeddedLibrary.inspect(at: path, waitsForSizes: waitsForSizes)
            },
            url: url
        )
    }

    /// Returns the UUID of the library at a URL, without creating a report.
    ///
    /// - Throws: As the initializer.
    static func libraryIdentifier(of url: URL) throws -> String {
        try edge { () throws(LibraryError) in
            try EmbeddedLibrary.libraryUUID(at: url.path(percentEncoded: false))
        }
    }

    private init(_ inspection: LibraryInspection, url: URL) {
        self.url = url
        libraryIdentifier = inspection.libraryUUID
        format = inspection.format
        schemaVersion = inspection.schemaVersion
        version = inspection.version
        readOnlyReason = inspection.readOnlyReason
        missingVersion = inspection.missingVersion
        counts = Counts(
            assets: inspection.counts.assets,
            hidden: inspection.counts.hidden,
            deleted: inspection.counts.deleted,
            albums: inspection.counts.albums,
            folders: inspection.counts.folders,
            resources: inspection.counts.resources,
            assetsOfEarlierReaders: inspection.counts.earlierReaders
        )
        sizes = Sizes(
            originals: inspection.sizes.originals,
            edits: inspection.sizes.edits,
            database: inspection.sizes.database,
            log: inspection.sizes.log,
            renditions: inspection.sizes.renditions
        )
        pending = PendingWork(
            activeSessions: inspection.pending.activeSessions,
            interruptedSessions: inspection.pending.interruptedSessions,
            discardedFiles: inspection.pending.discardedFiles,
            leftoverFiles: inspection.pending.leftoverFiles
        )
        logReaders = inspection.logReaders.map {
            LogReader(processIdentifier: $0.processIdentifier, program: $0.program)
        }
        readerVersion = inspection.readerVersion
        readers = inspection.readers.map {
            ReaderCount(readerVersion: $0.readerVersion, assets: $0.assets)
        }
        programs = inspection.programs.map {
            OpenProgram(
                processIdentifier: $0.processIdentifier,
                program: $0.program,
                workers: $0.workers
            )
        }
        writer = inspection.writer.map {
            LogReader(processIdentifier: $0.processIdentifier, program: $0.program)
        }
        lastCheck = inspection.lastCheck.map { LibraryCheck.Record($0) }
        scrub = inspection.lastScrub.map { scrub in
            Scrub(date: scrub.date, damagedFiles: scrub.damages.map(\.path))
        }
    }
}
