#if canImport(Glibc)
internal import Glibc
#endif

/// An immutable block of this process's memory that contains the bytes of one image.
///
/// It is used for images that the library decodes itself, which need no sealed memory. The block is
/// freed with the last reference.
package final class PixelBlock: Sendable {
    /// The memory block, which is written before the initializer returns and freed only in
    /// `deinit`.
    nonisolated(unsafe) private let memory: UnsafeMutableRawPointer

    package let count: Int

    /// The address of the first byte, valid while this object is retained.
    package var start: UnsafeRawPointer { UnsafeRawPointer(memory) }

    /// Allocates `count` uninitialized bytes, and calls `write`, which must fill all of them.
    ///
    /// - Returns: nil when the allocation fails or `write` returns false.
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
