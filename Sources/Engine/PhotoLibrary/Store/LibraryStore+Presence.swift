internal import Glibc
internal import PhotoModel

extension LibraryStore {
    /// Whether the library is still where it was opened.
    ///
    /// Asked besides any reading: an open database can be read on after its file was removed, or its
    /// volume taken away; what is written to one that was replaced is lost.
    ///
    /// - Throws: `libraryMissing` or `volumeMissing` when it is not.
    package func checkPresence() throws {
        // Looked at, never opened: closing it would drop SQLite's locks.
        if let present = FileIdentity(bundle.database) {
            guard identity == nil || identity == present else { throw Self.replaced(bundle) }
            return
        }
        switch errno {
        case ENOENT, ENOTDIR, ESTALE, EIO, ENODEV, ENXIO: throw Self.missing(bundle)
        default: return
        }
    }

    private static func replaced(_ bundle: LibraryBundle) -> LibraryError {
        LibraryError(
            .libraryMissing,
            "The library at \(bundle.root) is not the one that was opened.",
            reason:
                "Its database was replaced, as when a backup is put back; what was opened is gone.",
            recovery: "Start the program again; it then opens the library that is there now.",
            path: bundle.root
        )
    }

    /// Which file a path names.
    struct FileIdentity: Hashable, Sendable {
        let device: UInt64
        let inode: UInt64

        /// Nil, and `errno` says why, when there is none.
        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            device = UInt64(status.st_dev)
            inode = UInt64(status.st_ino)
        }
    }
}
