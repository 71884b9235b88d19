#if canImport(Glibc)
internal import Glibc
#endif

/// Memory of this process with the bytes of one picture, which nobody changes any more.
///
/// What the library decodes itself needs no seals. It is freed with the last reference.
package final class PixelBlock: Sendable {
    /// Written before this object is made, and freed only with it.
    nonisolated(unsafe) private let memory: UnsafeMutableRawPointer

    package let count: Int

    /// Where the bytes begin, for whoever keeps this object as long as it reads them.
    package var start: UnsafeRawPointer { UnsafeRawPointer(memory) }

    /// Memory of `count` bytes that `write` fills, all of it: they are not zero before.
    ///
    /// - Returns: nil when there is no memory, or `write` says no.
    package init?(count: Int, _ write: (UnsafeMutableRawBufferPointer) -> Bool) {
        guard count > 0, let memory = malloc(count) else { return nil }
        guard write(UnsafeMutableRawBufferPointer(start: memory, count: count)) else {
            free(memory)
            return nil
        }
        self.memory = memory
        self.count = count
    }

    deinit { free(memory) }
}
