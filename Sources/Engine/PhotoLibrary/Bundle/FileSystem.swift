internal import CLinuxShim
internal import Glibc
internal import PhotoModel

/// The file system operations that opening a library needs.
enum FileSystem {
    /// Returns the result of `stat`, or its errno.
    static func status(of path: String) -> Result<stat, SystemError> {
        var status = stat()
        guard stat(path, &status) == 0 else { return .failure(.last("stat", path: path)) }
        return .success(status)
    }

    /// Returns the length of a file in bytes; 0 if `stat` fails.
    static func length(of path: String) -> Int64 {
        guard case .success(let status) = status(of: path) else { return 0 }
        return Int64(status.st_size)
    }

    static func isFolder(_ status: stat) -> Bool { status.st_mode & S_IFMT == S_IFDIR }

    /// Reads up to `limitInBytes` bytes of a file.
    static func contents(of path: String, limitInBytes: Int) -> Result<[UInt8], SystemError> {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return .failure(.last("open", path: path)) }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: limitInBytes)
        let count = read(descriptor, &bytes, limitInBytes)
        guard count >= 0 else { return .failure(.last("read", path: path)) }
        return .success(Array(bytes.prefix(count)))
    }

    /// Creates a file that only its owner can access, and makes its contents durable.
    ///
    /// Fails if the path exists.
    static func write(_ text: String, toNewFile path: String) throws(SystemError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, BundleModes.newFile)
        guard descriptor >= 0 else { throw .last("open", path: path) }
        defer { close(descriptor) }
        var text = text
        let count = text.utf8.count
        let written = text.withUTF8 { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        guard written == count, fsync(descriptor) == 0 else { throw .last("write", path: path) }
    }

    /// Replaces a file by a rename; several processes may replace it at the same time.
    static func replace(
        _ path: String,
        with text: String,
        modes: BundleModes
    ) throws(SystemError) {
        let draft = "\(path).\(getpid()).new"
        unlink(draft)
        defer { unlink(draft) }
        try write(text, toNewFile: draft)
        let descriptor = open(draft, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        if descriptor >= 0 {
            modes.giveAway(descriptor)
            close(descriptor)
        }
        guard rename(draft, path) == 0 else { throw .last("rename", path: path) }
    }

    /// Makes the directory entries of a folder durable.
    static func synchronizeFolder(_ path: String) throws(SystemError) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last("open", path: path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .last("fsync", path: path) }
    }

    /// Returns the names in a folder, without `.` and `..`, in no particular order.
    static func entries(of path: String) -> Result<[String], SystemError> {
        guard let folder = opendir(path) else { return .failure(.last("opendir", path: path)) }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return .success(names)
    }

    /// Returns the name of the file system at `path` if it does not support SQLite's shared memory;
    /// otherwise nil.
    static func networkFileSystem(at path: String) -> String? {
        switch UInt32(truncatingIfNeeded: cphotos_file_system_type(path)) {
        case 0x6969: "NFS"
        case 0x517B, 0xFF53_4D42, 0xFE53_4D42: "SMB"
        case 0x0102_1997: "9P"
        case 0x5346_414F, 0x6B41_4653: "AFS"
        case 0x00C3_6400: "Ceph"
        default: nil
        }
    }
}
