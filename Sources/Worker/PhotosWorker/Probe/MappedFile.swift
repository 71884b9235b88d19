internal import Glibc
internal import Media

/// A file's bytes, mapped read-only for one request.
///
/// If the file is truncated while it is mapped, SIGBUS terminates this process, which the host
/// detects.
struct MappedFile: ~Copyable {
    /// The maximum number of bytes to map; of a larger file, only the beginning is mapped.
    ///
    /// Larger files are movies, which are read in pieces through the descriptor.
    static let limitInBytes = 2 << 30

    let size: Int64
    private let memory: UnsafeRawBufferPointer

    var bytes: ByteView { ByteView(memory) }

    private init(size: Int64, memory: UnsafeRawBufferPointer) {
        self.size = size
        self.memory = memory
    }

    /// Maps a file; returns nil if the descriptor is not a regular file or the mapping fails.
    static func map(_ descriptor: Int32) -> MappedFile? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        let length = min(Int(status.st_size), limitInBytes)
        var memory = UnsafeRawBufferPointer(start: nil, count: 0)
        if length > 0 {
            guard let start = mmap(nil, length, PROT_READ, MAP_PRIVATE, descriptor, 0),
                start != MAP_FAILED
            else { return nil }
            memory = UnsafeRawBufferPointer(start: start, count: length)
        }
        return MappedFile(size: Int64(status.st_size), memory: memory)
    }

    /// Releases the pages of the file that were read, so that they do not occupy this process's
    /// memory.
    ///
    /// They are mapped again when they are needed.
    func releasePages() {
        guard let start = memory.baseAddress else { return }
        madvise(UnsafeMutableRawPointer(mutating: start), memory.count, MADV_DONTNEED)
    }

    deinit {
        guard let start = memory.baseAddress else { return }
        munmap(UnsafeMutableRawPointer(mutating: start), memory.count)
    }
}
