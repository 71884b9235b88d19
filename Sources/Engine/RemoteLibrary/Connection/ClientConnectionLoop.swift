internal import CLinuxShim
internal import Glibc
internal import LibraryService
internal import PhotoModel

/// The event loop of a connection's thread, which sends pending frames, forwards subscriptions, and
/// receives when no caller does.
struct ClientConnectionLoop {
    /// The time without progress in sending after which a daemon is considered hung.
    ///
    /// A daemon that works always receives.
    private static let stallLimit = Duration.seconds(30)
    private let connection: ClientConnection
    private let relay: SubscriptionRelay
    private var isFlushed = true
    private var sentByteCount: UInt64 = 0
    private var lastSent = SuspendingClock.now

    init(_ connection: ClientConnection, _ relay: SubscriptionRelay) {
        self.connection = connection
        self.relay = relay
    }

    /// Runs until the connection ends.
    ///
    /// - Returns: The reason.
    mutating func run() -> ConnectionFailure {
        do throws(ConnectionFailure) {
            while true {
                try receive()
                if try !send(), connection.isLeaving { return .closed }
            }
        } catch {
            return error
        }
    }

    /// Receives once if calls are in progress and no caller receives; otherwise waits for other
    /// events.
    private func receive() throws(ConnectionFailure) {
        let receiver = connection.receiver
        if connection.hasCalls {
            let isReceiver = try receiver.receive(for: connection) { () throws(TransportError) in
                try wait(for: Int16(POLLIN))
            }
            if isReceiver { return }
        }
        do throws(TransportError) {
            // The end of the connection is seen without taking a reply from a caller.
            guard try wait(for: cphotos_closed_event()) else { return }
        } catch {
            throw .lost(error)
        }
        if let end = receiver.receiveRest(for: connection) { throw end }
    }

    /// Waits for events of the socket and the subscriptions, or for a wakeup.
    ///
    /// - Parameter events: The events of the socket, beside room for what is enqueued.
    /// - Returns: Whether the socket has one of them, or has ended.
    /// - Throws: The error of poll(2).
    private func wait(for events: Int16) throws(TransportError) -> Bool {
        let routes = relay.routes
        var entries = [
            pollfd(fd: connection.wakeupNumber, events: Int16(POLLIN), revents: 0),
            pollfd(fd: connection.socketNumber, events: events, revents: 0),
        ]
        if !isFlushed { entries[1].events |= Int16(POLLOUT) }
        for route in routes { entries += route.pollEntries }
        let count = poll(&entries, nfds_t(entries.count), isFlushed ? -1 : 1_000)
        guard count >= 0 || errno == EINTR else { throw .system(.last("poll")) }
        guard count > 0 else { return false }
        if entries[0].revents != 0 { connection.resetWakeup() }
        for (index, route) in routes.enumerated() {
            relay.forward(route, Array(entries[(2 + 2 * index)...].prefix(2)))
        }
        return entries[1].revents & ~Int16(POLLOUT) != 0
    }

    /// Sends as much as the socket accepts now; fails if the daemon seems to hang.
    ///
    /// - Returns: True if something is left.
    private mutating func send() throws(ConnectionFailure) -> Bool {
        let now = SuspendingClock.now
        let (byteCount, isFlushed): (UInt64, Bool)
        do throws(TransportError) {
            (byteCount, isFlushed) = try connection.send()
        } catch {
            throw .lost(error)
        }
        if self.isFlushed || byteCount != sentByteCount { lastSent = now }
        sentByteCount = byteCount
        self.isFlushed = isFlushed
        guard isFlushed || now - lastSent < Self.stallLimit else {
            throw .lost(.timedOut)
        }
        return !isFlushed
    }
}
