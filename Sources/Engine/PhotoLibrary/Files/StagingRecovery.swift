#if canImport(Glibc)
internal import PhotoModel
internal import Glibc
#endif
package import GRDB
internal import LibraryService

/// Clears what crashed imports left behind, and nothing else.
///
/// Called by whoever holds the writer lock: then no commit is under way anywhere, so a file that was
/// placed either has its row or never will.
///
/// 1. A session whose flock is held lives: it is not touched.
/// 2. Of a dead session, a file that its intentions name and no row names is removed; then its own
///    folder. In this order, with the folders synced in between, so that a crash here loses no
///    intention.
/// 3. A database of an older version than the intentions was put back from a backup: then nothing is
///    removed on their word. The files stay, as leftovers that `verify` tells of.
/// 4. Intentions are read as hostile: only paths of the form that import writes are looked at.
/// 5. No link is followed, neither in `staging/` nor below `originals/`, and nothing but what import
///    writes is removed.
/// 6. Before a file is removed for want of a row, a commit has made sure that no failed one can bring
///    the row back.
package enum StagingRecovery {
    /// What a clearing did.
    package struct Summary: Hashable, Sendable {
        /// Dead sessions whose folders were removed.
        package var sessions = 0
        /// Files without a row that were removed, below the library's folder.
        package var removedFiles: [String] = []
    }

    /// Clears the dead sessions of a library.
    ///
    /// Held: the writer lock.
    ///
    /// - Throws: What SQLite says; what the file system refuses is left for the next time.
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

    /// Names in `staging/` of sessions whose process is gone.
    ///
    /// Takes nothing away and makes nothing; a session can die, or be cleared, the moment after. One
    /// that died before it had a lock is not among them, nor one that left no work behind: a program
    /// ends without a word to its folder.
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

    /// The numbers of sessions of live processes, and of dead ones that left work behind.
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

    /// Whether all that a session worked on is committed.
    private static func isSettled(_ folder: Folder) -> Bool {
        let own: Set = [StagingSession.lockName, StagingSession.intentionsName]
        guard let names = try? folder.names(), own.isSuperset(of: names) else { return false }
        return intentions(in: folder).targets.isEmpty
    }

    /// The folders that have the names of sessions; links and whatever else lies there are left out.
    private static func sessions(in staging: Folder) -> [(name: String, folder: Folder)] {
        ((try? staging.names()) ?? []).filter(StagingSession.isName).compactMap { name in
            (try? staging.folder(name)).map { (name, $0) }
        }
    }

    /// Removes the targets that no row names, and makes their absence durable.
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
            // A folder that is a link is none that import placed files in.
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

    /// Makes sure that rows which are not there do not come back.
    ///
    /// A commit that failed may have left its record at the end of the write-ahead log, whole, where a
    /// crash would bring it to life. A durable change of nothing takes that record's place.
    static func resolve(_ database: Database) throws {
        let version = try Int32.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        try database.execute(sql: "PRAGMA user_version = \(version)")
    }

    /// Whether a row names a path below the library's folder, or an undo may make one that does.
    static func hasRow(_ target: String, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database,
            sql: """
                SELECT EXISTS (SELECT 1 FROM resource WHERE path = ?1)
                    OR EXISTS (SELECT 1 FROM formerFile WHERE path = ?1)
                """,
            arguments: [target]
        ) ?? true
    }

    /// The targets that a session recorded, and the version that the library had.
    ///
    /// A line cut short by a crash has no effect; without a version no target has any.
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

    /// Whether a path has the form `originals/<2 hex>/<uuid>.<ext>`, or `edits/…`.
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
