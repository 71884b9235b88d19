internal import Glibc
internal import PhotoModel

/// An operating system call that failed, in words.
struct FileAccessError: Error, Hashable, Sendable {
    let number: Int32

    init(_ number: Int32 = errno) { self.number = number }

    /// Whether the process, or the system, has as many files open as it may.
    var isTooManyOpenFiles: Bool { number == EMFILE || number == ENFILE }

    /// The system's own words, such as "Permission denied".
    var words: String { String(cString: strerror(number)) }

    /// The error at the edge.
    func libraryError(_ message: String, path: SourcePath) -> LibraryError {
        let (code, recovery): (LibraryError.Code, String?) =
            switch number {
            case ENOSPC, EDQUOT: (.noSpace, "Free some space on that volume and try again.")
            case EACCES, EPERM:
                (.noPermission, "Change the permissions of that path, or run as its owner.")
            case EMFILE, ENFILE: (.tooManyOpenFiles, LibraryError.moreOpenFiles)
            case EROFS: (.readOnly, "Choose a place that can be written to.")
            default: (.inputOutput, nil)
            }
        return LibraryError(
            code,
            message,
            reason: "The system says: \(words).",
            recovery: recovery,
            path: path.description
        )
    }
}
