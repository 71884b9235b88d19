internal import Foundation
internal import GRDB
internal import PhotoModel
internal import Synchronization

/// Another copy of a library, such as a backup, from which damaged files can be restored.
///
/// Files are found by their SHA-256. The other library is not modified: its database is read from a
/// temporary copy.
final class DonorLibrary: Sendable {
    let bundle: LibraryBundle
    private let copy: TemporaryCopy
    private let queue: DatabaseQueue

    /// Opens the donor library at a path.
    ///
    /// - Throws: The reason why it is not a readable library.
    init(at path: String) throws {
        bundle = LibraryBundle(root: path)
        try LibraryStore.check(bundle)
        do {
            copy = try TemporaryCopy(of: bundle, mayBeOpen: true)
            queue = try DatabaseQueue(path: copy.database)
            try queue.read { _ = try LibraryStore.isCurrent($0, bundle) }
        } catch {
            throw LibraryError(error, library: bundle.root)
        }
    }

    deinit { try? queue.close() }

    /// Returns the absolute paths of files with a given SHA-256, according to the library's
    /// database.
    func paths(with sha256: Data) throws -> [String] {
        try queue.read { database in
            try String.fetchAll(
                database,
                sql: "SELECT path FROM resource WHERE sha256 = ? ORDER BY id LIMIT 16",
                arguments: [sha256]
            ).filter(StagingRecovery.isPlausible).map(bundle.absolutePath(of:))
        }
    }
}

/// A cache that keeps the donor library open between the slices of a check.
final class DonorCache: Sendable {
    private let donor = Mutex<DonorLibrary?>(nil)

    /// Returns the donor library at a path, and opens it unless it is already open.
    ///
    /// - Throws: The reason why it is not a readable library; `invalidRequest` if it is the library
    ///   to repair.
    func donor(at path: String, for library: LibraryBundle) throws -> DonorLibrary {
        let path = LibraryBundle(root: path).root
        if let known = donor.withLock(\.self), known.bundle.root == path { return known }
        let mine = LibraryStore.FileIdentity(library.database)
        guard mine == nil || mine != LibraryStore.FileIdentity(path + "/database/library.sqlite")
        else {
            throw LibraryError(
                .invalidRequest,
                "The library at \(path) cannot repair itself.",
                recovery: "Name a backup or another copy of the library.",
                path: path
            )
        }
        let new = try DonorLibrary(at: path)
        donor.withLock { $0 = new }
        return new
    }

    /// Closes the donor library.
    func close() { donor.withLock { $0 = nil } }
}
