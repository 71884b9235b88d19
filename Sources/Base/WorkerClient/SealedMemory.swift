internal import CLinuxShim
internal import Glibc

/// Bytes in memory that nobody can change or shrink any more, mapped read-only.
///
/// Its seals are checked before it is mapped, so it does not matter who made it. The memory is
/// unmapped with the last reference.
package final class SealedMemory: Sendable {
    /// Never written to, and unmapped only when nobody refers to this object any more.
    nonisolated(unsafe) private let bytes: UnsafeRawBufferPointer
    /// The same, known to be there.
    nonisolated(unsafe) private let first: UnsafeRawPointer

    /// Where the bytes begin, for whoever keeps this object as long as it reads them.
    package var start: UnsafeRawPointer { first }

    package var count: Int { bytes.count }

    /// Maps the memory behind `descriptor`, which stays the caller's.
    ///
    /// - Returns: nil when it is not sealed, or has not that many bytes.
    package init?(descriptor: Int32, length: Int) {
        let seals = cphotos_seals(descriptor)
        var status = stat()
        guard length > 0, seals >= 0, seals & cphotos_all_seals() == cphotos_all_seals(),
            fstat(descriptor, &status) == 0, Int(status.st_size) == length,
            let memory = mmap(nil, length, PROT_READ, MAP_SHARED, descriptor, 0),
            memory != MAP_FAILED
        else { return nil }
        first = UnsafeRawPointer(memory)
        bytes = UnsafeRawBufferPointer(start: memory, count: length)
    }

    deinit {
        munmap(UnsafeMutableRawPointer(mutating: first), bytes.count)
    }

    /// Runs `body` with the bytes.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows
        -> Result
    {
        try body(bytes)
    }

    /// Makes sealed memory of `length` bytes that `body` writes.
    ///
    /// - Returns: A descriptor, which is the caller's; nil, with errno, when there is no memory or
    ///   `body` says no.
    package static func make(
        length: Int,
        _ body: (UnsafeMutableRawBufferPointer) -> Bool
    ) -> Int32? {
        let descriptor = cphotos_memory_file("pixels", length)
        guard descriptor >= 0 else { return nil }
        guard
            let memory = mmap(
                nil,
                max(1, length),
                PROT_READ | PROT_WRITE,
                MAP_SHARED,
                descriptor,
                0
            ), memory != MAP_FAILED
        else {
            close(descriptor)
            return nil
        }
        let isWritten = body(UnsafeMutableRawBufferPointer(start: memory, count: length))
        munmap(memory, max(1, length))
        guard isWritten, cphotos_seal(descriptor) == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }
}
