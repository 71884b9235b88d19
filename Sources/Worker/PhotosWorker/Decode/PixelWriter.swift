internal import Glibc
internal import Imaging

/// Writes rows into the host's memory, and asks the host now and then whether they are still wanted.
final class PixelWriter: RowSink {
    private let memory: Int32
    private let socket: Int32
    private(set) var isCancelled = false
    /// Whether all that was taken was written.
    private(set) var isWhole = true

    /// Takes over the memory's descriptor.
    init(owning memory: Int32, socket: Int32) {
        self.memory = memory
        self.socket = socket
    }

    deinit { close(memory) }

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
        // Its end stays where it is: memory that can't grow couldn't be written again.
        isWhole = lseek(memory, 0, SEEK_SET) == 0
    }

    /// Anything that the host says while it waits for an answer is that it waits no more.
    func checkForCancellation() {
        guard !isCancelled else { return }
        var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        if poll(&entry, 1, 0) > 0 { isCancelled = true }
    }
}
