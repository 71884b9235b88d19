internal import Glibc

/// A file opened once more, for reading only.
///
/// What a worker gets: its descriptor must not let it change the file, whatever the caller's own may do.
final class ReadOnlyDescriptor: Sendable {
    let number: Int32

    /// Opens the file behind a descriptor, which stays the caller's; nil, with errno, when that fails.
    init?(_ descriptor: Int32) {
        number = open("/proc/self/fd/\(descriptor)", O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard number >= 0 else { return nil }
    }

    deinit {
        if number >= 0 { close(number) }
    }
}
