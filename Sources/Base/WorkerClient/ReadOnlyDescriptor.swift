internal import Glibc

/// A read-only reopening of a file.
///
/// A worker receives this descriptor, so that it cannot change the file even if the caller's
/// descriptor is writable.
final class ReadOnlyDescriptor: Sendable {
    let number: Int32

    /// Reopens the file behind a descriptor, which the caller keeps; returns nil and sets errno on
    /// failure.
    init?(_ descriptor: Int32) {
        number = open("/proc/self/fd/\(descriptor)", O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard number >= 0 else { return nil }
    }

    deinit {
        if number >= 0 { close(number) }
    }
}
