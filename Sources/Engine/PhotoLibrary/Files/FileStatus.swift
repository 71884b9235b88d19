#if canImport(Glibc)
internal import Glibc
#endif

/// What `fstat` says of a file, as far as import needs it.
package struct FileStatus: Hashable, Sendable {
    package var isRegularFile: Bool
    /// Whether it is a folder, a device, a pipe …: words for people when it is not a regular file.
    package var kind: String
    /// Bytes.
    package var size: Int64
    /// Nanoseconds since 1970.
    package var modificationTime: Int64
    /// Nanoseconds since 1970.
    package var statusChangeTime: Int64
    package var inode: UInt64
    package var device: UInt64
    /// How many names the file has; 0 for one that was removed while open.
    package var linkCount: UInt64
    /// The permissions, as `chmod` takes them.
    package var permissions: UInt32

    init(_ status: stat) {
        isRegularFile = status.st_mode & S_IFMT == S_IFREG
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: "a regular file"
            case S_IFDIR: "a folder"
            case S_IFLNK: "a link"
            case S_IFIFO: "a pipe"
            case S_IFSOCK: "a socket"
            case S_IFBLK, S_IFCHR: "a device"
            default: "not a file"
            }
        size = Int64(status.st_size)
        modificationTime = Self.nanoseconds(status.st_mtim)
        statusChangeTime = Self.nanoseconds(status.st_ctim)
        inode = UInt64(status.st_ino)
        device = UInt64(status.st_dev)
        linkCount = UInt64(status.st_nlink)
        permissions = UInt32(status.st_mode & 0o7777)
    }

    /// Whether both describe the same bytes of the same file, as far as the file system can tell.
    package func isUnchanged(since earlier: FileStatus) -> Bool {
        inode == earlier.inode && device == earlier.device && size == earlier.size
            && modificationTime == earlier.modificationTime
            && statusChangeTime == earlier.statusChangeTime
    }

    /// Whether at most the file's names, owner or permissions changed: the same but for the status
    /// change time.
    func isRetouched(since earlier: FileStatus) -> Bool {
        var same = self
        same.statusChangeTime = earlier.statusChangeTime
        return same.isUnchanged(since: earlier)
    }

    // A hostile file system can claim any time: saturate rather than trap.
    private static func nanoseconds(_ time: timespec) -> Int64 {
        let (seconds, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { return time.tv_sec < 0 ? .min : .max }
        let (sum, carried) = seconds.addingReportingOverflow(Int64(time.tv_nsec))
        return carried ? .max : sum
    }
}
