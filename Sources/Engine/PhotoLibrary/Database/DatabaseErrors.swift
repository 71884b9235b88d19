internal import GRDB
internal import Glibc
package import PhotoModel

extension LibraryError {
    /// Converts any error of the engine to an error that can cross the library service's boundary.
    package init(_ error: any Error, library path: String) {
        switch error {
        case let error as LibraryError: self = error
        case let error as DatabaseError: self.init(error, library: path)
        case let error as SystemError: self = error.libraryError(doing: "use")
        case is CancellationError: self.init(.cancelled, "The operation was canceled.")
        default:
            self.init(
                .internalError,
                "An unknown error occurred in the library at \(path).",
                reason: String(describing: error),
                path: path
            )
        }
    }

    /// Converts errors of SQLite and the file system, and returns all others as they are.
    ///
    /// Other errors are, for example, those of a caller's closure.
    static func converting(_ error: any Error, library path: String) -> any Error {
        error is DatabaseError || error is SystemError ? LibraryError(error, library: path) : error
    }

    /// Converts an error of SQLite to an error in terms of the library.
    init(_ error: DatabaseError, library path: String) {
        let words = error.message ?? "error \(error.extendedResultCode.rawValue)"
        let reason = "SQLite reported: \(words)."
        if Self.opensFiles(error.resultCode), Self.isOutOfDescriptors {
            self.init(
                .tooManyOpenFiles,
                "The database of the library at \(path) cannot be opened.",
                reason: reason,
                recovery: Self.moreOpenFiles,
                path: path
            )
            return
        }
        switch VolumeProblem(behind: error, at: path) {
        case .full:
            self.init(
                .noSpace,
                "The volume of the library at \(path) is full.",
                reason: reason,
                recovery: "Free some space on that volume and try again.",
                path: path
            )
            return
        case .readOnly:
            self.init(
                .readOnly,
                "The library at \(path) cannot be written to.",
                reason: "Its volume is mounted read-only.",
                recovery: "Mount the volume for writing and try again.",
                path: path
            )
            return
        case nil: break
        }
        switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            self.init(
                .corrupt,
                "The database of the library at \(path) is damaged.",
                reason: reason,
                recovery: "Nothing was changed. Restore database/library.sqlite from a backup; the"
                    + " originals in \(path)/originals are not affected.",
                path: path
            )
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self.init(
                .busy,
                "The library at \(path) is busy: another program is writing to it.",
                reason: reason,
                recovery: "Wait for that program to finish, or quit it, and try again.",
                path: path
            )
        case .SQLITE_READONLY:
            self.init(
                .readOnly,
                "The library at \(path) cannot be written to.",
                reason: reason,
                recovery: "Check the permissions of the folder, and that its volume is writable.",
                path: path
            )
        case .SQLITE_PERM, .SQLITE_AUTH:
            self.init(
                .noPermission,
                "Access to the library at \(path) was denied.",
                reason: reason,
                path: path
            )
        case .SQLITE_CANTOPEN:
            self.init(
                .noPermission,
                "The database of the library at \(path) cannot be opened.",
                reason: reason,
                recovery: "Check the permissions of \(path)/database and of the files in it.",
                path: path
            )
        case .SQLITE_IOERR:
            self.init(
                .inputOutput,
                "The library at \(path) cannot be read or written.",
                reason: reason,
                recovery: "Check the volume and the system log (dmesg), then try again.",
                path: path
            )
        default:
            self.init(
                .internalError,
                "The operation failed in the library at \(path).",
                reason: reason,
                path: path
            )
        }
    }

    /// Returns whether SQLite may report this code for a file that it cannot open.
    private static func opensFiles(_ code: ResultCode) -> Bool {
        code == .SQLITE_CANTOPEN || code == .SQLITE_IOERR
    }

    /// Indicates whether the process or the system has run out of file descriptors.
    ///
    /// SQLite does not report this condition as errno.
    private static var isOutOfDescriptors: Bool {
        let number = open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { return errno == EMFILE || errno == ENFILE }
        close(number)
        return false
    }
}
