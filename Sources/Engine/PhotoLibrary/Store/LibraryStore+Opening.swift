package import Foundation
internal import GRDB
internal import Glibc
internal import Logging
package import PhotoModel

extension LibraryStore {
    /// Opens a library.
    ///
    /// Creates and overwrites nothing if the path is not a library of a supported version. A
    /// library that cannot be written to (on a read-only medium, on a network file system, or owned
    /// by another user) opens read-only. A library whose database is older than the last recorded
    /// commit also opens read-only. With `acceptsMissingChanges`, it opens for writing and the
    /// recorded commit is reset.
    ///
    /// - Throws: `libraryMissing`, `volumeMissing`, `notALibrary`, `newerFormat`, `corrupt`,
    ///   `noPermission`, `inputOutput`, `busy`.
    package static func open(
        at path: String,
        acceptsMissingChanges: Bool = false,
        files: FileOperations = FileOperations(),
        loggers: LibraryLoggers = .silent,
        clock: @escaping @Sendable () -> Date = { Date() }
    ) throws(LibraryError) -> LibraryStore {
        try open(
            at: path,
            acceptsMissingChanges: acceptsMissingChanges,
            files: files,
            loggers: loggers,
            clock: clock,
            migrationSpace: MigrationSpace()
        )
    }

    /// Opens a library; `migrationSpace` lets tests replace the query for free space.
    static func open(
        at path: String,
        acceptsMissingChanges: Bool = false,
        files: FileOperations = FileOperations(),
        loggers: LibraryLoggers = .silent,
        clock: @escaping @Sendable () -> Date = { Date() },
        migrationSpace: MigrationSpace
    ) throws(LibraryError) -> LibraryStore {
        let start = ContinuousClock.now
        let bundle = LibraryBundle(root: path)
        try check(bundle)
        do {
            let store = try openChecked(
                bundle,
                acceptsMissingChanges: acceptsMissingChanges,
                files: files,
                loggers: loggers,
                clock: clock,
                migrationSpace: migrationSpace
            )
            KnownLibraries.remember(bundle.root)
            store.recordOpening(since: start)
            return store
        } catch {
            throw LibraryError(error, library: bundle.root)
        }
    }

    private func recordOpening(since start: ContinuousClock.Instant) {
        let logger = loggers.store
        logger.debug(
            "The library was opened.",
            metadata: [
                "store.milliseconds": logger.milliseconds(since: start),
                "store.path": logger.detail(bundle.root),
                "store.readOnly": logger.detail(readOnlyReason ?? "no"),
            ]
        )
        if let acceptedVersion {
            logger.info(
                "Missing changes were accepted.",
                metadata: ["store.missingVersion": "\(acceptedVersion)"]
            )
        }
    }

    private static func openChecked(
        _ bundle: LibraryBundle,
        acceptsMissingChanges: Bool,
        files: FileOperations,
        loggers: LibraryLoggers,
        clock: @escaping @Sendable () -> Date,
        migrationSpace: MigrationSpace
    ) throws -> LibraryStore {
        if let reason = reasonNotToWrite(bundle) {
            return try openCopy(bundle, reason, files: files, loggers: loggers, clock: clock)
        }
        let lock = try WriterLock(path: bundle.lock, logger: loggers.store)
        let store: LibraryStore?
        do {
            // Under the lock, since opening may replay a write-ahead log and migrate, and since a
            // restore replaces the library under it.
            store = try lock.withLock(patience: writerPatience) {
                let opened = try openInPlace(
                    bundle,
                    acceptsMissingChanges: acceptsMissingChanges,
                    logger: loggers.store,
                    migrationSpace: migrationSpace
                )
                return opened.map { opened in
                    LibraryStore(
                        bundle: bundle,
                        pool: opened.pool,
                        lock: lock,
                        readOnlyReason: nil,
                        acceptedVersion: opened.missing,
                        temporaryCopy: nil,
                        files: files,
                        loggers: loggers,
                        clock: clock
                    )
                }
            }
        } catch let error as DatabaseError
            where VolumeProblem(behind: error, at: bundle.root) == .full
        {
            // Without room for its shared memory, SQLite cannot even read.
            let store = try? openCopy(
                bundle,
                volumeIsFull,
                files: files,
                loggers: loggers,
                clock: clock
            )
            // If no copy can be read, the volume's problem is reported.
            guard let store else { throw error }
            return store
        }
        // SQLite would create a log in the place of the lost one, which may still be restored.
        return try store
            ?? openCopy(bundle, nil, files: files, loggers: loggers, clock: clock)
    }

