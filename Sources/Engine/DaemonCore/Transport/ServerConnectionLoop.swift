internal import Glibc
internal import LibraryService
internal import PeerIdentity
internal import PhotoModel
internal import RemoteLibrary

/// The loop of a connection's thread after the handshake.
struct ServerConnectionLoop {
    /// The reason why a connection ended.
    enum End {
        /// The client closed the connection, or its process ended.
        case closed
        /// The client said goodbye and waits for no more answers.
        case left
        /// The daemon ends the connection.
        case farewell(Goodbye.Reason)
        case violation(TransportError)
        /// The client did not read for too long.
        case stalled
    }

    /// The maximum number of frames that the thread receives before it sends again.
    private static let turnLength = 64
    /// The number of messages after which the thread checks again whether the client's process has
    /// ended.
    private static let watchInterval = 64

    private let connection: ServerConnection
    private let dispatcher: CallDispatcher
    private let sender: ReplySender
    private let process: PeerProcess?
    private var reader: FrameReader
    private var assembler = MessageAssembler(side: .daemon)
    private var frameCount = 0

    init(
        _ connection: ServerConnection,
        _ dispatcher: CallDispatcher,
        _ sender: ReplySender,
        _ outcome: ServerHandshake.Outcome
    ) {
        self.connection = connection
        self.dispatcher = dispatcher
        self.sender = sender
        process = outcome.process
        reader = outcome.reader
    }

    /// Serves the client until the connection ends, and then sends the last answers if possible.
    ///
    /// - Parameter farewell: The time for which running calls and unsent answers are waited for.
    /// - Returns: The reason of the end.
    mutating func run(farewell: Duration) -> End {
        let end: End
        do throws(TransportError) {
            end = try serve()
        } catch {
            end = error.code == .closed ? .closed : .violation(error)
        }
        let deadline = SuspendingClock.now + farewell
        switch end {
        case .closed, .stalled: dispatcher.end(cancellingAt: .now)
        case .left: dispatcher.end(cancellingAt: deadline)
        case .violation(let error):
            dispatcher.end(cancellingAt: .now)
            finish(Goodbye(.violation, error.message), before: .now + .seconds(1))
        case .farewell(let reason):
            dispatcher.end(cancellingAt: deadline)
            finish(Goodbye(reason, "The library daemon ends."), before: deadline)
        }
        return end
    }

    private mutating func serve() throws(TransportError) -> End {
        while true {
            let start = dispatcher.startDelayedCalls()
            if let end = try wait(try sender.send(), until: start) { return end }
            if let reason = connection.farewell { return .farewell(reason) }
        }
    }

    // MARK: - Receiving

    /// Waits for the client, an event, a deadline or the start of a delayed call, and receives the
    /// frames that have arrived.
    private mutating func wait(
        _ wait: ReplySender.Wait,
        until start: SuspendingClock.Instant?
    ) throws(TransportError) -> End? {
        var entries = [
            pollfd(fd: connection.wakeup.number, events: Int16(POLLIN), revents: 0),
            pollfd(fd: connection.socket.number, events: 0, revents: 0),
        ]
        // A client that sends without reading the failures of its requests has to wait.
        if !wait.isFull { entries[1].events |= Int16(POLLIN) }
        if !wait.isFlushed { entries[1].events |= Int16(POLLOUT) }
        let time = Self.milliseconds(until: [wait.deadline, start].compactMap(\.self).min())
        guard poll(&entries, 2, time) >= 0 || errno == EINTR else {
            throw TransportError(.system, "poll failed.")
        }
        if entries[0].revents != 0 { connection.wakeup.reset() }
        if entries[1].revents & ~Int16(POLLOUT) != 0, let end = try receive() { return end }
        guard wait.deadline != nil, let deadline = try sender.send().deadline else { return nil }
        return deadline <= .now ? .stalled : nil
    }

    private static func milliseconds(until deadline: SuspendingClock.Instant?) -> Int32 {
        guard let deadline else { return -1 }
        let left = max(.zero, deadline - .now)
        return Int32(clamping: left.components.seconds * 1_000) + 1
            + Int32(left.components.attoseconds / 1_000_000_000_000_000)
    }

    private mutating func receive() throws(TransportError) -> End? {
        for _ in 0..<Self.turnLength {
            switch try reader.receiveAvailable() {
            case .pending: return nil
            case .ended: return .closed
            case .frame(let frame):
                guard let message = try assembler.receive(frame) else { continue }
                if let end = try handle(message) { return end }
            }
        }
        return nil
    }

    private mutating func handle(_ message: Frame) throws(TransportError) -> End? {
        frameCount += 1
        // A process that passed its socket on and ended is no longer the client.
        if frameCount.isMultiple(of: Self.watchInterval), process?.hasEnded == true {
            return .closed
        }
        switch message.kind {
        case .request: try dispatcher.receive(message)
        case .cancel: dispatcher.cancel(message.request)
        case .credit:
            try sender.acknowledge(try Credit(body: message.body))
        case .goodbye: return .left
        case .hello, .reply, .failure, .progress:
            throw TransportError(.malformed, "A \(message.kind) followed the handshake.")
        }
        return nil
    }

    // MARK: - The end

    /// Sends the remaining answers and a goodbye, unless a deadline passes or the client closes the
    /// connection first.
    private mutating func finish(_ goodbye: Goodbye, before deadline: SuspendingClock.Instant) {
        do throws(TransportError) {
            while true {
                let wait = try sender.send()
                if wait.isEmpty, wait.isFlushed { break }
                guard .now < deadline else { return }
                var entry = pollfd(fd: connection.socket.number, events: 0, revents: 0)
                entry.events = Int16(wait.isFlushed ? POLLIN : POLLIN | POLLOUT)
                _ = poll(&entry, 1, 100)
                if entry.revents & ~Int16(POLLOUT) != 0, try !receiveCredit() { return }
            }
            if let frame = try? Frame.goodbye(goodbye) {
                try sender.sendLast(frame, before: deadline)
            }
        } catch {
            // The client is gone.
        }
    }

    /// Receives acknowledgments, and ignores everything else.
    ///
    /// - Returns: False if the client closed the connection.
    private mutating func receiveCredit() throws(TransportError) -> Bool {
        while true {
            switch try reader.receiveAvailable() {
            case .pending: return true
            case .ended: return false
            case .frame(let frame) where frame.kind == .credit:
                try sender.acknowledge(Credit(body: frame.body))
            case .frame: break
            }
        }
    }
}
