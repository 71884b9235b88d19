internal import Foundation
internal import GRDB
internal import Glibc
package import LibraryService
package import PhotoModel

/// Reports the state of a library without opening it for writing.
///
/// 1. Nothing in the library is created, changed or removed. If SQLite would have to, a temporary
///    copy of the database is read.
/// 2. The writer lock is not acquired, so a library can be inspected during writes.
/// 3. The recorded version of the last commit is read before the database, so that a commit in
///    between does not look like a loss.
package struct LibraryInspector {
    private let bundle: LibraryBundle

    /// Inspects the library at an absolute path.
    ///
    /// - Throws: `libraryMissing`, `volumeMissing`, `notALibrary`, `newerFormat`, `corrupt`,
    ///   `noPermission`, `inputOutput`.
    package static func inspect(at path: String) throws(LibraryError) -> LibraryInspection {
        let inspector = LibraryInspector(bundle: LibraryBundle(root: path))
        do {
            return try inspector.inspection()
        } catch {
            throw LibraryError(error, library: inspector.bundle.root)
        }
    }

    private func inspection() throws -> LibraryInspection {
        let format = try LibraryStore.check(bundle)
        let noted = CommittedVersion(of: bundle)
        let logReaders = LogReaders(bundle: bundle)
        let readers = logReaders.processes()
        // Before the database is opened, since SQLite may create an empty log.
        let log = FileSystem.length(of: bundle.log)
        var inspection = try withDatabase { database in
            try rows(of: database, format: format, noted: noted)
        }
        inspection.readOnlyReason =
            LibraryStore.reasonNotToWrite(bundle)
            ?? inspection.missingVersion.map {
                LibraryError.changesMissing(upTo: $0, bundle).message
            }
        inspection.sizes.log = log
        inspection.sizes.database = FileSystem.length(of: bundle.database)
        inspection.sizes.renditions = ["", "-wal"].reduce(0) {
            $0 + FileSystem.length(of: bundle.renditions + $1)
        }
        inspection.sizes.originals = FileTally(of: bundle.originals).bytes
        inspection.sizes.edits = FileTally(of: bundle.edits).bytes
        let sessions = StagingRecovery.tally(of: bundle)
        inspection.pending.activeSessions = sessions.active
        inspection.pending.interruptedSessions = sessions.interrupted
        inspection.pending.leftoverFiles = FileTally(of: bundle.leftovers).files
        guard log > 0, !readers.isEmpty else { return inspection }
        // Every read holds the lock for a moment; only lasting ones block the log.
        usleep(Self.pauseInMicroseconds)
        inspection.logReaders = readers.intersection(logReaders.processes()).sorted().map {
            .init(processIdentifier: $0, program: LogReaders.program(of: $0))
        }
        return inspection
    }

    private static let pauseInMicroseconds: UInt32 = 50_000

    // MARK: - Rows

    private func rows(
        of database: Database,
        format: Int,
        noted: CommittedVersion?
    ) throws -> LibraryInspection {
        _ = try LibraryStore.isCurrent(database, bundle)
        let present = try CommittedVersion(in: database)
        var inspection = LibraryInspection(
            path: bundle.root,
            format: format,
            schemaVersion: try Schema.version(of: database),
            libraryUUID: present.libraryUUID,
            version: present.version
        )
        inspection.missingVersion = noted?.missingVersion(in: present)
        inspection.counts = try counts(database)
        inspection.pending.discardedFiles = try count("discardedFile", database)
        return inspection
    }

    private func counts(_ database: Database) throws -> LibraryInspection.Counts {
        var counts = LibraryInspection.Counts()
        counts.deleted = try count("asset", where: "trashedDate IS NOT NULL", database)
        counts.assets = try count("asset", database) - counts.deleted
        counts.hidden = try count(
            "asset",
            // The index on `isVisible` narrows the search to few rows.
            where: "isVisible = 0 AND isHidden = 1 AND trashedDate IS NULL",
            database
        )
        counts.resources = try count("resource", database)
        // Without the column, all assets were read before reader versions existed.
        let isVersioned = try database.columns(in: "asset").contains { $0.name == "readerVersion" }
        counts.earlierReaders = try count(
            "asset",
            where: isVersioned ? "readerVersion < \(ReaderVersion.current)" : "1",
            database
        )
        counts.albums = try count(
            "collection",
            where: "kind = \(ObjectKind.album.rawValue)",
            database
        )
        counts.folders = try count(
            "collection",
            where: "kind = \(ObjectKind.folder.rawValue)",
            database
        )
        return counts
    }

    /// Returns the number of rows of a table; 0 for a table that an older database lacks.
    private func count(
        _ table: String,
        where condition: String = "1",
        _ database: Database
    ) throws -> Int {
        guard try database.tableExists(table) else { return 0 }
        let sql = "SELECT count(*) FROM \(table) WHERE \(condition)"
        return try Int.fetchOne(database, sql: sql) ?? 0
    }

    // MARK: - Connection

    /// Runs `body` in one read transaction that leaves the library's files unchanged.
    private func withDatabase<Result>(_ body: (Database) throws -> Result) throws -> Result {
        var configuration = LibraryStore.configuration()
        let hasLog = access(bundle.log, F_OK) == 0
        let hasIndex = access(bundle.database + "-shm", F_OK) == 0
        var path = bundle.database
        var copy: TemporaryCopy?
        if LibraryStore.reasonNotToWrite(bundle) != nil || hasLog != hasIndex {
            // SQLite would have to create one of the two, and leave it or remove the other.
            copy = try TemporaryCopy(of: bundle)
            path = copy?.database ?? path
        } else {
            // With a log, a read-only connection leaves both files in place. Without a log, a
            // writable connection creates both and removes them when it closes.
            configuration.readonly = hasLog
        }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer {
            try? queue.close()
            withExtendedLifetime(copy) {}
        }
        return try queue.read(body)
    }
}
