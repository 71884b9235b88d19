internal import Foundation
internal import GRDB
internal import Glibc
package import LibraryService
package import PhotoModel

/// Reports the state of a library without modifying it.
///
/// 1. Nothing in the library is created, changed or removed. If SQLite would have to, a temporary
///    copy of the database is read.
/// 2. The writer lock is not acquired, so a library can be inspected during writes.
/// 3. Counts come from the totals that each change maintains, or from an index. Only the sizes of
///    originals and edits need a walk over the files; unless a caller waits for them, they are
///    omitted after a fraction of a second.
/// 4. The recorded version of the last commit is read before the database, so that a commit in
///    between does not look like a loss.
package struct LibraryInspector {
    /// The time after which the sizes of originals and edits are omitted, unless the caller waits
    /// for them.
    private static let measuringTime = Duration.milliseconds(250)

    private let bundle: LibraryBundle

    /// Inspects the library at an absolute path.
    ///
    /// Measures the originals and edits for at most a fraction of a second, unless `waitsForSizes`
    /// is set.
    ///
    /// - Throws: `libraryMissing`, `volumeMissing`, `notALibrary`, `newerFormat`, `corrupt`,
    ///   `noPermission`, `inputOutput`.
    package static func inspect(
        at path: String,
        waitsForSizes: Bool
    ) throws(LibraryError) -> LibraryInspection {
        let inspector = LibraryInspector(bundle: LibraryBundle(root: path))
        do {
            return try inspector.inspection(waitsForSizes: waitsForSizes)
        } catch {
            throw LibraryError(error, library: inspector.bundle.root)
        }
    }

    /// Returns only the UUID of the library at an absolute path.
    ///
    /// - Throws: As `inspect`.
    package static func libraryUUID(at path: String) throws(LibraryError) -> String {
        let inspector = LibraryInspector(bundle: LibraryBundle(root: path))
        do {
            _ = try LibraryStore.check(inspector.bundle)
            return try inspector.withDatabase { database in
                _ = try LibraryStore.isCurrent(database, inspector.bundle)
                return try CommittedVersion(in: database).libraryUUID
            }.result
        } catch {
            throw LibraryError(error, library: inspector.bundle.root)
        }
    }

    private func inspection(waitsForSizes: Bool) throws -> LibraryInspection {
        let format = try LibraryStore.check(bundle)
        let noted = CommittedVersion(of: bundle)
        let processes = LibraryProcesses(bundle: bundle)
        let readers = processes.readers()
        let programs = processes.programs()
        let writer = processes.writer()
        // Before the database is opened, since SQLite may create an empty log.
        let log = FileSystem.length(of: bundle.log)
        let found = try withDatabase { database in
            try rows(of: database, format: format, noted: noted)
        }
        var inspection = found.result
        inspection.readOnlyReason =
            LibraryStore.reasonNotToWrite(bundle)
            ?? (found.isFull ? LibraryStore.volumeIsFull : nil)
            ?? inspection.missingVersion.map {
                LibraryError.changesMissing(upTo: $0, bundle).message
            }
        inspection.sizes.log = log
        inspection.sizes.database = FileSystem.length(of: bundle.database)
        inspection.sizes.renditions = ["", "-wal"].reduce(0) {
            $0 + FileSystem.length(of: bundle.renditions + $1)
        }
        let deadline = ContinuousClock.now + Self.measuringTime
        let measured = { (folder: String) in
            waitsForSizes
                ? FileTally(of: folder).bytes : FileTally(of: folder, before: deadline)?.bytes
        }
        inspection.sizes.originals = measured(bundle.originals)
        inspection.sizes.edits = measured(bundle.edits)
        inspection.programs = programs
        inspection.writer = writer
        inspection.lastCheck = LastCheckFile.read(of: bundle)
        inspection.lastScrub = ScrubRecord.read(of: bundle)?.summary
        let sessions = StagingRecovery.tally(of: bundle)
        inspection.pending.activeSessions = sessions.active
        inspection.pending.interruptedSessions = sessions.interrupted
        inspection.pending.leftoverFiles = FileTally(of: bundle.leftovers).files
        guard log > 0, !readers.isEmpty else { return inspection }
        // Every read holds the lock for a moment; only lasting ones block the log.
        usleep(Self.pauseInMicroseconds)
        inspection.logReaders = readers.intersection(processes.readers()).sorted().map {
            .init(processIdentifier: $0, program: LibraryProcesses.program(of: $0))
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
        inspection.readerVersion = ReaderVersion.current
        inspection.readers = try readers(database, assets: inspection.counts)
        inspection.counts.earlierReaders = inspection.readers
            .filter { $0.readerVersion < ReaderVersion.current }.reduce(0) { $0 + $1.assets }
        inspection.pending.discardedFiles = try count("discardedFile", database)
        return inspection
    }

    private func counts(_ database: Database) throws -> LibraryInspection.Counts {
        var counts = LibraryInspection.Counts()
        if try database.tableExists("assetFacet") {
            // A few rows, however many assets there are.
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT isTrashed, isHidden, sum(count) FROM assetFacet
                    GROUP BY isTrashed, isHidden
                    """
            )
            for row in rows {
                let number: Int = row[2]
                if row[0] {
                    counts.deleted += number
                } else {
                    counts.assets += number
                    if row[1] { counts.hidden += number }
                }
            }
        } else {
            counts.deleted = try count("asset", where: "trashedDate IS NOT NULL", database)
            counts.assets = try count("asset", database) - counts.deleted
            counts.hidden = try count(
                "asset",
                where: "isHidden = 1 AND trashedDate IS NULL",
                database
            )
        }
        counts.resources = try count("resource", database)
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

    /// Returns the number of assets that were read by each version of the metadata reader.
    ///
    /// Most assets were read by the current version, so only the others are counted and subtracted
    /// from the total.
    private func readers(
        _ database: Database,
        assets counts: LibraryInspection.Counts
    ) throws -> [LibraryInspection.ReaderCount] {
        let total = counts.assets + counts.deleted
        guard total > 0 else { return [] }
        // Without the column, all assets were read before reader versions existed.
        guard try database.columns(in: "asset").contains(where: { $0.name == "readerVersion" })
        else { return [.init(readerVersion: 0, assets: total)] }
        let current = ReaderVersion.current
        var readers = try ["<", ">"].flatMap { comparison in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT readerVersion, count(*) FROM asset WHERE readerVersion \(comparison) ?
                    GROUP BY readerVersion
                    """,
                arguments: [current]
            ).map { LibraryInspection.ReaderCount(readerVersion: $0[0], assets: $0[1]) }
        }
        let others = readers.reduce(0) { $0 + $1.assets }
        if total > others {
            readers.append(.init(readerVersion: current, assets: total - others))
        }
        return readers.sorted { $0.readerVersion < $1.readerVersion }
    }

    /// Returns the number of rows of a table; 0 if the database is too old to have the table.
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
    ///
    /// - Returns: The result of `body`, and whether a copy was read because the volume is full.
    private func withDatabase<Result>(
        _ body: (Database) throws -> Result
    ) throws -> (result: Result, isFull: Bool) {
        let hasLog = access(bundle.log, F_OK) == 0
        let hasIndex = access(bundle.database + "-shm", F_OK) == 0
        guard LibraryStore.reasonNotToWrite(bundle) == nil, hasLog == hasIndex else {
            // SQLite would have to create one of the two, and leave it or remove the other.
            return (try withCopy(body), false)
        }
        var configuration = LibraryStore.configuration()
        // With a log, a read-only connection leaves both files in place. Without a log, a writable
        // connection creates both and removes them when it closes.
        configuration.readonly = hasLog
        do {
            return (try read(bundle.database, configuration, body), false)
        } catch let error as DatabaseError
            where VolumeProblem(behind: error, at: bundle.root) == .full
        {
            // Without room for its shared memory, SQLite cannot even read. If no copy can be read,
            // the volume's problem is reported.
            guard let result = try? withCopy(body) else { throw error }
            return (result, true)
        }
    }

    /// Runs `body` in a read transaction on a temporary copy of the database.
    private func withCopy<Result>(_ body: (Database) throws -> Result) throws -> Result {
        let copy = try TemporaryCopy(of: bundle)
        return try withExtendedLifetime(copy) {
            try read(copy.database, LibraryStore.configuration(), body)
        }
    }

    private func read<Result>(
        _ path: String,
        _ configuration: Configuration,
        _ body: (Database) throws -> Result
    ) throws -> Result {
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        return try queue.read(body)
    }
}
