internal import CLinuxShim
internal import Glibc
internal import PhotoModel
package import WorkerProtocol

/// Pixels that a worker answered with, mapped read-only from sealed memory.
///
/// The memory is unmapped with the last reference. Its seals were checked before it was mapped: the
/// worker can neither change nor shrink it any more.
package final class PixelMemory: Sendable {
    package let description: PixelBufferDescription
    /// Never written to, and unmapped only when nobody refers to this object any more.
    nonisolated(unsafe) private let bytes: UnsafeRawBufferPointer

    /// Maps the pixels in `descriptor`, which stays the caller's.
    ///
    /// - Returns: nil when the memory is not sealed, has another size, or the description makes no
    ///   sense.
    package init?(description: PixelBufferDescription, descriptor: Int32, maximumSide: Int) {
        let size = description.size
        guard (1...maximumSide).contains(size.width), (1...maximumSide).contains(size.height),
            case (let row, false) = size.width.multipliedReportingOverflow(by: 3),
            description.bytesPerRow == row,
            case (let length, false) = row.multipliedReportingOverflow(by: size.height)
        else { return nil }
        let seals = ph_seals(descriptor)
        var status = stat()
        guard seals >= 0, seals & ph_all_seals() == ph_all_seals(), fstat(descriptor, &status) == 0,
            Int(status.st_size) == length,
            let memory = mmap(nil, length, PROT_READ, MAP_SHARED, descriptor, 0),
            memory != MAP_FAILED
        else { return nil }
        self.description = description
        self.bytes = UnsafeRawBufferPointer(start: memory, count: length)
    }

    deinit {
        guard let start = bytes.baseAddress else { return }
        munmap(UnsafeMutableRawPointer(mutating: start), bytes.count)
    }

    /// Runs `body` with the bytes: `bytesPerRow` × height.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows
        -> Result
    {
        try body(bytes)
    }
}
