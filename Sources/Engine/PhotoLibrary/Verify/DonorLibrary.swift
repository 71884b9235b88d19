internal import Foundation
internal import GRDB
internal import PhotoModel
internal import Synchronization

/// Another copy of a library, such as a backup, that has files by their content.
///
/// Only reads: the database is read from a temporary copy.
final class DonorLibrary: Sendable {
    let bundle: LibraryBundle
    private let copy: TemporaryCopy
    private let queue: DatabaseQueue

    /// Opens a library by its path.
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

    /// Returns the absolute paths of the files with some content, as the database names them.
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

/// The donor of a check, kept between its slices.
final class DonorCache: Sendable {
    private let donor = Mutex<DonorLibrary?>(nil)

    /// Returns the library at a path.
    ///
    /// - Throws: The reason why it is not a readable library, and `invalidRequest` for the library
    ///   that is repaired.
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

    /// Closes the library.
    func close() { donor.withLock { $0 = nil } }
}
