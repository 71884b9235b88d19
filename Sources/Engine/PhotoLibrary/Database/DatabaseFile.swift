internal import Glibc

/// Creates the file of a database before SQLite would create it.
package enum DatabaseFile {
    /// Creates an empty file with the permissions of the library's databases, unless it exists.
    ///
    /// SQLite itself would create a file that others can read; the `-wal` and `-shm` files take
    /// their permissions from it. The file is not opened, since closing it would drop this
    /// process's locks on it. A failure becomes apparent when SQLite opens the file.
    ///
    /// - Parameter path: The path beside `library.sqlite`, whose permissions the file gets; 0600
    ///   without that file.
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
