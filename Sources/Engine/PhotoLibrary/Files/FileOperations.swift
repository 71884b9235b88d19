internal import PhotoModel
internal import CLinuxShim
#if canImport(Glibc)
internal import Glibc
#endif
internal import LibraryService

/// The file system calls that import uses, each of which a test can make fail.
///
/// Every failure is thrown as a `SystemError`. Interrupted calls are repeated.
package struct FileOperations: Sendable {
    /// The kinds of calls that change the disk; an import makes all but the last, in this order.
    package enum Step: String, Sendable, CaseIterable {
        case createFolder, createFile, write, syncFile, recordIntentions, rename, syncFolder
        case remove
        /// The exchange of two names, which some file systems do not support.
        case exchange
    }

    /// A test hook called before each step; returns the errno to fail with, or 0 to continue.
    ///
    /// The hook may also end the process, as crash tests do at every step.
    package var fault: (@Sendable (Step) -> Int32)?

    /// Indicates whether the operations serve the plan of a dry run.
    ///
    /// Staged files then have a size and a digest, but no content is copied, and nothing is synced.
    package let isPlan: Bool

    package init(fault: (@Sendable (Step) -> Int32)? = nil, isPlan: Bool = false) {
        self.fault = fault
        self.isPlan = isPlan
    }

    /// Throws an error if the test hook requests it.
    func check(_ step: Step, path: String?) throws(SystemError) {
        guard let number = fault?(step), number != 0 else { return }
        throw SystemError(call: step.rawValue, number: number, path: path)
    }

    // MARK: - Folders

    /// Creates a folder; an existing folder is not an error.
    ///
    /// - Returns: Whether this call created it.
    func createFolder(_ path: String, mode: mode_t) throws(SystemError) -> Bool {
        try check(.createFolder, path: path)
        if mkdir(path, mode) == 0 { return true }
        if errno == EEXIST { return false }
        throw .last("mkdir", path: path)
    }

    /// Makes the entries of a folder durable.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - followsLink: Whether the path may be a symbolic link to the folder. People may link to a
    ///     bundle and to the folder that contains it; folders in a bundle are never links.
    /// - Throws: The file system's error, and `ENOTDIR` for a link that is not followed.
    func syncFolder(_ path: String, followsLink: Bool = false) throws(SystemError) {
        try check(.syncFolder, path: path)
        guard !isPlan else { return }
        guard !followsLink else { return try FileSystem.synchronizeFolder(path) }
        let folder = try open(path, O_RDONLY | O_DIRECTORY)
        // The descriptor must stay alive, since its number alone does not keep it open.
        let result = withExtendedLifetime(folder) { fsync(folder.number) }
        guard result == 0 else { throw .last("fsync", path: path) }
    }

    // MARK: - Files

    /// Opens a file without following symbolic links; child processes do not inherit the
    /// descriptor.
    func open(_ path: String, _ flags: Int32, mode: mode_t = 0o600) throws(SystemError)
        -> Descriptor
    {
        while true {
            let number = Glibc.open(path, flags | O_CLOEXEC | O_NOFOLLOW, mode)
            if number >= 0 { return Descriptor(owning: number) }
            guard errno == EINTR else { throw .last("open", path: path) }
        }
    }

    /// Makes a file's content and size durable.
    func syncFile(_ descriptor: Descriptor, path: String) throws(SystemError) {
        try check(.syncFile, path: path)
        guard !isPlan else { return }
        // A failed sync is not retried: the kernel may have dropped the dirty pages, so that a
        // second call would succeed although the bytes are lost.
        guard fdatasync(descriptor.number) == 0 else { throw .last("fdatasync", path: path) }
    }

    /// Renames a file within the volume.
    func rename(_ from: String, to target: String) throws(SystemError) {
        try check(.rename, path: target)
        guard Glibc.rename(from, target) == 0 else { throw .last("rename", path: target) }
    }

    /// Atomically exchanges the names of two files or folders on one volume.
    ///
    /// - Returns: Whether the file system can do that; if not, nothing was changed.
    func exchange(_ first: String, with second: String) throws(SystemError) -> Bool {
        do throws(SystemError) {
            try check(.exchange, path: second)
            guard cphotos_rename_exchange(first, second) == 0 else {
                throw SystemError.last("renameat2", path: second)
            }
            return true
        } catch {
            guard [EINVAL, ENOSYS, EOPNOTSUPP].contains(error.number) else { throw error }
            return false
        }
    }

    /// Replaces a file's content with a hole of the same size, for the plan of a dry run.
    func hollow(_ descriptor: Descriptor, path: String, size: Int64) throws(SystemError) {
        guard ftruncate(descriptor.number, 0) == 0,
            ftruncate(descriptor.number, off_t(size)) == 0
        else { throw .last("ftruncate", path: path) }
    }

    /// Removes a file; a missing one is not an error.
    func remove(_ path: String) throws(SystemError) {
        try check(.remove, path: path)
        guard unlink(path) == 0 || errno == ENOENT else { throw .last("unlink", path: path) }
    }

    /// Writes all bytes at an offset.
    func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int64)
        throws(SystemError)
    {
        try check(.write, path: nil)
        var written = 0
        while written < bytes.count {
            let count = pwrite(
                descriptor,
                bytes.baseAddress?.advanced(by: written),
                bytes.count - written,
                off_t(offset) + written
            )
            if count < 0 {
                if errno == EINTR { continue }
                throw .last("write")
            }
            written += count
        }
    }

    /// Reads up to the buffer's size at an offset; returns fewer bytes only at the end of the file.
    func read(_ descriptor: Int32, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer)
        throws(SystemError) -> Int
    {
        var total = 0
        while total < buffer.count {
            let count = pread(
                descriptor,
                buffer.baseAddress?.advanced(by: total),
                buffer.count - total,
                off_t(offset) + total
            )
            if count < 0 {
                if errno == EINTR { continue }
                throw .last("read")
            }
            if count == 0 { break }
            total += count
        }
        return total
    }

    /// Returns the status of an open file.
    func status(of descriptor: Int32) throws(SystemError) -> FileStatus {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .last("fstat") }
        return FileStatus(status)
    }
}
