internal import Glibc
internal import PhotoModel

/// A failed system call, with its error message.
struct FileAccessError: Error, Hashable, Sendable {
    let number: Int32

    init(_ number: Int32 = errno) { self.number = number }

    /// Indicates whether the process or the system has reached its limit of open files.
    var isTooManyOpenFiles: Bool { number == EMFILE || number == ENFILE }

    /// The message of the operating system, such as "Permission denied".
    var words: String { String(cString: strerror(number)) }

    /// Returns the corresponding library error.
    func libraryError(_ message: String, path: SourcePath) -> LibraryError {
        let (code, recovery): (LibraryError.Code, String?) =
            switch number {
            case ENOSPC, EDQUOT: (.noSpace, "Free some space on the volume and try again.")
            case EACCES, EPERM:
                (
                    .noPermission,
                    "Change the permissions of the path, or run the program as its owner."
                )
            case EMFILE, ENFILE: (.tooManyOpenFiles, LibraryError.moreOpenFiles)
            case EROFS: (.readOnly, "Choose a writable volume.")
            default: (.inputOutput, nil)
            }
        return LibraryError(
            code,
            message,
            reason: "The system reported: \(words).",
            recovery: recovery,
            path: path.description
        )
    }
}
