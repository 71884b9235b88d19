package import GRDB
internal import Glibc

/// What is the matter with a volume on which SQLite failed.
///
/// SQLite says "disk I/O error" of a volume that is too full for its shared memory, and "unable to open
/// database file" of one that is mounted read-only.
package enum VolumeProblem: Sendable {
    /// No space, or no file, is left.
    case full
    /// It is mounted read-only.
    case readOnly

    /// SQLite needs about as many bytes to open a database for writing.
    private static let needed: UInt = 256 << 10

    /// Asks the file system; nil when there is room and it can be written to, or nothing is known.
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
        // File systems without a limit on files say 0 of all.
        let hasNoFiles = status.f_files > 0 && status.f_favail == 0
        guard hasNoFiles || !isMuch && free < Self.needed else { return nil }
        self = .full
    }

    /// What is behind an error of SQLite; nil when it is something else.
    ///
    /// - Parameters:
    ///   - error: What it said.
    ///   - path: A file or folder on the database's volume.
    package init?(behind error: DatabaseError, at path: String) {
        switch error.resultCode {
        case .SQLITE_FULL: self = .full
        case .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_READONLY: self.init(at: path)
        default: return nil
        }
    }
}
