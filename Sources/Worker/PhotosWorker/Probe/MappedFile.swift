internal import Glibc
internal import Media

/// A file's bytes, mapped read-only for one request.
///
/// A file that becomes shorter meanwhile raises SIGBUS, which costs this process and tells the host.
struct MappedFile: ~Copyable {
    /// More of a file is not mapped: larger ones are movies, which are read piece by piece.
    static let limitInBytes = 2 << 30

    let size: Int64
    private let memory: UnsafeRawBufferPointer

    var bytes: ByteView { ByteView(memory) }

    private init(size: Int64, memory: UnsafeRawBufferPointer) {
        self.size = size
        self.memory = memory
    }

    /// Maps a file; nil when the descriptor is no regular file or can't be mapped.
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

    deinit {
        guard let start = memory.baseAddress else { return }
        munmap(UnsafeMutableRawPointer(mutating: start), memory.count)
    }
}
