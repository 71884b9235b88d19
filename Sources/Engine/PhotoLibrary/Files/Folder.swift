internal import Glibc
internal import LibraryService
internal import PhotoModel

/// An open folder whose entries are accessed through its descriptor and never through a symbolic
/// link.
///
/// Removals therefore affect this folder, even if its path now leads elsewhere.
struct Folder {
    let descriptor: Descriptor
    /// The path, for messages.
    let path: String
    let files: FileOperations

    /// Opens a folder; fails if the last component of its path is a symbolic link.
    init(_ path: String, files: FileOperations) throws(SystemError) {
        descriptor = try files.open(path, O_RDONLY | O_DIRECTORY)
        self.path = path
        self.files = files
    }

    /// Creates a folder from a descriptor that is already open; `path` is only for messages.
    init(descriptor: Descriptor, path: String, files: FileOperations) {
        self.descriptor = descriptor
        self.path = path
        self.files = files
    }

    /// Opens a folder inside this folder; fails if the entry is a symbolic link.
    func folder(_ name: String) throws(SystemError) -> Folder {
        Folder(
            descriptor: try open(name, O_RDONLY | O_DIRECTORY),
            path: path + "/" + name,
            files: files
        )
    }

    /// Opens an entry without following a symbolic link or blocking on a pipe; child processes do
    /// not inherit the descriptor.
    func open(_ name: String, _ flags: Int32) throws(SystemError) -> Descriptor {
        while true {
            let number = openat(
                descriptor.number,
                name,
                flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
                0o600
            )
            if number >= 0 { return Descriptor(owning: number) }
            guard errno == EINTR else { throw .last("openat", path: path + "/" + name) }
        }
    }

    /// Opens a file for reading by its path relative to the folder.
    func file(below path: String) throws(SystemError) -> Descriptor {
        let parts = path.split(separator: "/").map(String.init)
        var folder = self
        for part in parts.dropLast() { folder = try folder.folder(part) }
        return try folder.open(parts.last ?? "", O_RDONLY)
    }

    /// Returns the names in the folder, sorted and without `.` and `..`.
    ///
    /// Names that are not valid UTF-8 are omitted, since the library never writes such names.
    func names() throws(SystemError) -> [String] {
        try entryNames().compactMap { String(validating: $0, as: UTF8.self) }.sorted()
    }

    /// Returns the names in the folder as bytes, unsorted and without `.` and `..`.
    func entryNames() throws(SystemError) -> [[UInt8]] {
        // A separate descriptor, since closing the stream closes it.
        let number = openat(descriptor.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw .last("openat", path: path) }
        guard let stream = fdopendir(number) else {
            let error = SystemError.last("fdopendir", path: path)
            close(number)
            throw error
        }
        defer { closedir(stream) }
        var names: [[UInt8]] = []
        while true {
            // The end and an error differ in errno alone.
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else { throw .last("readdir", path: path) }
                break
            }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                Array(bytes.prefix { $0 != 0 })
            }
            if name != Array(".".utf8), name != Array("..".utf8) { names.append(name) }
        }
        return names
    }

    /// Returns the status of an entry without following a symbolic link; nil if it does not exist.
    func status(of name: String) throws(SystemError) -> FileStatus? {
        var status = stat()
        if fstatat(descriptor.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 {
            return FileStatus(status)
        }
        guard errno == ENOENT else { throw .last("fstatat", path: path + "/" + name) }
        return nil
    }

    /// Removes a file; a missing file is not an error.
    func remove(_ name: String) throws(SystemError) {
        let path = path + "/" + name
        try files.check(.remove, path: path)
        guard unlinkat(descriptor.number, name, 0) == 0 || errno == ENOENT else {
            throw .last("unlinkat", path: path)
        }
    }

    /// Removes an empty folder; a missing folder is not an error.
    func removeFolder(_ name: String) throws(SystemError) {
        let path = path + "/" + name
        try files.check(.remove, path: path)
        guard unlinkat(descriptor.number, name, AT_REMOVEDIR) == 0 || errno == ENOENT else {
            throw .last("unlinkat", path: path)
        }
    }

    /// Makes the entries of the folder durable.
    func sync() throws(SystemError) {
        try files.check(.syncFolder, path: path)
        guard fsync(descriptor.number) == 0 else { throw .last("fsync", path: path) }
    }
}
