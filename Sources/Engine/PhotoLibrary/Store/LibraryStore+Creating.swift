internal import Foundation
internal import GRDB
internal import Glibc
package import PhotoModel

extension LibraryStore {
    /// Creates an empty library.
    ///
    /// The library is created beside the path under another name, and renamed once it is complete
    /// and synced. So a crash leaves either a complete library at the path or none.
    ///
    /// - Throws: `alreadyExists` if anything but an empty folder is at the path; `noPermission`,
    ///   `readOnly`, `noSpace`, `unsupportedFileSystem`, `inputOutput`.
    package static func create(at path: String) throws(LibraryError) {
        let bundle = LibraryBundle(root: path)
        try checkFree(bundle)
        let parent = (bundle.root as NSString).deletingLastPathComponent
        do {
            try FileManager.default.createDirectory(
                atPath: parent,
                withIntermediateDirectories: true
            )
        } catch {
            throw LibraryError(
                .noPermission,
                "The folder \(parent) cannot be created.",
                reason: error.localizedDescription,
                path: parent
            )
        }
        if let network = FileSystem.networkFileSystem(at: parent) {
            throw LibraryError(
                .unsupportedFileSystem,
                "A library cannot be created at \(bundle.root).",
                reason: "It is on \(network), which does not support SQLite's write-ahead log.",
                recovery: "Create it on a local volume.",
                path: bundle.root
            )
        }
        let draft = LibraryBundle(root: "\(bundle.root).creating-\(UUID().uuidString.prefix(8))")
        do {
            try fill(draft)
            guard rename(draft.root, bundle.root) == 0 else {
                throw errno == ENOTEMPTY || errno == EEXIST
                    ? taken(bundle)
                    : SystemError.last("mkdir", path: bundle.root)
                        .libraryError(doing: "create the library")
            }
            try FileSystem.synchronizeFolder(parent)
        } catch {
            try? FileManager.default.removeItem(atPath: draft.root)
            throw LibraryError(error, library: bundle.root)
        }
        KnownLibraries.remember(bundle.root)
    }

    private static func checkFree(_ bundle: LibraryBundle) throws(LibraryError) {
        switch FileSystem.status(of: bundle.root) {
        case .failure(let errno) where errno.number == ENOENT: return
        case .failure(let errno): throw errno.libraryError(doing: "access")
        case .success(let status):
            guard FileSystem.isFolder(status),
                case .success(let entries) = FileSystem.entries(of: bundle.root), entries.isEmpty
            else { throw taken(bundle) }
        }
    }

    /// Creates the folders of an empty library bundle.
    static func makeFolders(of draft: LibraryBundle) throws(LibraryError) {
        for folder in [
            draft.root, draft.databaseFolder, draft.originals, draft.edits, draft.staging,
        ] {
            guard mkdir(folder, BundleModes.newFolder) == 0 else {
                throw SystemError.last("mkdir", path: folder)
                    .libraryError(doing: "create the folder")
            }
        }
    }

    static func fill(_ draft: LibraryBundle) throws {
        try makeFolders(of: draft)
        // Before SQLite creates it with its own permissions.
        try FileSystem.write("", toNewFile: draft.database)
        let pool = pool(draft.database, LibraryLoggers.silent.store)
        try pool.withWriter { try Schema.migrator.migrate($0) }
        try pool.close()
        try FileSystem.write("", toNewFile: draft.lock)
        try FileSystem.write("", toNewFile: draft.changed)
        // Last, since a folder without it is not a library.
        try FileSystem.write("\(LibraryBundle.currentFormat)\n", toNewFile: draft.version)
        try FileSystem.synchronizeFolder(draft.databaseFolder)
        try FileSystem.synchronizeFolder(draft.root)
    }

    private static func taken(_ bundle: LibraryBundle) -> LibraryError {
        LibraryError(
            .alreadyExists,
            "A library cannot be created at \(bundle.root): the path already exists.",
            recovery: "Choose another path. Nothing was changed.",
            path: bundle.root
        )
    }
}
