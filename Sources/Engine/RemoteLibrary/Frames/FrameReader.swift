internal import CLinuxShim
internal import Glibc
internal import LibraryService
internal import PhotoModel

/// Receives frames from a connected stream socket.
///
/// Reads never block by themselves, whatever the mode of the socket is; `receive` waits with
/// poll(2). After an error, the connection must be closed. Descriptors of an incomplete frame are
/// closed when the reader is destroyed.
///
/// Used by one thread at a time. Does not own the socket.
package struct FrameReader: Sendable {
    /// The outcome of a nonblocking read.
    package enum Outcome: Sendable {
        case frame(Frame)
        /// The next frame has not arrived completely.
        case pending
        /// The peer closed the connection between two frames.
        case ended
    }

    private static let chunkLength = 64 << 10

    private let socket: Int32
    private var parser = FrameParser()
    /// The buffer for the bytes of one read.
    private var chunk = [UInt8](repeating: 0, count: chunkLength)

    package init(socket: Int32) { self.socket = socket }

    /// Receives the next frame.
    ///
    /// - Parameter deadline: The time at which the call fails with `timedOut`; nil waits
    ///   indefinitely. The frame can then be received later.
    /// - Returns: The frame; nil when the peer closed the connection between two frames.
    /// - Throws: `TransportError`.
    package mutating func receive(
        before deadline: SuspendingClock.Instant? = nil
    ) throws(TransportError) -> Frame? {
        while true {
            switch try receiveAvailable() {
            case .frame(let frame): return frame
            case .ended: return nil
            case .pending: try SocketWait.wait(for: POLLIN, of: socket, before: deadline)
            }
        }
    }

    /// Receives the next frame if all its bytes have arrived; never blocks.
    ///
    /// The bytes of an incomplete frame are retained for the next call.
    package mutating func receiveAvailable() throws(TransportError) -> Outcome {
        while true {
            var numbers = [Int32](repeating: -1, count: FrameLimits.maximumDescriptorCount)
            var descriptorCount = 0
            var sender: pid_t = 0
            let count = cphotos_receive_many(
                socket,
                &chunk,
                min(parser.wantedCount, chunk.count),
                &numbers,
                numbers.count,
                &descriptorCount,
                &sender
            )
            if count == 0 {
                guard parser.isBetweenFrames else { throw .closed }
                return .ended
            }
            if count < 0 {
                switch errno {
                case EAGAIN, EWOULDBLOCK: return .pending
                case ECONNRESET, EPIPE: throw .closed
                default: throw .system(.last("recvmsg"))
                }
            }
            guard descriptorCount <= numbers.count else {
                throw .limit("A frame has more than \(numbers.count) descriptors.")
            }
            let descriptors = numbers.prefix(descriptorCount).map(Descriptor.init(owning:))
            if let frame = try take(count, descriptors, from: sender) { return .frame(frame) }
        }
    }

    private mutating func take(
        _ count: Int,
        _ descriptors: [Descriptor],
        from sender: Int32
    ) throws(TransportError) -> Frame? {
        let result = chunk.withUnsafeBytes { bytes -> Result<Frame?, TransportError> in
            do throws(TransportError) {
                let part = UnsafeRawBufferPointer(rebasing: bytes[..<count])
                return .success(
                    try parser.receive(part, descriptors: descriptors, from: sender)
                )
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
