internal import Glibc

/// The bytes of an open archive, read at offsets.
struct ArchiveFile {
    let descriptor: Int32
    let size: Int64

    init(_ descriptor: Int32) throws(ArchiveProblem) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw ArchiveProblem("It is not a regular file, or it cannot be read.")
        }
        self.descriptor = descriptor
        size = Int64(status.st_size)
    }

    /// Reads bytes at an offset until the buffer is full or the file ends; returns the number of
    /// bytes read.
    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(ArchiveProblem)
        -> Int
    {
        guard offset >= 0, offset < size, buffer.count > 0 else { return 0 }
        var done = 0
        while done < buffer.count {
            let count = pread(
                descriptor,
                buffer.baseAddress.map { $0 + done },
                buffer.count - done,
                off_t(offset + Int64(done))
            )
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw ArchiveProblem("It cannot be read: \(String(cString: strerror(errno))).")
            }
            if count == 0 { break }
            done += count
        }
        return done
    }

    /// Reads exactly `length` bytes; throws an error if the file has fewer bytes at the offset.
    func bytes(at offset: Int64, length: Int) throws(ArchiveProblem) -> [UInt8] {
        guard length >= 0, offset >= 0, offset <= size, Int64(length) <= size - offset else {
            throw .truncated
        }
        var bytes = [UInt8](repeating: 0, count: length)
        var failure: ArchiveProblem?
        let count = bytes.withUnsafeMutableBytes { buffer -> Int in
            do throws(ArchiveProblem) { return try read(at: offset, into: buffer) } catch {
                failure = error
                return 0
            }
        }
        if let failure { throw failure }
        guard count == length else { throw .truncated }
        return bytes
    }
}
