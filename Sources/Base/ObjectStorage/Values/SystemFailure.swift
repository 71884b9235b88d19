internal import Glibc

/// A failed system call and its error number.
package struct SystemFailure: Error, Hashable, Sendable {
    /// The name of the call, as in its manual page.
    package var call: String
    /// The value of errno.
    package var number: Int32

    package init(call: String, number: Int32) {
        self.call = call
        self.number = number
    }

    /// Returns the failure for the current value of errno.
    package static func last(_ call: String) -> SystemFailure {
        SystemFailure(call: call, number: errno)
    }

    /// The operating system's message.
    package var reason: String { "\(call): \(String(cString: strerror(number)))." }

    /// Converts the failure to the store's error.
    ///
    /// `action` is a verb with its object: `write log/1/2`.
    package func storeError(doing action: String, in place: String) -> ObjectStoreError {
        let message = "Could not \(action) in \(place)."
        return switch number {
        case ENOSPC, EDQUOT:
            ObjectStoreError(
                .full,
                message,
                reason: reason,
                recovery: "Free some space on the volume, or raise the quota, and try again.",
                cause: self
            )
        case EACCES, EPERM:
            ObjectStoreError(
                .accessDenied,
                message,
                reason: reason,
                recovery: "Change the permissions of the directory, or mount it for this user.",
                cause: self
            )
        case EROFS:
            ObjectStoreError(
                .readOnly,
                message,
                reason: reason,
                recovery: "Mount the volume for writing and try again.",
                cause: self
            )
        case ESTALE, ENODEV, ENXIO, ENOTCONN, ESHUTDOWN:
            ObjectStoreError(
                .storeAbsent,
                message,
                reason: reason,
                recovery: "Connect the disk or mount the share again, and try again.",
                cause: self
            )
        case ELOOP, ENOTDIR, EISDIR, ENOTSUP:
            ObjectStoreError(
                .damaged,
                message,
                reason: reason,
                recovery: "Remove what another program put there: links, files or directories.",
                cause: self
            )
        default:
            ObjectStoreError(
                .inputOutput,
                message,
                reason: reason,
                recovery: "Check the volume and its connection, and try again.",
                cause: self
            )
        }
    }
}
