internal import Glibc
internal import PhotoModel

extension LibraryStore {
    /// Whether the library is still where it was opened.
    ///
    /// Asked besides any reading: an open database can be read on after its file was removed, or its
    /// volume taken away.
    ///
    /// - Throws: `libraryMissing` or `volumeMissing` when it is not.
    package func checkPresence() throws {
        // Looked at, never opened: closing it would drop SQLite's locks.
        guard access(bundle.database, F_OK) != 0 else { return }
        switch errno {
        case ENOENT, ENOTDIR, ESTALE, EIO, ENODEV, ENXIO: throw Self.missing(bundle)
        default: return
        }
    }
}
