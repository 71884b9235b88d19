#if canImport(Glibc)
internal import PhotoModel
internal import Glibc
#endif
package import GRDB
internal import LibraryService

/// Cleans up after crashed imports without touching anything else.
///
/// The caller holds the writer lock. No commit is then in progress anywhere, so a placed file
/// either has its row or never will.
///
/// 1. A session whose flock is held is live and is not touched.
/// 2. For a dead session, files that its intentions list and no row references are removed first,
///    then its own folder. The folders are synced in between, so that a crash here loses no
///    intention.
/// 3. A database with an older version than the intentions was restored from a backup. Its
///    intentions then remove nothing. The files stay as leftovers, which `verify` reports.
/// 4. Intentions are treated as untrusted: only paths of the form that import writes are
///    considered.
/// 5. Symbolic links are not followed, neither in `staging/` nor below `originals/`, and only files
///    that import writes are removed.
/// 6. Before a file without a row is removed, a commit ensures that no failed commit can restore
///    the row.
package enum StagingRecovery {
    /// The result of a cleanup.
    package struct Summary: Hashable, Sendable {
        /// The number of dead sessions whose folders were removed.
        package var sessions = 0
        /// The removed files that no row referenced, as paths below the library's folder.
        package var removedFiles: [String] = []
    }

    /// Removes the folders and uncommitted files that a library's dead sessions left behind.
    ///
    /// Requires the writer lock.
    ///
    /// - Throws: SQLite's error. Files that cannot be removed are left for the next call.
    @discardableResult
    package static func clear(
        bundle: LibraryBundle,
        database: Database,
        files: FileOperations = FileOperations()
    ) throws -> Summary {
        var summary = Summary()
        guard let staging = try? Folder(bundle.staging, files: files) else { return summary }
        for (name, folder) in sessions(in: staging) {
            guard let lock = try? StagingSession.takeLockIfDead(of: folder, creates: true) else {
                continue
            }
            do {
                let intentions = intentions(in: folder)
                if try JournalWriter.currentVersion(database) >= intentions.version {
                    summary.removedFiles += try clearTargets(
                        intentions.targets,
                        bundle: bundle,
                        database: database,
                        files: files
                    )
                }
                try StagingSession.clear(name, in: staging)
                summary.sessions += 1
            } catch is SystemError {}
            // The lock is held until the folder is gone.
            withExtendedLifetime(lock) {}
        }
        return summary
    }

    /// Returns the names of dead sessions with unfinished work, which are the names of their
    /// folders in `staging/`.
    ///
    /// Changes nothing; a session can die or be cleared immediately afterward. Sessions that died
    /// before they had a lock are omitted, as are sessions without unfinished work: a program may
    /// exit without removing its folder.
    static func deadSessions(
        of bundle: LibraryBundle,
        files: FileOperations = FileOperations()
    ) -> Set<String> {
        guard let staging = try? Folder(bundle.staging, files: files) else { return [] }
        return Set(
            sessions(in: staging).compactMap { name, folder in
                let lock = try? StagingSession.takeLockIfDead(of: folder, creates: false)
                return lock == nil || isSettled(folder) ? nil : name
            }
        )
    }

    /// Counts the sessions of live processes, and the dead ones with unfinished work.
    static func tally(of bundle: LibraryBundle) -> (active: Int, interrupted: Int) {
        let files = FileOperations()
        guard let staging = try? Folder(bundle.staging, files: files) else { return (0, 0) }
        let active = sessions(in: staging).count { _, folder in
            guard let lock = try? folder.open(StagingSession.lockName, O_RDONLY) else {
                return false
            }
            return withExtendedLifetime(lock) {
                flock(lock.number, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
            }
        }
        return (active, deadSessions(of: bundle, files: files).count)
    }

    /// Returns whether a session has no unfinished work: neither staged files nor recorded targets.
    private static func isSettled(_ folder: Folder) -> Bool {
        let own: Set = [StagingSession.lockName, StagingSession.intentionsName]
        guard let names = try? folder.names(), own.isSuperset(of: names) else { return false }
        return intentions(in: folder).targets.isEmpty
    }

    /// Returns the folders named like sessions; links and other entries are omitted.
    private static func sessions(in staging: Folder) -> [(name: String, folder: Folder)] {
        ((try? staging.names()) ?? []).filter(StagingSession.isName).compactMap { name in
            (try? staging.folder(name)).map { (name, $0) }
        }
    }

    /// Removes the files at recorded targets that no row references, and makes the removals
    /// durable.
    private static func clearTargets(
        _ targets: [String],
        bundle: LibraryBundle,
        database: Database,
        files: FileOperations
    ) throws -> [String] {
        var removed: [String] = []
        var folders: [String: Folder] = [:]
        var isSettled = false
        for target in targets {
            let parts = target.split(separator: "/").map(String.init)
            // Import never places files in a folder that is a symbolic link.
            guard parts.count == 3,
                let folder = try? folders[parts[0] + parts[1]]
                    ?? Folder(bundle.root + "/" + parts[0], files: files).folder(parts[1]),
                try folder.status(of: parts[2])?.isRegularFile == true
            else { continue }
            guard try !hasRow(target, in: database) else { continue }
            if !isSettled { try resolve(database) }
            isSettled = true
            try folder.remove(parts[2])
            removed.append(target)
            folders[parts[0] + parts[1]] = folder
        }
        for folder in folders.values { try folder.sync() }
        return removed
    }

    /// Ensures that the rows of a failed commit cannot reappear after a crash.
    ///
    /// A failed commit may have left its complete frames at the end of the write-ahead log, where a
    /// crash would make them effective. A durable commit without changes overwrites those frames.
    static func resolve(_ database: Database) throws {
        let version = try Int32.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        try database.execute(sql: "PRAGMA user_version = \(version)")
    }

    /// Returns whether a row references a path below the library's folder, or may do so after an
    /// undo.
    static func hasRow(_ target: String, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database,
            sql: """
                SELECT EXISTS (SELECT 1 FROM resource WHERE path = ?1 AND presence = 0)
                    OR EXISTS (SELECT 1 FROM formerFile WHERE path = ?1)
                """,
            arguments: [target]
        ) ?? true
    }

    /// Returns the target paths that a session recorded, and the library's version when they were
    /// recorded.
    ///
    /// A line truncated by a crash is ignored. Without a version, all targets are ignored.
    private static func intentions(in folder: Folder) -> (version: Int64, targets: [String]) {
        let files = folder.files
        guard let file = try? folder.open(StagingSession.intentionsName, O_RDONLY),
            let status = try? files.status(of: file.number), status.isRegularFile,
            status.size > 0, status.size < 64 << 20
        else { return (.max, []) }
        let size = status.size
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(size)) { buffer, count in
            count =
                (try? files.read(file.number, at: 0, into: UnsafeMutableRawBufferPointer(buffer)))
                ?? 0
        }
        withExtendedLifetime(file) {}
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
            .map { String(decoding: $0, as: UTF8.self) }
        guard let first = lines.first, first.hasPrefix(StagingSession.versionMark),
            let version = Int64(first.dropFirst(StagingSession.versionMark.count))
        else { return (.max, []) }
        return (version, lines.dropFirst().filter(isPlausible))
    }

    /// Returns whether a path has the form `originals/<2 hex>/<uuid>.<ext>`, or `edits/…`.
    static func isPlausible(_ target: String) -> Bool {
        let parts = target.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "originals" || parts[0] == "edits",
            parts[1].utf8.count == 2, parts[1].allSatisfy(\.isHexDigit)
        else { return false }
        let name = parts[2].split(separator: ".", omittingEmptySubsequences: false)
        return name.count == 2 && name[0].utf8.count == 36 && !name[1].isEmpty
            && name[0].allSatisfy { $0.isHexDigit || $0 == "-" }
            && name[1].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
}
