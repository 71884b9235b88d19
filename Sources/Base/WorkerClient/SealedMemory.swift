internal import CLinuxShim
internal import Glibc

/// Immutable bytes in sealed memory, mapped read-only.
///
/// The seals are checked before mapping, so the memory's creator need not be trusted. The memory is
/// unmapped with the last reference.
package final class SealedMemory: Sendable {
    /// The mapped bytes, which are never written to and are unmapped only in `deinit`.
    nonisolated(unsafe) private let bytes: UnsafeRawBufferPointer
    /// The address of the first byte, as a non-optional pointer.
    nonisolated(unsafe) private let first: UnsafeRawPointer

    /// The address of the first byte, valid while this object is retained.
    package var start: UnsafeRawPointer { first }

    package var count: Int { bytes.count }

    /// Maps the memory behind `descriptor`, which the caller keeps and must close.
    ///
    /// - Returns: nil when the memory is not sealed or does not have that length.
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

    /// Creates memory of `length` bytes, calls `body` to write them, and seals the memory.
    ///
    /// - Returns: A descriptor, which the caller must close; nil, with errno set, when the
    ///   allocation fails or `body` returns false.
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