    /// Opens the database and migrates it.
    ///
    /// Requires the writer lock.
    ///
    /// - Returns: The connections, and the version up to which missing changes were accepted; nil
    ///   if changes are missing and that is not accepted.
    static func openInPlace(
        _ bundle: LibraryBundle,
        acceptsMissingChanges: Bool,
        logger: Logger,
        migrationSpace: MigrationSpace
    ) throws -> (pool: ConnectionPool, missing: Int64?)? {
        let noted = CommittedVersion(of: bundle)
        // A read-only connection, so that a damaged database stays unchanged.
        let reader = try makeReader(bundle.database, logger)
        var isKept = false
        defer { if !isKept { try? reader.close() } }
        let (isCurrent, present, hasLog) = try reader.read { database in
            let (isCurrent, present) = try state(of: database, bundle)
            let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode")
            return (isCurrent, present, mode == "wal")
        }
        let missing = noted?.missingVersion(in: present)
        if missing != nil {
            guard acceptsMissingChanges else { return nil }
            try present.write(to: bundle)
        }
        if !isCurrent { try migrationSpace.check(bundle) }
        isKept = isCurrent && hasLog
        let pool = pool(bundle.database, logger, reader: isKept ? reader : nil)
        if !isCurrent { try migrate(pool, bundle, logger) }
        // Otherwise readers would block writers until the first change.
        if !hasLog { try pool.withWriter { _ in } }
        try groupMoments(pool, logger)
        return (pool, missing)
    }

    /// Opens a temporary copy of the library's database for reading.
    ///
    /// `reason` states why the library cannot be written to. It is nil if the only reason is that
    /// committed changes are missing.
    private static func openCopy(
        _ bundle: LibraryBundle,
        _ reason: String?,
        files: FileOperations,
        loggers: LibraryLoggers,
        clock: @escaping @Sendable () -> Date
    ) throws -> LibraryStore {
        let copy = try TemporaryCopy(of: bundle)
        let pool = pool(copy.database, loggers.store)
        let (isCurrent, present) = try pool.read { try state(of: $0, bundle) }
        let missing = copy.noted?.missingVersion(in: present)
        let error = missing.map { LibraryError.changesMissing(upTo: $0, bundle) }
        guard isCurrent else { throw reason == nil ? error ?? older(bundle) : older(bundle) }
        return LibraryStore(
            bundle: bundle,
            pool: pool,
            lock: nil,
            readOnlyReason: reason ?? error?.message ?? "Its database was being replaced.",
            missingVersion: missing,
            temporaryCopy: copy,
            files: files,
            loggers: loggers,
            clock: clock
        )
    }

    /// Groups the library's assets into moments, unless they are already grouped by the current
    /// rule.
    private static func groupMoments(_ pool: ConnectionPool, _ logger: Logger) throws {
        let rule = try pool.read { try LibrarySetting.momentRule.value(in: $0) }
        guard rule != MomentRule.version else { return }
        let start = ContinuousClock.now
        try pool.withWriter { writer in
            try StatementJournal.inFiles(writer) {
                try writer.write { try LibraryTransaction.rebuildMoments($0) }
            }
            writer.inDatabase(PageCache.releaseIfLarge)
        }
        // A new library has no rule either.
        logger.log(
            level: rule == nil ? .debug : .info,
            "The moments were grouped.",
            metadata: ["moments.milliseconds": logger.milliseconds(since: start)]
        )
    }

