internal import Foundation
internal import GRDB
internal import Glibc
internal import PhotoModel

/// The final steps of a backup, which replace the former database with the new one and remove files
/// that the new one does not reference.
///
///     draft, complete and synced ──rename──▶ library.sqlite ──▶ version, changed ──▶ removal
///
/// 1. The rename decides: before it, the folder is the former backup, whole; after it, the new one.
/// 2. The former database has no write-ahead log at that moment, since SQLite would apply it to the
///    new one.
/// 3. Only files of the form that import writes are removed, and only after the rename.
struct BundleCommit {
    let target: LibraryBundle
    let files: FileOperations

    /// The path of the new database while it is being written.
    static func draft(of target: LibraryBundle) -> String { target.database + ".backup" }

    /// Returns whether a bundle contains a nonempty file `version`, which makes it a library.
    ///
    /// An empty one, as a crash or a full disk leaves it, does not count.
    static func isComplete(_ bundle: LibraryBundle) -> Bool {
        FileSystem.length(of: bundle.version) > 0
    }

    /// Creates the folders of a bundle, without the file `version` that makes it a library.
    func makeFolders() throws(LibraryError) {
        do throws(SystemError) {
            for folder in [
                target.root, target.databaseFolder, target.originals, target.edits, target.staging,
            ] {
                guard try files.createFolder(folder, mode: BundleModes.newFolder) else { continue }
                BundleModes(root: target.root).giveAway(path: folder)
            }
        } catch {
            throw error.libraryError(doing: "create the folder")
        }
    }

    /// Replaces the database with a closed snapshot, and completes the bundle.
    ///
    /// - Parameters:
    ///   - draft: The path of the snapshot.
    ///   - version: The library and the version of the snapshot.
    /// - Throws: The file system's error; the database is then the former or the new one.
    func install(_ draft: String, _ version: CommittedVersion) throws {
        do throws(SystemError) {
            for suffix in ["-wal", "-shm", "-journal"] where access(draft + suffix, F_OK) == 0 {
                unlink(draft + suffix)
            }
            try files.rename(draft, to: target.database)
            try files.syncFolder(target.databaseFolder)
            let modes = BundleModes(root: target.root)
            let isComplete = Self.isComplete(target)
            // In an incomplete bundle, an interrupted run may have added them.
            let added = [target.changed, target.lock].filter { (path: String) in
                !isComplete || access(path, F_OK) != 0
            }
            try version.write(to: target)
            if access(target.lock, F_OK) != 0 {
                try FileSystem.write("", toNewFile: target.lock)
            }
            for path in added { modes.giveAway(path: path) }
            if !isComplete {
                // A rename, since an interrupted run must not leave an empty or partial file.
                let part = target.version + ".part"
                unlink(part)
                try FileSystem.write("\(LibraryBundle.currentFormat)\n", toNewFile: part)
                modes.giveAway(path: part)
                try files.rename(part, to: target.version)
            }
            try files.syncFolder(target.databaseFolder)
            try files.syncFolder(target.root, followsLink: true)
        } catch {
            throw error.libraryError("The backup \(target.root) cannot be completed.")
        }
    }

    /// Returns the files in the target that a snapshot does not reference.
    func unnamed(in snapshot: SnapshotDatabase) throws -> [String] {
        var unnamed: [String] = []
        for area in ["originals", "edits"] {
            guard let folder = try? Folder(target.root + "/" + area, files: files) else { continue }
            for digits in (try? folder.names()) ?? [] {
                guard let inner = try? folder.folder(digits), let names = try? inner.names() else {
                    continue
                }
                let paths = names.map { "\(area)/\(digits)/\($0)" }
                    .filter(StagingRecovery.isPlausible)
                unnamed += try snapshot.queue.read { database in
                    try paths.filter { try !NamedFile.isNamed($0, in: database) }
                }
            }
        }
        return unnamed
    }

    /// Removes files below the target's folder; returns the number of those removed.
    ///
    /// A file that cannot be removed is left to the next run.
    func remove(_ paths: [String]) -> Int {
        var removed = 0
        for path in paths {
            let parts = path.split(separator: "/").map(String.init)
            guard StagingRecovery.isPlausible(path), parts.count == 3,
                let folder = try? Folder(target.root + "/" + parts[0], files: files)
                    .folder(parts[1]),
                (try? folder.remove(parts[2])) != nil
            else { continue }
            removed += 1
        }
        return removed
    }
}
