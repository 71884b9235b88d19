package import Foundation
internal import GRDB
internal import Glibc
package import PhotoModel

/// The highest row ids of assets and of collections in a library when an import plan for it was
/// created.
///
/// Rows with higher ids exist only in the plan.
struct PlanBoundary: Hashable, Sendable {
    var asset: Int64
    var collection: Int64

    init(_ database: Database) throws {
        // The identifiers of rows increase and are never used again.
        asset = try Int64.fetchOne(database, sql: "SELECT max(id) FROM asset") ?? 0
        collection = try Int64.fetchOne(database, sql: "SELECT max(id) FROM collection") ?? 0
    }
}

/// A plan of an import: a temporary library with a copy of the database, used for a dry run.
///
/// The import runs against the temporary library and reports what it would do to the real one.
///
/// 1. The library is only read, and its database only through a copy, so that none of its files and
///    folders changes. The library may be read-only, of an earlier version, or absent.
/// 2. The steps of an import are those of a real one, with the same workers, policies and
///    transactions, so that its outcomes are the same.
/// 3. The plan's files have sizes but no content; see `FileOperations.isPlan`. Where content is
///    needed, it comes from the sources or the library.
extension LibraryStore {
    /// Opens an import plan for the library at a path, or for an empty library if no library exists
    /// there.
    ///
    /// The plan is removed when the store is destroyed.
    ///
    /// - Throws: `volumeMissing`, `notALibrary`, `newerFormat`, `corrupt`, `noPermission`,
    ///   `inputOutput`, `busy`; `readOnly` if changes of the library are missing.
    package static func openPlan(
        of path: String,
        loggers: LibraryLoggers = .silent,
        clock: @escaping @Sendable () -> Date = { Date() }
    ) throws(LibraryError) -> LibraryStore {
        let library = LibraryBundle(root: path)
        do {
            let copy =
                try isThere(library)
                ? TemporaryCopy(of: library, mayBeOpen: true) : TemporaryCopy()
            let plan = LibraryBundle(root: copy.folder + "/plan", planned: library.root)
            if access(copy.database, F_OK) == 0 {
                try fill(plan, from: copy, of: library)
            } else {
                try fill(LibraryBundle(root: plan.root))
            }
            let lock = try WriterLock(path: plan.lock, logger: loggers.store)
            let opened = try openInPlace(
                plan,
                acceptsMissingChanges: false,
                logger: loggers.store,
                migrationSpace: MigrationSpace()
            )
            guard let pool = opened?.pool else {
                throw LibraryError.changesMissing(
                    upTo: CommittedVersion(of: plan)?.version ?? 0,
                    library
                )
            }
            // Nothing of a plan survives its process.
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = OFF") }
            return LibraryStore(
                bundle: plan,
                pool: pool,
                lock: lock,
                readOnlyReason: nil,
                temporaryCopy: copy,
                lastKnown: try pool.read { try PlanBoundary($0) },
                files: FileOperations(isPlan: true),
                loggers: loggers,
                clock: clock
            )
        } catch {
            throw LibraryError(error, library: library.root)
        }
    }

    /// Indicates whether this store is an import plan, whose changes are discarded.
    package var isPlan: Bool { lastKnown != nil }

    /// Returns the given local identifier; nil if this store is an import plan and the object
    /// exists only in the plan.
    package func withoutPlanned(_ text: String?) throws -> String? {
        guard let lastKnown, let text, let identifier = LocalIdentifier(text) else { return text }
        let isAsset = identifier.kind == .asset
        let table = isAsset ? "asset" : "collection"
        let last = isAsset ? lastKnown.asset : lastKnown.collection
        let id = try read { database in
            try Int64.fetchOne(
                database.cachedStatement(sql: "SELECT id FROM \(table) WHERE uuid = ?"),
                arguments: [identifier.uuid]
            )
        }
        return (id ?? 0) > last ? nil : text
    }

    /// Indicates whether a library exists at the path; if not, the plan begins with an empty
    /// library.
    ///
    /// - Throws: The error with which a real import would refuse the path.
    private static func isThere(_ library: LibraryBundle) throws(LibraryError) -> Bool {
        do throws(LibraryError) {
            try check(library)
            return true
        } catch {
            guard error.code == .libraryMissing else { throw error }
            return false
        }
    }

    /// Creates the bundle of a plan and moves the copied database into it.
    private static func fill(
        _ plan: LibraryBundle,
        from copy: TemporaryCopy,
        of library: LibraryBundle
    ) throws {
        try makeFolders(of: plan)
        for suffix in ["", "-wal"] where access(copy.database + suffix, F_OK) == 0 {
            guard rename(copy.database + suffix, plan.database + suffix) == 0 else {
                throw SystemError.last("rename", path: plan.database)
                    .libraryError(doing: "create a plan of")
            }
        }
        try FileSystem.write("\(LibraryBundle.currentFormat)\n", toNewFile: plan.version)
        // The record of the last commit shows whether changes are missing.
        try FileSystem.write(copy.noted?.text ?? "", toNewFile: plan.changed)
    }
}
