internal import CLinuxShim
internal import Glibc
internal import LibraryService
internal import PhotoModel
internal import Synchronization

/// Sends frames over a connected stream socket.
///
/// Writes never block by themselves and never raise SIGPIPE. Frames are sent one after the other.
/// Either `send` waits until each is sent, or `enqueue` collects frames and `flush` sends as many
/// bytes as the socket accepts. After an error, all further calls fail and the connection must be
/// closed.
///
/// May be used by any thread. Does not own the socket.
package final class FrameWriter: Sendable {
    private struct State {
        /// The frames that have not been sent completely.
        ///
        /// A part of the first one may have been sent.
        var queue: [Frame] = []
        /// The encoded header of the current frame, followed by the body if the frame is short.
        var header: [UInt8] = []
        /// The number of bytes of the first frame that have been sent, including its header.
        var sentCount = 0
        /// The number of all bytes that were sent.
        var totalCount: UInt64 = 0
        var failure: TransportError?
    }

    /// The maximum length of a body that is sent together with its header in one system call.
    private static let shortLength = 64 << 10

    private let socket: Int32
    private let state = Mutex(State())

    package init(socket: Int32) { self.socket = socket }

    /// Sends a frame after the enqueued ones, and waits until all of them have been sent.
    ///
    /// Threads that send at the same time wait for one another, so a call may take longer than its
    /// deadline while other threads send.
    ///
    /// - Parameters:
    ///   - frame: The frame.
    ///   - deadline: The time at which the call fails with `timedOut`; nil waits indefinitely.
    /// - Throws: `TransportError`.
    package func send(
        _ frame: Frame,
        before deadline: SuspendingClock.Instant? = nil
    ) throws(TransportError) {
        try frame.header.check()
        let result = state.withLock { state -> Result<Void, TransportError> in
            do throws(TransportError) {
                state.queue.append(frame)
                while try !flush(&state) {
                    try SocketWait.wait(for: POLLOUT, of: socket, before: deadline)
                }
                return .success(())
            } catch {
                // A part of a frame may have been sent, after which nothing else can follow.
                Self.fail(&state, error)
                return .failure(error)
            }
        }
        try result.get()
    }

    /// Appends a frame to the queue, which `flush` sends.
    package func enqueue(_ frame: Frame) throws(TransportError) {
        try frame.header.check()
        state.withLock { state in
            if state.failure == nil { state.queue.append(frame) }
        }
    }

    /// Sends enqueued frames without waiting, until the socket accepts no more bytes.
    ///
    /// - Returns: True if all have been sent.
    package func flush() throws(TransportError) -> Bool {
        let result = state.withLock { state -> Result<Bool, TransportError> in
            do throws(TransportError) {
                return .success(try flush(&state))
            } catch {
                Self.fail(&state, error)
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// The total number of bytes that have been sent.
    ///
    /// If it does not increase, the peer has stopped reading.
    package var sentByteCount: UInt64 { state.withLock(\.totalCount) }

    private static func fail(_ state: inout State, _ error: TransportError) {
        state.failure = error
        state.queue = []
    }

    private func flush(_ state: inout State) throws(TransportError) -> Bool {
        if let failure = state.failure { throw failure }
        while let frame = state.queue.first {
            guard try sendPart(of: frame, &state) else { return false }
            if state.sentCount == FrameHeader.length + frame.body.count {
                state.queue.removeFirst()
                state.sentCount = 0
            }
        }
        return true
    }

    /// Sends the next bytes of a frame without waiting.
    ///
    /// - Returns: False if there is no room.
    private func sendPart(of frame: Frame, _ state: inout State) throws(TransportError) -> Bool {
        if state.sentCount == 0 {
            state.header = []
            frame.header.append(to: &state.header)
            // Short frames need one call, and long bodies are not copied.
            if frame.body.count <= Self.shortLength { state.header += frame.body }
        }
        let count: Int
        if state.sentCount < state.header.count {
            let numbers = state.sentCount == 0 ? frame.descriptors.map(\.number) : []
            count = Self.send(socket, state.header[state.sentCount...], numbers)
        } else {
            count = Self.send(socket, frame.body[(state.sentCount - FrameHeader.length)...], [])
        }
        guard count < 0 else {
            state.sentCount += count
            state.totalCount += UInt64(count)
            return true
        }
        switch errno {
        case EAGAIN, EWOULDBLOCK: return false
        case EPIPE, ECONNRESET: throw .closed
        // Too many descriptors are in flight (unix(7)) until the peer receives some.
        case ETOOMANYREFS: throw .limit("Too many descriptors are in flight.")
        default: throw .system(.last("sendmsg"))
        }
    }

    private static func send(
        _ socket: Int32,
        _ bytes: ArraySlice<UInt8>,
        _ descriptors: [Int32]
    ) -> Int {
        bytes.withUnsafeBytes { part in
            guard let start = part.baseAddress else { return 0 }
            return cphotos_send_many(socket, start, part.count, descriptors, descriptors.count)
        }
    }
}
