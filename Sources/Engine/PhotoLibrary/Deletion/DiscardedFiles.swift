internal import GRDB
internal import Glibc
internal import PhotoModel

/// Removes the files of resources whose rows a committed transaction deleted.
///
///     rows gone, path in discardedFile ──unlink──▶ file gone ──sync──▶ path gone
///
/// 1. Removal happens under the writer lock and after the commit, so the rows do not come back.
/// 2. A crash at any point leaves the path in `discardedFile`, and the next writer continues.
/// 3. A path that a row references, or that import cannot have written, is not removed: the table
///    is treated as untrusted.
/// 4. Symbolic links are not followed.
enum DiscardedFiles {
    private static let pathsPerStep = 500

    /// Removes all discarded files.
    ///
    /// Requires the writer lock and no open transaction. Files that the file system does not remove
    /// are left for the next call.
    ///
    /// - Throws: SQLite's error.
    static func clear(bundle: LibraryBundle, database: Database, files: FileOperations) throws {
        var last: String?
        while true {
            let paths = try String.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT path FROM discardedFile WHERE ?1 IS NULL OR path > ?1 ORDER BY path
                        LIMIT \(pathsPerStep)
                        """
                ),
                arguments: [last]
            )
            guard let end = paths.last else { return }
            last = end
            let gone = try remove(paths, bundle: bundle, database: database, files: files)
            guard !gone.isEmpty else { continue }
            try database.inTransaction(.immediate) {
                let statement = try database.cachedStatement(
                    sql: "DELETE FROM discardedFile WHERE path = ?"
                )
                for path in gone { try statement.execute(arguments: [path]) }
                return .commit
            }
        }
    }

    /// Removes files durably.
    ///
    /// - Returns: The paths that need no further work.
    private static func remove(
        _ paths: [String],
        bundle: LibraryBundle,
        database: Database,
        files: FileOperations
    ) throws -> [String] {
        var settled: [String] = []
        var removed: [String: (folder: Folder, paths: [String])] = [:]
        for path in paths {
            let parts = path.split(separator: "/").map(String.init)
            guard StagingRecovery.isPlausible(path), parts.count == 3,
                try !StagingRecovery.hasRow(path, in: database)
            else {
                settled.append(path)
                continue
            }
            do throws(SystemError) {
                let name = parts[0] + "/" + parts[1]
                let folder: Folder
                if let known = removed[name]?.folder {
                    folder = known
                } else {
                    folder = try Folder(bundle.root + "/" + parts[0], files: files)
                        .folder(parts[1])
                }
                try folder.remove(parts[2])
                removed[name, default: (folder, [])].paths.append(path)
            } catch {
                // Without the folder, the file is gone as well.
                if error.number == ENOENT { settled.append(path) }
            }
        }
        for (folder, paths) in removed.values {
            do throws(SystemError) {
                try folder.sync()
                settled += paths
            } catch {}
        }
        return settled
    }
}
