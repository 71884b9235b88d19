internal import Glibc
internal import LibraryService
internal import PhotoModel

/// A file that a row references, with checks of its existence and content.
///
/// A row alone proves nothing: the file may have been removed or damaged by other programs.
struct StoredFile {
    /// The result of checking a file.
    enum Finding {
        /// A regular file of the expected size.
        case present(FileStatus)
        /// A file whose SHA-256 was computed and matches the row.
        case verified(FileStatus)
        /// No file.
        case missing
        /// A file of another size or with other content, or a symbolic link.
        case damaged
        /// A file that could not be checked, and the reason.
        case unreadable(String)
    }

    /// The absolute path.
    let path: String
    /// The expected size in bytes.
    let size: Int64
    let files: FileOperations

    /// Checks the file's status without reading it.
    func inspect() -> Finding { Self.inspect(path, in: AT_FDCWD, size: size) }

    /// Checks a file's status without reading it.
    ///
    /// - Parameters:
    ///   - path: The path, relative to the folder.
    ///   - folder: The open folder. The kernel resolves fewer names than in an absolute path.
    ///   - size: The expected size in bytes.
    /// - Returns: `present`, `missing`, `damaged` or `unreadable`.
    static func inspect(_ path: String, in folder: Int32, size: Int64) -> Finding {
        var status = stat()
        guard fstatat(folder, path, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            let error = SystemError.last("lstat", path: path)
            return error.number == ENOENT || error.number == ENOTDIR
                ? .missing : .unreadable(error.reason)
        }
        let found = FileStatus(status)
        guard found.isRegularFile else {
            return status.st_mode & S_IFMT == S_IFLNK
                ? .damaged : .unreadable("\(found.kind) is in its place")
        }
        return found.size == size ? .present(found) : .damaged
    }

    /// Checks the file's status, and reads it to compare its SHA-256.
    func verify(_ digest: SHA256Digest) -> Finding {
        let found = inspect()
        guard case .present(let status) = found else { return found }
        do throws(SystemError) {
            let descriptor = try files.open(path, O_RDONLY | O_NONBLOCK)
            let isSame = try files.digest(of: descriptor.number, path: path) == digest
            let after = try files.status(of: descriptor.number)
            guard after.isUnchanged(since: status) else {
                return .unreadable("it changed while it was being read")
            }
            return isSame ? .verified(after) : .damaged
        } catch {
            return .unreadable(error.reason)
        }
    }
}
