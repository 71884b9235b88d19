package import Glibc

/// The owner of an open file or directory, which is closed when the owner is released.
package final class OpenFile: Sendable {
    package let descriptor: Int32

    /// Creates an instance that takes ownership of a descriptor, which no other code may close.
    package init(owning descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Opens a directory by its path.
    ///
    /// The path may contain symbolic links, since the user chose it.
    package static func root(_ path: String) throws(SystemFailure) -> OpenFile {
        let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last("open") }
        return OpenFile(owning: descriptor)
    }

    /// Duplicates a descriptor that other code owns.
    package static func duplicate(_ original: Int32) throws(SystemFailure) -> OpenFile {
        let descriptor = fcntl(original, F_DUPFD_CLOEXEC, 3)
        guard descriptor >= 0 else { throw .last("fcntl") }
        return OpenFile(owning: descriptor)
    }

    /// Opens the file called `name` in this directory, without following symbolic links.
    package func open(_ name: String, _ flags: Int32, mode: mode_t = 0o600) throws(SystemFailure)
        -> OpenFile
    {
        let descriptor = openat(self.descriptor, name, flags | O_NOFOLLOW | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw .last("openat") }
        return OpenFile(owning: descriptor)
    }

    package func directory(_ name: String) throws(SystemFailure) -> OpenFile {
        try open(name, O_RDONLY | O_DIRECTORY)
    }

    /// Opens a subdirectory; returns nil if no directory with the name exists.
    package func existingDirectory(_ name: String) throws(SystemFailure) -> OpenFile? {
        do throws(SystemFailure) {
            return try directory(name)
        } catch {
            guard error.number == ENOENT || error.number == ENOTDIR else { throw error }
            return nil
        }
    }

    /// Opens a regular file for reading and returns its status as well.
    package func regularFile(_ name: String) throws(SystemFailure) -> (file: OpenFile, status: stat)
    {
        // A pipe would block without O_NONBLOCK.
        let file = try open(name, O_RDONLY | O_NONBLOCK)
        let status = try file.status()
        let kind = status.st_mode & S_IFMT
        guard kind == S_IFREG else {
            throw SystemFailure(call: "openat", number: kind == S_IFDIR ? ENOENT : ENOTSUP)
        }
        return (file, status)
    }

    package func status() throws(SystemFailure) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .last("fstat") }
        return status
    }

    /// Returns the status of the file called `name` in this directory; nil if the file does not
    /// exist.
    package func status(of name: String) throws(SystemFailure) -> stat? {
        var status = stat()
        if fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 { return status }
        if errno == ENOENT { return nil }
        throw .last("fstatat")
    }

    /// Removes a file from this directory; succeeds if the file does not exist.
    package func unlink(_ name: String) throws(SystemFailure) {
        guard unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else { throw .last("unlinkat") }
    }

    /// Reads `count` bytes at an offset; returns fewer only at the end of the file.
    package func read(at offset: Int64, count: Int) throws(SystemFailure) -> [UInt8] {
        var failure: SystemFailure?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let rest = UnsafeMutableBufferPointer(rebasing: buffer[filled..<count])
                let result = pread(descriptor, rest.baseAddress, rest.count, off_t(offset) + filled)
                if result < 0, errno == EINTR { continue }
                if result < 0 { failure = .last("pread") }
                if result <= 0 { return }
                filled += result
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Returns the names in this directory, in no particular order.
    package func names() throws(SystemFailure) -> [String] {
        // The stream owns its descriptor and a file position, so it needs one of its own.
        let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0 else { throw .last("openat") }
        guard let stream = fdopendir(copy) else {
            let failure = SystemFailure.last("fdopendir")
            close(copy)
            throw failure
        }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else { break }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let name, name != ".", name != ".." { names.append(name) }
        }
        guard errno == 0 else { throw .last("readdir") }
        return names
    }
}
