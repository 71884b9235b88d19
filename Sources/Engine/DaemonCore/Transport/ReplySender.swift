internal import BinaryCoding
internal import LibraryService
internal import RemoteLibrary
internal import Synchronization

/// The sending side of a connection: its unsent frames, its socket and the client's credit.
///
/// 1. The thread that ends a call hands the answer to the socket itself, which saves waking the
///    connection's thread. That thread sends what there was no room or no credit for.
/// 2. No thread waits for the socket.
/// 3. The dispatcher receives changes of credit in their order.
///
/// Any thread may use it. It calls the dispatcher under its lock, so the dispatcher must not report
/// under its own.
final class ReplySender: Sendable {
    /// The state of the sender, which determines the events that the connection's thread waits for.
    struct Wait: Sendable {
        /// Indicates whether all bytes that were handed to the socket have been sent.
        var isFlushed: Bool
        /// Indicates whether the connection must stop receiving from the client because too many
        /// failure frames are unsent.
        ///
        /// Receiving continues after the client has read some of the failures.
        var isFull: Bool
        /// Indicates whether nothing is left to send.
        var isEmpty: Bool
        /// The time at which the connection ends unless the client reads.
        var deadline: SuspendingClock.Instant?
    }

    private struct State {
        var frames = OutgoingFrames()
        var isFlushed = true
        var sentByteCount: UInt64 = 0
        var lastSent = SuspendingClock.now
        var failure: TransportError?
        /// Indicates whether the connection's thread was woken and has not yet called `send()`.
        var isAwaited = false
        var isClosed = false
    }

    /// The maximum number of frames that are handed to the socket as one batch.
    private static let batchLength = 16

    private let writer: FrameWriter
    private let coder: any WireCoder
    private let wakeup: Wakeup
    private let dispatcher: CallDispatcher
    private let stall: Duration
    private let state = Mutex(State())

    /// Creates the sending side of a connection after its handshake.
    ///
    /// - Parameters:
    ///   - writer: The writer of the socket.
    ///   - coder: The coder of the connection.
    ///   - wakeup: Wakes the connection's thread.
    ///   - dispatcher: The calls of the connection.
    ///   - stall: The time without progress after which a client is regarded as hung.
    init(
        _ writer: FrameWriter,
        coder: any WireCoder,
        wakeup: Wakeup,
        dispatcher: CallDispatcher,
        stall: Duration
    ) {
        self.writer = writer
        self.coder = coder
        self.wakeup = wakeup
        self.dispatcher = dispatcher
        self.stall = stall
    }

    // MARK: - For all threads

    /// Queues the outcome or the progress of a call; after an outcome, sends as many queued frames
    /// as the socket and the client's credit allow.
    ///
    /// The connection's thread sends what is left.
    func report(_ event: CallDispatcher.Event) {
        let body: [UInt8] =
            switch event {
            case .reply: []
            case .failure(_, let error): self.body(FailureBody(error))
            case .progress(_, let progress): self.body(progress)
            }
        let mustWake = state.withLock { state -> Bool in
            if state.isClosed { return false }
            switch event {
            case .reply(let number, let message):
                state.frames.reply(to: number, message)
                send(&state)
            case .failure(let number, _):
                state.frames.add(Frame(.failure, request: number, body: body))
                send(&state)
            case .progress(let number, _):
                state.frames.report(Frame(.progress, request: number, body: body))
            }
            if state.isAwaited || !needsThread(state) { return false }
            state.isAwaited = true
            return true
        }
        if mustWake { wakeup.signal() }
    }

    /// Drops all later reports, since the socket is being closed.
    func close() { state.withLock { $0.isClosed = true } }

    // MARK: - For the connection's thread

    /// Sends as many queued frames as the socket and the client's credit allow.
    ///
    /// - Returns: What the thread then waits for.
    /// - Throws: The error of the socket, also one that another thread found.
    func send() throws(TransportError) -> Wait {
        let result = state.withLock { state -> Result<Wait, TransportError> in
            state.isAwaited = false
            send(&state)
            if let failure = state.failure { return .failure(failure) }
            let times = [
                state.frames.credit.deadline.map { $0 - CreditWindow.patience + stall },
                state.isFlushed ? nil : state.lastSent + stall,
            ]
            return .success(
                Wait(
                    isFlushed: state.isFlushed,
                    isFull: state.frames.isFull,
                    isEmpty: state.frames.isEmpty,
                    deadline: times.compactMap(\.self).min()
                )
            )
        }
        return try result.get()
    }

    /// Processes a client's acknowledgment, after which waiting calls may start.
    func acknowledge(_ credit: Credit) throws(TransportError) {
        let result = state.withLock { state -> Result<Void, TransportError> in
            do throws(TransportError) {
                try state.frames.acknowledge(credit, at: .now)
            } catch {
                return .failure(error)
            }
            dispatcher.setCredit(state.frames.credit.isOpen)
            return .success(())
        }
        try result.get()
        // Calls may end at once, and report that.
        dispatcher.startWaitingCalls()
    }

    /// Sends the last frame of the connection, and waits until it is sent.
    func sendLast(_ frame: Frame, before deadline: SuspendingClock.Instant) throws(TransportError) {
        try writer.send(frame, before: deadline)
    }

    // MARK: - Sending

    private func body(_ value: some Encodable) -> [UInt8] { (try? coder.encode(value)) ?? [] }

    /// Indicates whether the connection's thread is needed: to send, to watch a deadline or to end.
    private func needsThread(_ state: State) -> Bool {
        !state.isFlushed || !state.frames.isEmpty || !state.frames.credit.isOpen
            || state.failure != nil
    }

    /// Hands the socket as many frames as its buffer and the client's credit allow.
    private func send(_ state: inout State) {
        guard state.failure == nil else { return }
        let hadCredit = state.frames.credit.isOpen
        do throws(TransportError) {
            while try sendBatch(&state) {}
        } catch {
            state.failure = error
        }
        if hadCredit, !state.frames.credit.isOpen { dispatcher.setCredit(false) }
    }

    /// Hands the next frames to the socket, at most `batchLength` of them.
    ///
    /// - Returns: True if there may be room for more.
    private func sendBatch(_ state: inout State) throws(TransportError) -> Bool {
        var count = 0
        while state.isFlushed, count < Self.batchLength, let next = state.frames.next(at: .now) {
            // The client may make its next call as soon as it has the answer.
            if let ended = next.ended { dispatcher.didSend(ended) }
            try writer.enqueue(next.frame)
            count += 1
        }
        let wasFlushed = state.isFlushed
        state.isFlushed = try writer.flush()
        let byteCount = writer.sentByteCount
        if wasFlushed || byteCount != state.sentByteCount { state.lastSent = .now }
        state.sentByteCount = byteCount
        // Room that a flush made may be enough for frames that waited for it.
        return state.isFlushed && !(wasFlushed && count == 0)
    }
}
