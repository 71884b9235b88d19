internal import Glibc
internal import LibraryService
internal import PhotoModel

/// A file that a row names: whether it is there, and whether it has the bytes that it should.
///
/// A row alone is no proof: the file may have been removed or damaged behind the library's back.
struct StoredFile {
    /// What was found at the file's place.
    enum Finding {
        /// A regular file of the right size.
        case present(FileStatus)
        /// A file whose SHA-256 was computed and is the row's.
        case verified(FileStatus)
        /// Nothing.
        case missing
        /// A file of another size or with other bytes, or a link.
        case damaged
        /// It cannot be told, and why.
        case unreadable(String)
    }

    /// The absolute path.
    let path: String
    /// Bytes, as the row says.
    let size: Int64
    let files: FileOperations

    /// Looks, without reading.
    func inspect() -> Finding {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            let error = SystemError.last("lstat", path: path)
            return error.number == ENOENT || error.number == ENOTDIR
                ? .missing : .unreadable(error.reason)
        }
        let found = FileStatus(status)
        guard found.isRegularFile else {
            return status.st_mode & S_IFMT == S_IFLNK
                ? .damaged : .unreadable("there is \(found.kind)")
        }
        return found.size == size ? .present(found) : .damaged
    }

    /// Looks, and reads the file to compare its SHA-256.
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
