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
/// 3. Intentions are read as hostile: only paths of the form that import writes are looked at.
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
        let names = (try? files.names(in: bundle.staging)) ?? []
        for name in names {
            let folder = bundle.staging + "/" + name
            guard let lock = try? StagingSession.takeLockIfDead(of: folder, files: files) else {
                continue
            }
            do {
                let targets = intentions(in: folder, files: files)
                summary.removedFiles += try clearTargets(
                    targets,
                    bundle: bundle,
                    database: database,
                    files: files
                )
                try StagingSession.clear(folder, files: files)
                summary.sessions += 1
            } catch is SystemError {}
            // The lock is held until the folder is gone.
            withExtendedLifetime(lock) {}
        }
        return summary
    }

    /// Names in `staging/` of sessions whose process is gone.
    ///
    /// Takes nothing away; a session can die, or be cleared, the moment after.
    static func deadSessions(
        of bundle: LibraryBundle,
        files: FileOperations = FileOperations()
    ) -> Set<String> {
        let names = (try? files.names(in: bundle.staging)) ?? []
        return Set(
            names.filter { name in
                let folder = bundle.staging + "/" + name
                return ((try? StagingSession.takeLockIfDead(of: folder, files: files)) ?? nil)
                    != nil
            }
        )
    }

    /// Removes the targets that no row names, and makes their absence durable.
    private static func clearTargets(
        _ targets: [String],
        bundle: LibraryBundle,
        database: Database,
        files: FileOperations
    ) throws -> [String] {
        var removed: [String] = []
        var folders: Set<String> = []
        for target in targets {
            let path = bundle.root + "/" + target
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            guard try !hasRow(target, in: database) else { continue }
            try files.remove(path)
            removed.append(target)
            folders.insert(String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]))
        }
        for folder in folders.sorted() { try files.syncFolder(folder) }
        return removed
    }

    /// Whether a row names a path below the library's folder.
    static func hasRow(_ target: String, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database,
            sql: "SELECT EXISTS (SELECT 1 FROM resource WHERE path = ?)",
            arguments: [target]
        ) ?? true
    }

    /// The targets that a session recorded.
    ///
    /// A line cut short by a crash has no effect.
    private static func intentions(in folder: String, files: FileOperations) -> [String] {
        let path = folder + "/" + StagingSession.intentionsName
        guard let file = try? files.open(path, O_RDONLY),
            let size = try? files.status(of: file.number).size, size > 0, size < 64 << 20
        else { return [] }
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(size)) { buffer, count in
            count =
                (try? files.read(file.number, at: 0, into: UnsafeMutableRawBufferPointer(buffer)))
                ?? 0
        }
        withExtendedLifetime(file) {}
        return bytes.split(separator: UInt8(ascii: "\n"))
            .map { String(decoding: $0, as: UTF8.self) }
            .filter(isPlausible)
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
