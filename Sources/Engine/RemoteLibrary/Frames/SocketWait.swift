internal import Glibc
internal import PhotoModel

/// Waits for sockets with poll(2), up to a deadline.
enum SocketWait {
    /// Waits until a socket is ready or the peer has closed the connection.
    ///
    /// - Parameters:
    ///   - event: POLLIN or POLLOUT.
    ///   - socket: The socket.
    ///   - deadline: The time at which the call fails with `timedOut`; nil waits indefinitely.
    /// - Throws: `TransportError`.
    static func wait(
        for event: Int32,
        of socket: Int32,
        before deadline: SuspendingClock.Instant?
    ) throws(TransportError) {
        while true {
            var entry = pollfd(fd: socket, events: Int16(event), revents: 0)
            let count = poll(&entry, 1, try milliseconds(until: deadline))
            if count > 0 { return }
            if count < 0, errno != EINTR { throw .system(.last("poll")) }
        }
    }

    private static func milliseconds(
        until deadline: SuspendingClock.Instant?
    ) throws(TransportError) -> Int32 {
        guard let deadline else { return -1 }
        let left = deadline - SuspendingClock.now
        guard left > .zero else { throw .timedOut }
        let (seconds, attoseconds) = left.components
        guard seconds < Int64(Int32.max / 1_000) - 1 else { return .max }
        return Int32(seconds) * 1_000 + Int32(attoseconds / 1_000_000_000_000_000) + 1
    }
}