    /// Migrates the database to the current schema.
    private static func migrate(
        _ pool: ConnectionPool,
        _ bundle: LibraryBundle,
        _ logger: Logger
    ) throws {
        let start = ContinuousClock.now
        let former = try pool.read(Schema.version)
        logger.info(
            "The database is being migrated.",
            metadata: [
                "migration.from": "\(former)",
                "migration.bytes": "\(FileSystem.length(of: bundle.database))",
            ]
        )
        try pool.withWriter { writer in
            try StatementJournal.inFiles(writer) { try Schema.migrator.migrate(writer) }
            writer.inDatabase(PageCache.releaseIfLarge)
        }
        let present = try pool.read(Schema.version)
        logger.info(
            "The database was migrated.",
            metadata: [
                "migration.from": "\(former)",
                "migration.to": "\(present)",
                "migration.milliseconds": logger.milliseconds(since: start),
            ]
        )
    }

    /// Creates the connection pool of a database.
    ///
    /// `reader` is a connection that is already open, if any.
    static func pool(
        _ path: String,
        _ logger: Logger,
        reader: DatabaseQueue? = nil
    ) -> ConnectionPool {
        ConnectionPool(path: path, configuration: configuration(logger), reader: reader) {
            // With NORMAL, a power failure can lose acknowledged changes.
            try $0.execute(sql: "PRAGMA synchronous = FULL")
            // A page that leaves the cache before the commit is written to the log, and again after
            // each further change. Memory is allocated as needed and released after a large
            // transaction.
            try $0.execute(sql: "PRAGMA cache_size = -\(writerCacheInKibibytes)")
            try StatementJournal.keepInMemory($0)
            try WriteAheadLog.limit($0)
        }
    }

    /// Opens a read-only connection.
    private static func makeReader(_ path: String, _ logger: Logger) throws -> DatabaseQueue {
        var configuration = configuration(logger)
        configuration.readonly = true
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// The maximum size of the writer's page cache.
    private static let writerCacheInKibibytes = 65_536

    /// Returns a database configuration that logs slow statements.
    static func configuration(
        _ logger: Logger = LibraryLoggers.silent.store
    ) -> Configuration {
        let slowStatements = SlowStatements(logger: logger)
        var configuration = Configuration()
        configuration.busyMode = .timeout(writerPatience)
        configuration.label = "photos.library"
        configuration.maximumReaderCount = 8
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA cache_size = -4000")
            StringFunctions.register(in: database)
            MomentTitles.register(in: database)
            PlaceNames.register(in: database)
            slowStatements.observe(database)
        }
        return configuration
    }

    // MARK: - Problems

    /// Checks a bundle's folder, version file and database file before the database is opened.
    ///
    /// - Returns: The number of the bundle's format.
    @discardableResult
    static func check(_ bundle: LibraryBundle) throws(LibraryError) -> Int {
        let format: Int
        switch FileSystem.status(of: bundle.root) {
        case .failure(let errno) where errno.number == ENOENT || errno.number == ENOTDIR:
            let error = missing(bundle)
            // Another process may have created it since, and then remembers it.
            guard case .success = FileSystem.status(of: bundle.root) else { throw error }
            return try check(bundle)
        case .failure(let errno):
            throw errno.libraryError(doing: "access")
        case .success(let status) where !FileSystem.isFolder(status):
            throw notALibrary(bundle, "It is not a folder.")
        case .success: break
        }
        switch FileSystem.contents(of: bundle.version, limitInBytes: 64) {
        case .failure(let errno) where errno.number == ENOENT:
            if case .success = FileSystem.status(of: bundle.database) {
                throw damaged(bundle, "Its file `version` is missing.")
            }
            throw KnownLibraries.remembers(bundle.root)
                ? missing(bundle) : notALibrary(bundle, "It has no file `version`.")
        case .failure(let errno):
            throw errno.libraryError(doing: "read")
        case .success(let bytes):
            format = try self.format(bytes, bundle)
        }
        if case .failure(let errno) = FileSystem.status(of: bundle.database) {
            guard errno.number == ENOENT else {
                throw errno.libraryError(doing: "access")
            }
            throw damaged(bundle, "Its database \(bundle.database) is missing.")
        }
        guard access(bundle.database, R_OK) == 0 else {
            throw SystemError.last("access", path: bundle.database)
                .libraryError(doing: "read")
        }
        return format
    }

