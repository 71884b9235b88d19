internal import BinaryCoding
internal import Glibc
internal import LibraryService
internal import PhotoModel
internal import Synchronization

/// A connection to a daemon, from the end of its handshake until it is closed.
///
///     open ──leave──▶ leaving ──goodbye sent──▶ ended
///       └────────error, goodbye, end of file──────┘
///
/// 1. Each call that was registered ends once: with its reply, its failure, or the connection's
///    end.
/// 2. Callers never wait until they can send. They enqueue a frame and send what there is room for;
///    the connection's thread sends the rest. So replies are always received and acknowledged.
/// 3. Only the process that opened the connection uses it.
final class ClientConnection: Sendable {
    private struct State {
        var calls: [UInt64: PendingCall] = [:]
        var lastNumber: UInt64 = 0
        var isLeaving = false
        var end: ConnectionFailure?
    }

    private static let lastNumber = Atomic<UInt64>(0)

    /// The number of the connection, which is unique in this process.
    let number = lastNumber.add(1, ordering: .relaxed).newValue
    let welcome: SessionWelcome
    let coder: any WireCoder
    let peer: String
    let receiver: MessageReceiver
    private let socket: Descriptor
    private let writer: FrameWriter
    private let wakeup: Wakeup
    private let state = Mutex(State())

    /// Opens a connection, and starts its thread.
    ///
    /// - Parameters:
    ///   - configuration: The daemon and the library.
    ///   - relay: The subscriptions of the client.
    ///   - didEnd: Runs on the connection's thread after its end.
    /// - Returns: The connection.
    /// - Throws: The reason why there is no connection.
    static func open(
        _ configuration: RemoteConfiguration,
        relay: SubscriptionRelay,
        didEnd: @escaping @Sendable (ClientConnection) -> Void
    ) throws(ConnectionFailure) -> ClientConnection {
        let outcome = try ClientHandshake(configuration).connect()
        guard let wakeup = Wakeup() else { throw .unreachable(.last("eventfd")) }
        let connection = ClientConnection(outcome, wakeup)
        let isStarted = NamedThread.start("photos-remote") {
            var loop = ClientConnectionLoop(connection, relay)
            connection.end(loop.run())
            didEnd(connection)
        }
        guard isStarted else {
            throw .unreachable(SystemError(call: "pthread_create", number: EAGAIN))
        }
        return connection
    }

    private init(_ outcome: ClientHandshake.Outcome, _ wakeup: Wakeup) {
        welcome = outcome.welcome
        coder = outcome.coder
        peer = outcome.peer
        socket = outcome.socket
        writer = FrameWriter(socket: outcome.socket.number)
        receiver = MessageReceiver(outcome.reader, socket: outcome.socket.number)
        self.wakeup = wakeup
    }

    /// Indicates whether the connection no longer accepts calls.
    var hasEnded: Bool { state.withLock { $0.end != nil || $0.isLeaving } }

    // MARK: - Calls

    /// Sends a request and waits until the call ends.
    func perform(_ message: EncodedMessage, in context: CallContext?) -> CallOutcome {
        let pending = PendingCall()
        let registration = state.withLock { state -> Result<UInt64, ConnectionFailure> in
            if let end = state.end { return .failure(end) }
            if state.isLeaving { return .failure(.closed) }
            state.lastNumber += 1
            state.calls[state.lastNumber] = pending
            return .success(state.lastNumber)
        }
        switch registration {
        case .failure(let end): return .lost(end, wasSent: false)
        case .success(let number):
            let work = { self.perform(message, number, pending, context?.progress) }
            guard let cancellation = context?.cancellation else { return work() }
            return cancellation.withHandler({ self.cancel(number) }, while: work)
        }
    }

    private func perform(
        _ message: EncodedMessage,
        _ number: UInt64,
        _ pending: PendingCall,
        _ progress: (@Sendable (CallProgress) -> Void)?
    ) -> CallOutcome {
        do throws(TransportError) {
            guard message.body.count <= FrameLimits.maximumRequestLength else {
                throw .limit("It has \(message.body.count) bytes.")
            }
            let frames = Frame.frames(
                requesting: number,
                body: message.body,
                descriptors: message.descriptors
            )
            for frame in frames { try writer.enqueue(frame) }
        } catch {
            // The request itself exceeds a limit; the connection is intact.
            state.withLock { state in state.calls[number] = nil }
            return .failure(
                LibraryError(
                    .invalidRequest,
                    "The request is too large for the library daemon.",
                    reason: error.message,
                    recovery: "Divide it into several requests."
                )
            )
        }
        flush()
        return wait(for: pending, progress)
    }

