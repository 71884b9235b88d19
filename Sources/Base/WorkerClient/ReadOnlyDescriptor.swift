internal import Glibc

/// A read-only descriptor of a file that is already open.
///
/// A worker receives this descriptor, so that it cannot change the file even if the caller's
/// descriptor is writable.
package final class ReadOnlyDescriptor: Sendable {
    package let number: Int32

    /// Opens the file behind a descriptor again, as read-only; returns nil and sets errno on
    /// failure.
    ///
    /// The caller keeps the given descriptor.
    package init?(_ descriptor: Int32) {
        number = open("/proc/self/fd/\(descriptor)", O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard number >= 0 else { return nil }
    }

    deinit {
        if number >= 0 { close(number) }
    }
}
