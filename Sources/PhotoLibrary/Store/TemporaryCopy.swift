internal import Foundation
internal import Glibc
internal import PhotoModel

/// A private copy of a database and its write-ahead log, for a library that SQLite cannot open in
/// place.
///
/// Removed with the object.
final class TemporaryCopy: Sendable {
    let database: String
    private let folder: String

    /// Copies the database of a bundle that nobody can be writing to.
    init(of bundle: LibraryBundle) throws(LibraryError) {
        let parent = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        var template = Array("\(parent)/photolibrary-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw SystemError.last("mkdtemp", path: parent).libraryError(
                doing: "make a folder for a copy of the database in"
            )
        }
        folder = template.withUnsafeBufferPointer { pointer in
            pointer.baseAddress.map { String(cString: $0) } ?? parent
        }
        database = folder + "/library.sqlite"
        do {
            try Self.copy(bundle.database, to: database)
            if case .success(let wal) = FileSystem.status(of: bundle.database + "-wal"),
                wal.st_size > 0
            {
                try Self.copy(bundle.database + "-wal", to: database + "-wal")
            }
        } catch {
            Self.remove(folder)
            throw error
        }
    }

    deinit { Self.remove(folder) }

    private static func copy(_ source: String, to target: String) throws(LibraryError) {
        do {
            try FileManager.default.copyItem(atPath: source, toPath: target)
        } catch {
            throw LibraryError(
                .inputOutput,
                "The database \(source) could not be copied, which reading a read-only library needs.",
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