    private static func format(_ bytes: [UInt8], _ bundle: LibraryBundle) throws(LibraryError)
        -> Int
    {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let format = Int(text.trimmingCharacters(in: .whitespacesAndNewlines)), format > 0
        else {
            throw damaged(bundle, "Its file `version` does not contain a number.")
        }
        guard format <= LibraryBundle.currentFormat else { throw newer(bundle, "format \(format)") }
        return format
    }

    /// Returns whether all migrations have been applied, and the last committed version.
    private static func state(
        of database: Database,
        _ bundle: LibraryBundle
    ) throws -> (isCurrent: Bool, present: CommittedVersion) {
        (try isCurrent(database, bundle), try CommittedVersion(in: database))
    }

    static func isCurrent(_ database: Database, _ bundle: LibraryBundle) throws -> Bool {
        let migrator = Schema.migrator
        guard try !migrator.hasBeenSuperseded(database) else {
            throw newer(bundle, "tables of a later version")
        }
        guard try !migrator.appliedIdentifiers(database).isEmpty else {
            throw damaged(bundle, "Its database does not contain a library.")
        }
        return try migrator.hasCompletedMigrations(database)
    }

    private static func older(_ bundle: LibraryBundle) -> LibraryError {
        LibraryError(
            .readOnly,
            "The library at \(bundle.root) was written by an older version and cannot be upgraded"
                + " because it is read-only.",
            recovery: "Open it once from a writable volume.",
            path: bundle.root
        )
    }

    /// The reason why a library on a full volume cannot be written to.
    static let volumeIsFull =
        "Its volume is full. Free some space on it, then open the library again."

    static func reasonNotToWrite(_ bundle: LibraryBundle) -> String? {
        if let network = FileSystem.networkFileSystem(at: bundle.root) {
            return "It is on \(network), which does not support SQLite's write-ahead log."
        }
        for path in [bundle.databaseFolder, bundle.database, bundle.root]
        where access(path, W_OK) != 0 {
            return errno == EROFS
                ? "Its volume is mounted read-only."
                : "This user has no permission to write to \(path)."
        }
        return nil
    }

    static func missing(_ bundle: LibraryBundle) -> LibraryError {
        guard KnownLibraries.remembers(bundle.root) else {
            return LibraryError(
                .libraryMissing,
                "There is no library at \(bundle.root).",
                recovery: "Check the path, or create a library there with photos create.",
                path: bundle.root
            )
        }
        return LibraryError(
            .volumeMissing,
            "The library at \(bundle.root) existed before, but is missing now.",
            reason: "Its volume is probably not mounted.",
            recovery:
                "Mount the volume. If you moved or deleted the library, create a new one there"
                + " with photos create.",
            path: bundle.root
        )
    }

    private static func notALibrary(_ bundle: LibraryBundle, _ reason: String) -> LibraryError {
        LibraryError(
            .notALibrary,
            "\(bundle.root) is not a photo library.",
            reason: reason,
            recovery: "Check the path, or create a library elsewhere with photos create.",
            path: bundle.root
        )
    }

    private static func newer(_ bundle: LibraryBundle, _ what: String) -> LibraryError {
        LibraryError(
            .newerFormat,
            "The library at \(bundle.root) was written by a newer version of swift-photos.",
            reason: "It has \(what); this version knows format \(LibraryBundle.currentFormat).",
            recovery: "Update swift-photos. Nothing was changed.",
            path: bundle.root
        )
    }

    private static func damaged(_ bundle: LibraryBundle, _ reason: String) -> LibraryError {
        LibraryError(
            .corrupt,
            "The library at \(bundle.root) is damaged.",
            reason: reason,
            recovery:
                "Nothing was changed. Restore the missing part from a backup. The originals are"
                + " in \(bundle.originals).",
            path: bundle.root
        )
    }
}
