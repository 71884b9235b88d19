package import Foundation
internal import GRDB
internal import Glibc
package import PhotoModel

extension LibraryStore {
    /// Opens a library.
    ///
    /// Creates nothing and overwrites nothing when the path is not a library of a version that can be
    /// used. A library that cannot be written to (a read-only medium, a network file system, somebody
    /// else's files) opens for reading.
    ///
    /// - Throws: `libraryMissing`, `volumeMissing`, `notALibrary`, `newerFormat`, `corrupt`,
    ///   `noPermission`, `inputOutput`, `busy`.
    package static func open(
        at path: String,
        files: FileOperations = FileOperations(),
        clock: @escaping @Sendable () -> Date = { Date() }
    ) throws(LibraryError) -> LibraryStore {
        try open(at: path, files: files, clock: clock, migrationSpace: MigrationSpace())
    }

    /// `open`, with the free space for migrations as a test says.
    static func open(
        at path: String,
        files: FileOperations = FileOperations(),
        clock: @escaping @Sendable () -> Date = { Date() },
        migrationSpace: MigrationSpace
    ) throws(LibraryError) -> LibraryStore {
        let bundle = LibraryBundle(root: path)
        try check(bundle)
        do {
            let store = try openChecked(
                bundle,
                files: files,
                clock: clock,
                migrationSpace: migrationSpace
            )
            KnownLibraries.remember(bundle.root)
            return store
        } catch {
            throw LibraryError(error, library: bundle.root)
        }
    }

    private static func openChecked(
        _ bundle: LibraryBundle,
        files: FileOperations,
        clock: @escaping @Sendable () -> Date,
        migrationSpace: MigrationSpace
    ) throws -> LibraryStore {
        if let reason = reasonNotToWrite(bundle) {
            return try openCopy(of: bundle, because: reason, files: files, clock: clock)
        }
        do {
            return try openForWriting(
                bundle,
                files: files,
                clock: clock,
                migrationSpace: migrationSpace
            )
        } catch let error as DatabaseError
            where VolumeProblem(behind: error, at: bundle.root) == .full
        {
            // SQLite cannot even read where it finds no room for its shared memory.
            let reason = "Its volume is full: free some space there, then open it again."
            return try openCopy(of: bundle, because: reason, files: files, clock: clock)
        }
    }

    /// Opens a library for reading, from a private copy of its database.
    private static func openCopy(
        of bundle: LibraryBundle,
        because reason: String,
        files: FileOperations,
        clock: @escaping @Sendable () -> Date
    ) throws -> LibraryStore {
        let copy = try TemporaryCopy(of: bundle)
        let pool = try DatabasePool(path: copy.database, configuration: configuration())
        guard try pool.read({ try isCurrent($0, bundle) }) else { throw older(bundle) }
        return LibraryStore(
            bundle: bundle,
            pool: pool,
            lock: nil,
            readOnlyReason: reason,
            temporaryCopy: copy,
            files: files,
            clock: clock
        )
    }

    private static func openForWriting(
        _ bundle: LibraryBundle,
        files: FileOperations,
        clock: @escaping @Sendable () -> Date,
        migrationSpace: MigrationSpace
    ) throws -> LibraryStore {
        let lock = try WriterLock(path: bundle.lock)
        // Under the lock: opening may replay a write-ahead log, and migrate.
        let pool = try lock.withLock(patience: writerPatience) {
            let isCurrent = try isCurrent(bundle)
            if !isCurrent { try migrationSpace.check(bundle) }
            let pool = try openPool(bundle.database)
            if !isCurrent { try Schema.migrator.migrate(pool) }
            try groupMoments(pool)
            return pool
        }
        return LibraryStore(
            bundle: bundle,
            pool: pool,
            lock: lock,
            readOnlyReason: nil,
            temporaryCopy: nil,
            files: files,
            clock: clock
        )
    }

    /// Groups the assets of a library that was written before there were moments, or by another rule.
    private static func groupMoments(_ pool: DatabasePool) throws {
        let rule = try pool.read { try LibrarySetting.momentRule.value(in: $0) }
        guard rule != MomentRule.version else { return }
        try pool.write { try LibraryTransaction.rebuildMoments($0) }
    }

    static func openPool(_ path: String) throws -> DatabasePool {
        let pool = try DatabasePool(path: path, configuration: configuration())
        // GRDB sets NORMAL for write-ahead logs, with which a power cut can lose what was acknowledged.
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        return pool
    }

