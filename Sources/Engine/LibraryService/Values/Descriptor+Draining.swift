internal import Glibc

extension Descriptor {
    /// Drains the pending commit notifications from a subscription's descriptor, without waiting
    /// for more.
    ///
    /// - Returns: False when no more data will ever arrive.
    package func drain() -> Bool {
        // Only the arrival of the data matters, not its content.
        var bytes = [UInt8](repeating: 0, count: 4_096)
        while true {
            var request = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
            guard poll(&request, 1, 0) > 0 else { return true }
            guard request.revents & Int16(POLLIN) != 0 else { return false }
            let count = read(number, &bytes, bytes.count)
            if count == 0 { return false }
            if count < 0 { return errno == EINTR || errno == EAGAIN }
        }
    }
}
