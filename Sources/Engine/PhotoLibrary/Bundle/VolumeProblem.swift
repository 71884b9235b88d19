package import GRDB
internal import Glibc

/// A condition of the volume that explains why SQLite failed.
///
/// SQLite reports "disk I/O error" for a volume without room for its shared memory, and "unable to
/// open database file" for a read-only volume.
package enum VolumeProblem: Sendable {
    /// The volume has no free space or no free inodes.
    case full
    /// The volume is mounted read-only.
    case readOnly

    /// The approximate number of bytes that SQLite needs to open a database for writing.
    private static let needed: UInt = 256 << 10

    /// Queries the file system; nil if the volume has room and is writable, or if its state is
    /// unknown.
    ///
    /// - Parameter path: A file or folder on the volume.
    package init?(at path: String) {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        // ST_RDONLY.
        if status.f_flag & 1 != 0 {
            self = .readOnly
            return
        }
        let (free, isMuch) = UInt(status.f_bavail).multipliedReportingOverflow(by: status.f_frsize)
        // File systems without an inode limit report 0 for all inode counts.
        let hasNoFiles = status.f_files > 0 && status.f_favail == 0
        guard hasNoFiles || !isMuch && free < Self.needed else { return nil }
        self = .full
    }

    /// Determines the cause of an SQLite error; nil if the volume is not the cause.
    ///
    /// - Parameters:
    ///   - error: The error from SQLite.
    ///   - path: A file or folder on the database's volume.
    package init?(behind error: DatabaseError, at path: String) {
        switch error.resultCode {
        case .SQLITE_FULL: self = .full
        case .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_READONLY: self.init(at: path)
        default: return nil
        }
    }
}
