internal import Foundation
internal import Glibc
package import PhotoModel

/// A private copy of a database and its write-ahead log, for a library that SQLite cannot open in
/// place.
///
/// The copy is deleted when the object is destroyed.
package final class TemporaryCopy: Sendable {
    /// The copy's path.
    package let database: String
    private let folder: String

    /// Copies the database of a bundle in a consistent state.
    convenience init(of bundle: LibraryBundle) throws(LibraryError) {
        try self.init(ofDatabase: bundle.database, in: bundle)
    }

    /// Copies a database of a bundle in a consistent state.
    ///
    /// Other users may write where this user cannot. The writer lock, if this user can acquire it,
    /// prevents commits meanwhile. A copy during which the files changed is repeated, up to ten
    /// times in all.
    package init(ofDatabase source: String, in bundle: LibraryBundle) throws(LibraryError) {
        let parent = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        var template = Array("\(parent)/photolibrary-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw SystemError.last("mkdtemp", path: parent)
                .libraryError(doing: "create a folder for a copy of the database in")
        }
        folder = template.withUnsafeBufferPointer { pointer in
            pointer.baseAddress.map { String(cString: $0) } ?? parent
        }
        database = folder + "/copy.sqlite"
        let lock = open(bundle.lock, O_RDONLY | O_CLOEXEC)
        if lock >= 0 { flock(lock, LOCK_EX | LOCK_NB) }
        defer { if lock >= 0 { close(lock) } }
        do {
            for _ in 0..<10 {
                let before = Self.stamp(of: source)
                try Self.copy(source, to: database)
                try Self.copy(source + "-wal", to: database + "-wal")
                if Self.stamp(of: source) == before { return }
            }
        } catch {
            Self.remove(folder)
            throw error
        }
        Self.remove(folder)
        throw LibraryError(
            .busy,
            "The library at \(bundle.root) can only be read from a copy, but is constantly changing.",
            recovery: "Wait for the writing program to finish, and try again.",
            path: bundle.root
        )
    }

    deinit { Self.remove(folder) }

    /// Returns the sizes and modification times of a database and its log, which change with each
    /// write.
    private static func stamp(of database: String) -> [Int64] {
        [database, database + "-wal"].flatMap { path -> [Int64] in
            guard case .success(let status) = FileSystem.status(of: path) else { return [-1] }
            let time = status.st_mtim
            return [Int64(status.st_size), Int64(time.tv_sec), Int64(time.tv_nsec)]
        }
    }

    /// Replaces a copy of a file; if the source does not exist, the copy is deleted.
    private static func copy(_ source: String, to target: String) throws(LibraryError) {
        unlink(target)
        guard case .success = FileSystem.status(of: source) else { return }
        do {
            try FileManager.default.copyItem(atPath: source, toPath: target)
        } catch {
            throw LibraryError(
                .inputOutput,
                "The database \(source) cannot be copied, as a read-only library requires.",
                reason: error.localizedDescription,
                recovery: "Set TMPDIR to a folder with enough space.",
                path: source
            )
        }
        chmod(target, 0o600)
    }

    private static func remove(_ folder: String) {
        try? FileManager.default.removeItem(atPath: folder)
    }
}
