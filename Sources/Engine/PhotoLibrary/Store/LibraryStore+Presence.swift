internal import Glibc
internal import PhotoModel

extension LibraryStore {
    /// Throws an error if the library no longer exists at the path at which it was opened.
    ///
    /// Reads alone do not detect this: an open database can still be read after its file was
    /// removed or its volume disappeared. Changes written to a replaced database are lost.
    ///
    /// - Throws: `libraryMissing` or `volumeMissing`.
    package func checkPresence() throws {
        // Uses `stat` only, since closing a descriptor would drop SQLite's locks.
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
                "Its database was replaced, for example by a backup; the opened one no longer exists.",
            recovery: "Restart the program to open the current library.",
            path: bundle.root
        )
    }

    /// The device and inode that identify the file at a path.
    struct FileIdentity: Hashable, Sendable {
        let device: UInt64
        let inode: UInt64

        /// Reads the identity of the file at a path; returns nil and sets `errno` if stat(2) fails.
        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            self.init(status)
        }

        init(_ status: stat) {
            device = UInt64(status.st_dev)
            inode = UInt64(status.st_ino)
        }
    }
}
