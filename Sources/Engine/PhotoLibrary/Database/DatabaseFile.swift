internal import Glibc

/// The file of a database that SQLite is about to make.
package enum DatabaseFile {
    /// Makes an empty file with the permissions of the library's databases, where there is none.
    ///
    /// SQLite itself would make one that others can read; its `-wal` and `-shm` take after it. Nothing is
    /// opened: closing it would drop the locks that this process has on it. A failure shows when SQLite
    /// opens the file.
    ///
    /// - Parameter path: Beside `library.sqlite`, whose permissions it gets; without one, 0600.
    package static func make(at path: String) {
        var status = stat()
        guard stat(path, &status) != 0, errno == ENOENT,
            let slash = path.lastIndex(of: "/")
        else { return }
        let folder = path[..<slash]
        let isBeside = stat("\(folder)/library.sqlite", &status) == 0
        let mode = isBeside ? status.st_mode & 0o666 : BundleModes.newFile
        guard mknod(path, S_IFREG | mode, 0) == 0 else { return }
        let root = folder.lastIndex(of: "/").map { String(folder[..<$0]) } ?? String(folder)
        BundleModes(root: root).giveAway(path: path)
    }
}
