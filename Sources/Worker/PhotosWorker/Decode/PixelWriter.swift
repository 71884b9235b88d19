internal import Glibc
internal import Imaging

/// A sink that writes rows into shared memory of the host and checks for cancellation.
final class PixelWriter: RowSink {
    private let memory: Int32
    private let socket: Int32
    private(set) var isCancelled = false
    /// Indicates whether all rows were written in full.
    private(set) var isWhole = true

    /// Takes ownership of the memory's descriptor.
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
        // Does not truncate: memory with a fixed size could not be extended again.
        isWhole = lseek(memory, 0, SEEK_SET) == 0
    }

    /// Checks whether the host canceled the request: any message that it sends before the reply is
    /// a cancellation.
    func checkForCancellation() {
        guard !isCancelled else { return }
        var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        if poll(&entry, 1, 0) > 0 { isCancelled = true }
    }
}
