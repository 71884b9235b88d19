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
    ///
    /// The numbers of the standard streams are given back: in a program that was started with one of
    /// them closed, what it prints would be written into the file.
    package init(owning number: Int32) {
        let raised = (0...2).contains(number) ? fcntl(number, F_DUPFD_CLOEXEC, 3) : -1
        if raised >= 0 { _ = close(number) }
        self.number = raised >= 0 ? raised : number
    }

    deinit { _ = close(number) }
}
