internal import Glibc

/// Checks whether a program can be identified by the path of its executable.
struct ExecutablePlace {
    private let path: String

    init(_ path: String) { self.path = path }

    /// The reason why the path cannot identify the program; nil if it can.
    ///
    /// Users who can write in one of the folders could put another program at the same path.
    var problem: String? {
        guard path.hasPrefix("/") else { return "Its executable has no path." }
        var status = stat()
        if stat(path, &status) == 0, !isTrusted(status) {
            return "Other users can replace its executable, \(path)."
        }
        var folder = path
        while let mark = folder.lastIndex(of: "/") {
            folder = String(folder[..<mark])
            guard lstat(folder.isEmpty ? "/" : folder, &status) == 0 else {
                return "The folder of its executable cannot be read: \(folder)."
            }
            // In a sticky folder, others cannot rename what is not theirs.
            let isSticky = status.st_mode & S_ISVTX != 0
            guard isTrusted(status) || isSticky && isOwned(status) else {
                return "Other users can write in a folder of its executable, \(folder)."
            }
        }
        return nil
    }

    private func isOwned(_ status: stat) -> Bool {
        status.st_uid == geteuid() || status.st_uid == 0
    }

    // Many systems give each user a group of their own, and let it write.
    private func isTrusted(_ status: stat) -> Bool {
        let isOwnGroup = status.st_gid == getegid() || status.st_gid == 0
        let forbidden = isOwnGroup ? S_IWOTH : S_IWGRP | S_IWOTH
        return isOwned(status) && status.st_mode & forbidden == 0
    }
}
