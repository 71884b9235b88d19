internal import Glibc
internal import LibraryService
internal import PhotoModel
internal import Synchronization

/// Receives the messages of a client's connection, on one thread at a time.
///
/// A caller that waits for its reply receives it itself, which saves two changes of threads. The
/// connection's thread receives for all other callers, and after the daemon closed the connection.
///
/// A thread that stops receiving checks afterward whether calls are in progress, and wakes the
/// connection's thread if so: a caller may have found the receiver in use just before.
final class MessageReceiver: Sendable {
    /// The result of an attempt to receive messages on a caller's thread.
    enum CallerResult: Sendable {
        /// The call has ended.
        case over
        /// Another thread is receiving.
        case busy
        /// The connection has ended, and the caller must wake the connection's thread.
        case ended
    }

    private struct State {
        var reader: FrameReader
        var assembler = MessageAssembler(side: .client)
        var receipts = CreditReceipts()
        /// The reason why the connection ended; nil while messages can be received.
        var end: ConnectionFailure?
    }

    /// The maximum number of frames that the connection's thread receives before it sends again.
    private static let turnLength = 64

    private let socket: Int32
    private let state: Mutex<State>

    /// Creates a receiver for a socket.
    ///
    /// - Parameters:
    ///   - reader: The reader of the socket after the handshake.
    ///   - socket: The socket.
    init(_ reader: FrameReader, socket: Int32) {
        self.socket = socket
        state = Mutex(State(reader: reader))
    }

    /// Receives messages on a caller's thread until its call ends, unless another thread is
    /// receiving.
    ///
    /// - Parameters:
    ///   - connection: The connection, which passes messages to their callers.
    ///   - isOver: Returns whether the call has ended.
    /// - Returns: The reason why the caller no longer receives.
    func receive(for connection: ClientConnection, until isOver: () -> Bool) -> CallerResult {
        let result = state.withLockIfAvailable { state -> CallerResult in
            while !isOver() {
                if state.end != nil { return .ended }
                guard !Self.receiveFrame(&state, for: connection), state.end == nil else {
                    continue
                }
                var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
                poll(&entry, 1, -1)
            }
            return .over
        }
        return result ?? .busy
    }

    /// Receives messages on the connection's thread, unless a caller is receiving.
    ///
    /// - Parameters:
    ///   - connection: The connection, which passes messages to their callers.
    ///   - wait: Waits for the socket and the thread's other events. Returns whether the socket has
    ///     some.
    /// - Returns: False if a caller receives; `wait` was not called then.
    /// - Throws: The end of the connection, also one that a caller found.
    func receive(
        for connection: ClientConnection,
        after wait: () throws(TransportError) -> Bool
    ) throws(ConnectionFailure) -> Bool {
        let result = state.withLockIfAvailable { state -> ConnectionFailure? in
            if let end = state.end { return end }
            do throws(TransportError) {
                guard try wait() else { return nil }
            } catch {
                return .lost(error)
            }
            for _ in 0..<Self.turnLength where !Self.receiveFrame(&state, for: connection) { break }
            return state.end
        }
        guard let end = result else { return false }
        if let end { throw end }
        return true
    }

    /// Receives all remaining messages that the daemon sent before it closed the connection.
    ///
    /// - Returns: The end of the connection; nil if it has not ended.
    func receiveRest(for connection: ClientConnection) -> ConnectionFailure? {
        // A caller that receives finds the end itself, and leaves.
        state.withLock { state in
            while state.end == nil, Self.receiveFrame(&state, for: connection) {}
            return state.end
        }
    }

    /// Receives the next frame if it has fully arrived, and delivers the message if the frame
    /// completes it.
    ///
    /// - Returns: False if it has not, or if the connection ended.
    private static func receiveFrame(_ state: inout State, for connection: ClientConnection) -> Bool
    {
        do throws(TransportError) {
            switch try state.reader.receiveAvailable() {
            case .pending: return false
            case .ended: throw .closed
            case .frame(let frame):
                if let credit = state.receipts.receive(frame.header) {
                    try connection.acknowledge(credit)
                }
                guard let message = try state.assembler.receive(frame) else { return true }
                guard message.kind == .goodbye else {
                    try connection.deliver(message)
                    return true
                }
                state.end = .ended(try message.handshake(Goodbye.self))
            }
        } catch {
            state.end = .lost(error)
        }
        return false
    }
}
