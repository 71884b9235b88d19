#if canImport(Glibc)
internal import Glibc
#endif

/// An owned file descriptor that is closed once, when the last reference is released.
///
/// Files and pixels are passed as descriptors alongside the values: by reference in process, as
/// ancillary data over a future socket. A descriptor is never Codable.
package final class Descriptor: Sendable {
    /// The descriptor number, valid while this object is alive.
    package let number: Int32

    /// Takes ownership of `number`, which no other code may close afterwards.
    ///
    /// A descriptor with the number of a standard stream is moved to a higher number. Otherwise, in
    /// a program that was started with that stream closed, printed output would be written into the
    /// file.
    package init(owning number: Int32) {
        let raised = (0...2).contains(number) ? fcntl(number, F_DUPFD_CLOEXEC, 3) : -1
        if raised >= 0 { _ = close(number) }
        self.number = raised >= 0 ? raised : number
    }

    deinit { _ = close(number) }
}
