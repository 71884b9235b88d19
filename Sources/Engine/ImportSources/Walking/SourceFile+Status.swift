package import Glibc
package import LibraryService

extension SourceFile {
    /// Creates the metadata of a file from its status.
    package init(path: [UInt8], status: stat) {
        self.init(
            path: path,
            size: Int64(status.st_size),
            modificationTime: Self.nanoseconds(status.st_mtim),
            statusChangeTime: Self.nanoseconds(status.st_ctim),
            inode: UInt64(status.st_ino),
            device: UInt64(status.st_dev)
        )
    }

    /// Returns the time in nanoseconds; times outside 1678...2262 are clamped, since they are only
    /// compared for equality.
    private static func nanoseconds(_ time: timespec) -> Int64 {
        let (seconds, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { return time.tv_sec < 0 ? .min : .max }
        return seconds.addingReportingOverflow(Int64(time.tv_nsec)).partialValue
    }
}