    /// Waits until a call ends, and meanwhile receives the connection's messages if no other thread
    /// does.
    ///
    /// A thread that reports progress does not receive messages.
    private func wait(
        for pending: PendingCall,
        _ progress: (@Sendable (CallProgress) -> Void)?
    ) -> CallOutcome {
        // Progress is reported by this thread, whose closure may make calls and take its time.
        if progress != nil {
            wakeup.signal()
        } else {
            switch receiver.receive(for: self, until: { pending.hasEnded }) {
            case .over: if hasCalls { wakeup.signal() }
            case .busy: break
            case .ended: wakeup.signal()
            }
        }
        return pending.wait(progress: progress)
    }

    /// Asks the daemon to cancel a call.
    ///
    /// The request of the call may not have arrived at the daemon yet.
    private func cancel(_ number: UInt64) {
        let isPending = state.withLock { $0.calls[number] != nil }
        guard isPending else { return }
        try? writer.enqueue(Frame(.cancel, request: number))
        flush()
    }

    /// Sends as much as the socket accepts now; the connection's thread sends the rest and detects
    /// errors.
    private func flush() {
        if (try? writer.flush()) != true { wakeup.signal() }
    }

    /// Ends the connection after all enqueued frames were sent.
    func leave() {
        let isFirst = state.withLock { state in
            defer { state.isLeaving = true }
            return !state.isLeaving && state.end == nil
        }
        guard isFirst else { return }
        if let frame = try? Frame.goodbye(Goodbye(.shutdown, "The program closed the library.")) {
            try? writer.enqueue(frame)
        }
        wakeup.signal()
    }

    // MARK: - For the receiving thread

    /// Sends the daemon an acknowledgment of received reply bytes.
    func acknowledge(_ credit: Credit) throws(TransportError) {
        try writer.enqueue(Frame(.credit, body: credit.body))
        flush()
    }

    // MARK: - For the connection's thread

    /// The socket's file descriptor, which the connection's thread polls together with
    /// `wakeupNumber`.
    var socketNumber: Int32 { socket.number }
    var wakeupNumber: Int32 { wakeup.number }

    /// Wakes the connection's thread, which then polls its descriptors again.
    func wake() { wakeup.signal() }

    func resetWakeup() { wakeup.reset() }

    /// Indicates whether any calls are waiting for their replies.
    var hasCalls: Bool { state.withLock { !$0.calls.isEmpty } }

    /// Sends as much as the socket accepts now.
    ///
    /// - Returns: The number of all sent bytes, and whether nothing is left.
    func send() throws(TransportError) -> (byteCount: UInt64, isFlushed: Bool) {
        let isFlushed = try writer.flush()
        return (writer.sentByteCount, isFlushed)
    }

    /// Indicates whether the connection ends once the enqueued frames are sent.
    var isLeaving: Bool { state.withLock(\.isLeaving) }

    /// Passes a received message to its call.
    func deliver(_ message: Frame) throws(TransportError) {
        switch message.kind {
        case .reply:
            let body = EncodedMessage(body: message.body, descriptors: message.descriptors)
            try take(message.request).finish(.reply(body))
        case .failure:
            try take(message.request).finish(.failure(error(message)))
        case .progress:
            let call = state.withLock { $0.calls[message.request] }
            guard let call else { throw .malformed("The progress of no call was reported.") }
            guard let progress = try? coder.decode(CallProgress.self, from: message.body) else {
                throw .malformed("The progress of a call could not be decoded.")
            }
            call.report(progress)
        case .hello, .request, .cancel, .credit, .goodbye:
            throw .malformed("A frame of the kind \(message.kind) arrived after the handshake.")
        }
    }

    private func take(_ number: UInt64) throws(TransportError) -> PendingCall {
        let call = state.withLock { $0.calls.removeValue(forKey: number) }
        guard let call else { throw .malformed("No call has the number \(number).") }
        return call
    }

    private func error(_ message: Frame) -> LibraryError {
        do {
            return try coder.decode(FailureBody.self, from: message.body).error
        } catch {
            return LibraryError(
                .internalError,
                "An error of the library daemon could not be read.",
                reason: CodingFailure.reason(error)
            )
        }
    }

    /// Ends the connection and all its calls.
    func end(_ failure: ConnectionFailure) {
        let calls = state.withLock { state in
            state.end = failure
            defer { state.calls = [:] }
            return state.calls.values.map(\.self)
        }
        // Reaches the daemon although a forked process may have a copy of the socket.
        shutdown(socket.number, Int32(SHUT_RDWR))
        for call in calls { call.finish(.lost(failure, wasSent: true)) }
    }
}