    static func configuration() -> Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(writerPatience)
        configuration.label = "photos.library"
        configuration.maximumReaderCount = 8
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA cache_size = -4000")
            StringFunctions.register(in: database)
            MomentTitles.register(in: database)
            PlaceNames.register(in: database)
        }
        return configuration
    }

    // MARK: - What can be wrong

    /// Looks at everything that can be told without SQLite.
    private static func check(_ bundle: LibraryBundle) throws(LibraryError) {
        switch FileSystem.status(of: bundle.root) {
        case .failure(let errno) where errno.number == ENOENT || errno.number == ENOTDIR:
            throw missing(bundle)
        case .failure(let errno):
            throw errno.libraryError(doing: "look at")
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
            try checkFormat(bytes, bundle)
        }
        if case .failure(let errno) = FileSystem.status(of: bundle.database) {
            guard errno.number == ENOENT else {
                throw errno.libraryError(doing: "look at")
            }
            throw damaged(bundle, "Its database \(bundle.database) is missing.")
        }
        guard access(bundle.database, R_OK) == 0 else {
            throw SystemError.last("access", path: bundle.database)
                .libraryError(doing: "read")
        }
    }

    private static func checkFormat(_ bytes: [UInt8], _ bundle: LibraryBundle) throws(LibraryError)
    {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let format = Int(text.trimmingCharacters(in: .whitespacesAndNewlines)), format > 0
        else {
            throw damaged(bundle, "Its file `version` does not hold a number.")
        }
        guard format <= LibraryBundle.currentFormat else { throw newer(bundle, "format \(format)") }
    }

    /// Looks at the tables through a connection that cannot write: what is wrong stays as it is.
    ///
    /// False when there are migrations to run.
    private static func isCurrent(_ bundle: LibraryBundle) throws -> Bool {
        var configuration = configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: bundle.database, configuration: configuration)
        defer { try? queue.close() }
        return try queue.read { try isCurrent($0, bundle) }
    }

    private static func isCurrent(_ database: Database, _ bundle: LibraryBundle) throws -> Bool {
        let migrator = Schema.migrator
        guard try !migrator.hasBeenSuperseded(database) else {
            throw newer(bundle, "tables of a later version")
        }
        guard try !migrator.appliedIdentifiers(database).isEmpty else {
            throw damaged(bundle, "Its database holds no library.")
        }
        return try migrator.hasCompletedMigrations(database)
    }

    private static func older(_ bundle: LibraryBundle) -> LibraryError {
        LibraryError(
            .readOnly,
            "The library at \(bundle.root) was written by an older version and cannot be brought"
                + " up to date where it is.",
            recovery: "Open it once where it can be written to.",
            path: bundle.root
        )
    }

    private static func reasonNotToWrite(_ bundle: LibraryBundle) -> String? {
        if let network = FileSystem.networkFileSystem(at: bundle.root) {
            return "It lies on \(network), where SQLite's write-ahead log does not work."
        }
        for path in [bundle.databaseFolder, bundle.database, bundle.root]
        where access(path, W_OK) != 0 {
            return errno == EROFS
                ? "Its volume is mounted read-only." : "This user may not write to \(path)."
        }
        return nil
    }

    static func missing(_ bundle: LibraryBundle) -> LibraryError {
        guard KnownLibraries.remembers(bundle.root) else {
            return LibraryError(
                .libraryMissing,
                "There is no library at \(bundle.root).",
                recovery: "Check the path, or make a library there with photos create.",
                path: bundle.root
            )
        }
        return LibraryError(
            .volumeMissing,
            "The library at \(bundle.root) was there before and is not now.",
            reason: "Its volume is probably not mounted.",
            recovery:
                "Mount the volume. If the library was moved or deleted for good, photos create"
                + " makes a new one there.",
            path: bundle.root
        )
    }

    private static func notALibrary(_ bundle: LibraryBundle, _ reason: String) -> LibraryError {
        LibraryError(
            .notALibrary,
            "\(bundle.root) is not a photo library.",
            reason: reason,
            recovery: "Check the path, or make a library elsewhere with photos create.",
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
                "Nothing was changed. Restore the missing part from a backup; the originals lie"
                + " in \(bundle.originals).",
            path: bundle.root
        )
    }
}
