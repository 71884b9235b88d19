#if canImport(Glibc)
internal import Glibc
#endif

/// Owns an open file descriptor and closes it once, when the last reference goes.
///
/// Files and pixels cross the seam as descriptors beside the values: in process by reference, over
/// a socket later as ancillary data. Never Codable.
package final class Descriptor: Sendable {
    /// The number; valid as long as this object lives.
    package let number: Int32

    /// Takes over `number`, which nobody else closes from here on.
    package init(owning number: Int32) {
        self.number = number
    }

    deinit { _ = close(number) }
}
