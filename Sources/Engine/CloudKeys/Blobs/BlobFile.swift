internal import Foundation
internal import Glibc
internal import PhotoModel

/// A file that is read and written at given offsets.
///
/// The caller owns the descriptor and must close it.
struct BlobFile {
    let descriptor: Int32
    /// The description of the file in error messages.
    let label: String

    var size: Int64 {
        get throws(CloudKeyError) {
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { throw failure("fstat") }
            return Int64(status.st_size)
        }
    }

    /// Reads a range of bytes; returns fewer only at the end of the file.
    func read(_ range: Range<Int64>) throws(CloudKeyError) -> Data {
        var data = Data()
        return try read(range, into: &data)
    }

    /// Reads a range of bytes into a buffer, which grows if necessary, and returns the used part of
    /// the buffer.
    func read(_ range: Range<Int64>, into data: inout Data) throws(CloudKeyError) -> Data {
        if data.count < range.count { data = Data(count: range.count) }
        var total = 0
        while total < range.count {
            let count = data.withUnsafeMutableBytes { buffer in
                pread(
                    descriptor,
                    buffer.baseAddress?.advanced(by: total),
                    range.count - total,
                    off_t(range.lowerBound) + total
                )
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure("pread") }
            if count == 0 { break }
            total += count
        }
        return data.prefix(total)
    }

    func write(_ data: Data, at offset: Int64) throws(CloudKeyError) {
        var total = 0
        while total < data.count {
            let count = data.withUnsafeBytes { buffer in
                pwrite(
                    descriptor,
                    buffer.baseAddress?.advanced(by: total),
                    buffer.count - total,
                    off_t(offset) + total
                )
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("pwrite") }
            total += count
        }
    }

    /// Truncates the file to zero bytes, so that no output of a failed operation remains.
    func truncate() { _ = ftruncate(descriptor, 0) }

    private func failure(_ call: String) -> CloudKeyError {
        let error = SystemError.last(call)
        return CloudKeyError(
            .inputOutput,
            "Could not read or write \(label).",
            reason: "\(error.call): \(error.reason).",
            recovery: error.isNoSpace
                ? "Free some space on the volume and try again."
                : "Check the volume and try again."
        )
    }
}
