#if canImport(Glibc)
internal import Glibc
#endif

/// A failed system call with its path and error number.
package struct SystemError: Error, Hashable, Sendable {
    /// The name of the call, as in its manual page.
    package var call: String
    /// The value of errno.
    package var number: Int32
    package var path: String?

    package init(call: String, number: Int32, path: String? = nil) {
        self.call = call
        self.number = number
        self.path = path
    }

    /// Returns the failure for the current value of errno.
    package static func last(_ call: String, path: String? = nil) -> SystemError {
        SystemError(call: call, number: errno, path: path)
    }

    /// Indicates whether the volume or the user's disk quota is full.
    package var isNoSpace: Bool { number == ENOSPC || number == EDQUOT }

    /// Indicates whether the process, or the system, has reached its limit of open files.
    package var isTooManyOpenFiles: Bool { number == EMFILE || number == ENFILE }

    /// The operating system's message with errno's name: `Input/output error (EIO)`.
    package var reason: String {
        let text = String(cString: strerror(number))
        return "\(text) (\(Self.name(of: number)))"
    }

    /// Converts the failure to the engine's error.
    ///
    /// `message` is one sentence that names the object and the failure.
    package func libraryError(_ message: String) -> LibraryError {
        switch number {
        case ENOSPC, EDQUOT:
            LibraryError(
                .noSpace,
                message,
                reason: "The volume is full: \(reason).",
                recovery:
                    "Free some space on the volume and try again. Acknowledged changes are kept.",
                path: path
            )
        case EACCES, EPERM:
            LibraryError(
                .noPermission,
                message,
                reason: "\(call): \(reason).",
                recovery: "Change the permissions of the path, or run the program as its owner.",
                path: path
            )
        case EROFS:
            LibraryError(
                .readOnly,
                message,
                reason: "The volume is mounted read-only.",
                recovery: "Mount the volume for writing and try again.",
                path: path
            )
        case EMFILE, ENFILE:
            LibraryError(
                .tooManyOpenFiles,
                message,
                reason: "\(call): \(reason).",
                recovery: LibraryError.moreOpenFiles,
                path: path
            )
        default:
            LibraryError(
                .inputOutput,
                message,
                reason: "\(call): \(reason).",
                recovery: "Check the volume and try again.",
                path: path
            )
        }
    }

    /// Converts the failure to the engine's error, with a message that states an action and the
    /// path.
    ///
    /// `action` is a verb with its object; the path is appended.
    package func libraryError(doing action: String) -> LibraryError {
        libraryError("Could not \(action) \(path ?? "it").")
    }

    private static func name(of number: Int32) -> String {
        switch number {
        case EACCES: "EACCES"
        case EBADF: "EBADF"
        case EBUSY: "EBUSY"
        case EDQUOT: "EDQUOT"
        case EEXIST: "EEXIST"
        case EFBIG: "EFBIG"
        case EINVAL: "EINVAL"
        case EIO: "EIO"
        case EISDIR: "EISDIR"
        case EMFILE: "EMFILE"
        case ENAMETOOLONG: "ENAMETOOLONG"
        case ENFILE: "ENFILE"
        case ENODEV: "ENODEV"
        case ENOENT: "ENOENT"
        case ENOMEM: "ENOMEM"
        case ENOSPC: "ENOSPC"
        case ENOTDIR: "ENOTDIR"
        case ENXIO: "ENXIO"
        case EPERM: "EPERM"
        case EROFS: "EROFS"
        case ESTALE: "ESTALE"
        case ETIMEDOUT: "ETIMEDOUT"
        default: "errno \(number)"
        }
    }
}
