internal import Glibc
internal import LibraryService
internal import PhotoModel

/// The work of a connection's thread: receives messages and sends what callers enqueued.
struct ClientConnectionLoop {
    /// The time without room in the socket after which a daemon is regarded as hung, since it
    /// always receives.
    private static let stallLimit = Duration.seconds(30)
    /// The number of frames after which the thread sends again.
    private static let turnLength = 64

    private let connection: ClientConnection
    private let relay: SubscriptionRelay
    private var reader: FrameReader
    private var assembler = MessageAssembler(side: .client)
    private var receipts = CreditReceipts()
    private var isFlushed = true
    private var sentByteCount: UInt64 = 0
    private var lastSent = SuspendingClock.now

    init(_ connection: ClientConnection, _ reader: FrameReader, _ relay: SubscriptionRelay) {
        self.connection = connection
        self.reader = reader
        self.relay = relay
    }

    /// Runs until the connection ends.
    ///
    /// - Returns: The reason.
    mutating func run() -> ConnectionFailure {
        do throws(TransportError) {
            while true {
                if let goodbye = try wait() { return .ended(goodbye) }
                if try !send(), connection.isLeaving { return .closed }
            }
        } catch {
            return .lost(error)
        }
    }

    /// Waits for a descriptor and receives.
    ///
    /// - Returns: The daemon's goodbye, if it arrived.
    private mutating func wait() throws(TransportError) -> Goodbye? {
        let routes = relay.routes
        var entries = [
            pollfd(fd: connection.wakeupNumber, events: Int16(POLLIN), revents: 0),
            pollfd(fd: connection.socketNumber, events: Int16(POLLIN), revents: 0),
        ]
        if !isFlushed { entries[1].events |= Int16(POLLOUT) }
        for route in routes { entries += route.pollEntries }
        let count = poll(&entries, nfds_t(entries.count), isFlushed ? -1 : 1_000)
        guard count >= 0 || errno == EINTR else { throw .system(.last("poll")) }
        guard count > 0 else { return nil }
        if entries[0].revents != 0 { connection.resetWakeup() }
        for (index, route) in routes.enumerated() {
            relay.forward(route, Array(entries[(2 + 2 * index)...].prefix(2)))
        }
        return entries[1].revents & ~Int16(POLLOUT) != 0 ? try receive() : nil
    }

    private mutating func receive() throws(TransportError) -> Goodbye? {
        for _ in 0..<Self.turnLength {
            switch try reader.receiveAvailable() {
            case .pending: return nil
            case .ended: throw .closed
            case .frame(let frame):
                if let credit = receipts.receive(frame.header) {
                    try connection.enqueue(Frame(.credit, body: credit.body))
                }
                guard let message = try assembler.receive(frame) else { continue }
                guard message.kind == .goodbye else {
                    try connection.deliver(message)
                    continue
                }
                return try message.handshake(Goodbye.self)
            }
        }
        return nil
    }

    /// Sends what there is room for.
    ///
    /// - Returns: True if something is left.
    private mutating func send() throws(TransportError) -> Bool {
        let now = SuspendingClock.now
        let (byteCount, isFlushed) = try connection.send()
        if self.isFlushed || byteCount != sentByteCount { lastSent = now }
        sentByteCount = byteCount
        self.isFlushed = isFlushed
        guard isFlushed || now - lastSent < Self.stallLimit else { throw .timedOut }
        return !isFlushed
    }
}
