#if canImport(Glibc)
internal import Glibc
#endif

/// The status of a file from `fstat`, limited to the values that import uses.
package struct FileStatus: Hashable, Sendable {
    package var isRegularFile: Bool
    package var isFolder: Bool
    /// The kind of file in words for messages, such as a folder, a device or a pipe.
    package var kind: String
    /// The size in bytes.
    package var size: Int64
    /// The modification time in nanoseconds since 1970.
    package var modificationTime: Int64
    /// The time of the last access in nanoseconds since 1970, as accurately as the volume records
    /// it.
    package var accessTime: Int64
    /// The status change time in nanoseconds since 1970.
    package var statusChangeTime: Int64
    package var inode: UInt64
    package var device: UInt64
    /// The number of hard links; 0 for a file that was removed while open.
    package var linkCount: UInt64
    /// The permission bits, as used by `chmod`.
    package var permissions: UInt32

    init(_ status: stat) {
        isRegularFile = status.st_mode & S_IFMT == S_IFREG
        isFolder = status.st_mode & S_IFMT == S_IFDIR
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: "a regular file"
            case S_IFDIR: "a folder"
            case S_IFLNK: "a link"
            case S_IFIFO: "a named pipe"
            case S_IFSOCK: "a socket"
            case S_IFBLK, S_IFCHR: "a device"
            default: "not a file"
            }
        size = Int64(status.st_size)
        modificationTime = Self.nanoseconds(status.st_mtim)
        accessTime = Self.nanoseconds(status.st_atim)
        statusChangeTime = Self.nanoseconds(status.st_ctim)
        inode = UInt64(status.st_ino)
        device = UInt64(status.st_dev)
        linkCount = UInt64(status.st_nlink)
        permissions = UInt32(status.st_mode & 0o7777)
    }

    /// Reads the status of the file at a path; returns nil if the status cannot be read.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Returns whether the file is the same and unmodified, judging by inode, device, size,
    /// modification and status change times.
    package func isUnchanged(since earlier: FileStatus) -> Bool {
        inode == earlier.inode && device == earlier.device && size == earlier.size
            && modificationTime == earlier.modificationTime
            && statusChangeTime == earlier.statusChangeTime
    }

    /// Returns whether an open file's content is unchanged, judging by size, modification and
    /// status change times.
    ///
    /// The open descriptor identifies the file. Inode numbers are not compared, since they change
    /// between two calls on some mounts of devices.
    func isUntouched(since earlier: FileStatus) -> Bool {
        isRetouched(since: earlier) && statusChangeTime == earlier.statusChangeTime
    }

    /// Returns whether an open file has the same size and modification time as in an earlier
    /// status, so that its content counts as unchanged.
    ///
    /// Names, owner and permissions may have changed.
    func isRetouched(since earlier: FileStatus) -> Bool {
        size == earlier.size && modificationTime == earlier.modificationTime
    }

    // A hostile file system can report any time, so this saturates instead of trapping.
    private static func nanoseconds(_ time: timespec) -> Int64 {
        let (seconds, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { return time.tv_sec < 0 ? .min : .max }
        let (sum, carried) = seconds.addingReportingOverflow(Int64(time.tv_nsec))
        return carried ? .max : sum
    }
}
