internal import CLinuxShim
internal import Glibc
internal import Imaging

/// Writes rows into memory that is sealed at the end, and asks the host now and then whether they are
/// still wanted.
final class PixelWriter: RowSink {
    private var memory: Int32
    private let socket: Int32
    private(set) var isCancelled = false
    private var isWhole = true

    /// Nil, with errno, when there is no memory.
    init?(socket: Int32) {
        self.socket = socket
        memory = ph_memory_file("pixels", 0)
        guard memory >= 0 else { return nil }
    }

    deinit {
        if memory >= 0 { close(memory) }
    }

    func take(_ rows: UnsafeRawBufferPointer) -> Bool {
        checkForCancellation()
        guard !isCancelled, isWhole else { return false }
        var written = 0
        while written < rows.count {
            guard let start = rows.baseAddress else { break }
            let count = write(memory, start + written, rows.count - written)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                isWhole = false
                return false
            }
            written += count
        }
        return true
    }

    func restart() {
        isWhole = ftruncate(memory, 0) == 0 && lseek(memory, 0, SEEK_SET) == 0
    }

    /// The memory, sealed; nil when it could not be written.
    ///
    /// Stays this object's.
    func sealed() -> Int32? {
        isWhole && ph_seal(memory) == 0 ? memory : nil
    }

    /// Anything that the host says while it waits for an answer is that it waits no more.
    func checkForCancellation() {
        guard !isCancelled else { return }
        var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        if poll(&entry, 1, 0) > 0 { isCancelled = true }
    }
}
