internal import EmbeddedLibrary
public import Foundation
internal import LibraryService
internal import PhotoModel

/// The state of a library: its versions, counts, sizes on disk and pending work.
///
/// Finding it creates and changes nothing, and works for libraries that do not open for writing.
public struct LibraryReport: Sendable, Hashable {
    /// A process whose open read transaction keeps the write-ahead log from being truncated.
    public struct LogReader: Sendable, Hashable {
        /// The process.
        public var processIdentifier: Int32
        /// The name of its program; nil when the system does not tell.
        public var program: String?
    }

    /// Numbers of objects.
    public struct Counts: Sendable, Hashable {
        /// Assets outside Recently Deleted, hidden ones included.
        public var assets: Int
        /// Hidden assets outside Recently Deleted.
        public var hidden: Int
        /// Assets in Recently Deleted.
        public var deleted: Int
        /// Albums of the user.
        public var albums: Int
        /// Folders of the user.
        public var folders: Int
        /// Stored files of all assets.
        public var resources: Int
        /// Assets that an earlier version of this software read, those in Recently Deleted included:
        /// ``LibraryRefresh`` would read them again.
        public var assetsOfEarlierReaders: Int
    }

    /// Lengths of files in bytes.
    public struct Sizes: Sendable, Hashable {
        /// All original files.
        public var originals: Int64
        /// Rendered edits and adjustment data.
        public var edits: Int64
        /// The database.
        public var database: Int64
        /// The database's write-ahead log.
        public var log: Int64
        /// The thumbnails and their write-ahead log.
        public var renditions: Int64
    }

    /// Work that is under way, or that a later writer finishes.
    public struct PendingWork: Sendable, Hashable {
        /// Imports and edits that are writing files now.
        public var activeSessions: Int
        /// Imports and edits that were interrupted; the next writer clears what they left.
        public var interruptedSessions: Int
        /// Files of purged assets that the next writer removes.
        public var discardedFiles: Int
        /// Files that a repair moved aside.
        public var leftoverFiles: Int
    }

    /// The library's folder.
    public var url: URL
    /// The library's UUID, which stays the same when the library is moved.
    public var libraryIdentifier: String
    /// The number of the bundle's format.
    public var format: Int
    /// The number of the database's schema.
    public var schemaVersion: Int
    /// The version of the last committed change.
    public var version: Int64
    /// Why the library does not open for writing; nil when it does.
    public var readOnlyReason: String?
    /// The version up to which changes are missing because the write-ahead log was lost; nil when none
    /// are.
    public var missingVersion: Int64?
    /// Numbers of objects.
    public var counts: Counts
    /// Sizes on disk.
    public var sizes: Sizes
    /// Unfinished work.
    public var pending: PendingWork
    /// Processes that keep the write-ahead log from being truncated.
    public var logReaders: [LogReader]

    /// Finds the state of the library at a URL.
    ///
    /// Looks at every file of the library: a second or two for a million.
    ///
    /// - Throws: `PHPhotosError` when there is no library, its volume is missing, it is of a newer
    ///   format, damaged, or not to be read; ``LibraryFailure`` tells the cases apart.
    public init(of url: URL) throws {
        let path = url.path(percentEncoded: false)
        self.init(
            try edge { () throws(LibraryError) in try EmbeddedLibrary.inspect(at: path) },
            url: url
        )
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
    }
}
