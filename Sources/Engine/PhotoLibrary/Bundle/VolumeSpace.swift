internal import Glibc

/// The size of a volume and the space available to unprivileged users, in bytes.
package struct VolumeSpace: Hashable, Sendable {
    package var size: Int64
    package var free: Int64

    package init(size: Int64, free: Int64) {
        self.size = size
        self.free = free
    }

    /// Queries the file system; nil if that fails, with the reason in `errno`.
    ///
    /// - Parameter path: A file or folder on the volume.
    init?(at path: String) {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        let block = UInt64(status.f_frsize)
        size = Self.bytes(UInt64(status.f_blocks), of: block)
        free = Self.bytes(UInt64(status.f_bavail), of: block)
    }

    private static func bytes(_ blocks: UInt64, of size: UInt64) -> Int64 {
        let (bytes, overflow) = blocks.multipliedReportingOverflow(by: size)
        return overflow ? .max : Int64(clamping: bytes)
    }
}
