/// The number of reply bytes that a daemon has sent and its client has not acknowledged.
///
/// Above the limit, the daemon sends no reply frames and starts no requests. So a client that does
/// not read cannot make the daemon retain an unlimited number of replies.
package struct CreditWindow: Sendable {
    package static let limit = 8 << 20
    /// The maximum time that the window may stay closed without an acknowledgment before the
    /// connection is closed.
    package static let patience = Duration.seconds(30)

    /// The number of bytes that have not been acknowledged.
    package private(set) var unacknowledged = 0
    /// The time since which the window has been closed without an acknowledgment; nil while it is
    /// open.
    private var blockedSince: SuspendingClock.Instant?

    package init() {}

    /// Indicates whether reply frames may be sent and requests started.
    package var isOpen: Bool { unacknowledged <= Self.limit }

    /// Adds the bytes of a reply frame that was sent.
    package mutating func send(_ frame: FrameHeader, at now: SuspendingClock.Instant) {
        guard frame.kind == .reply else { return }
        unacknowledged += FrameHeader.length + frame.bodyLength
        if !isOpen, blockedSince == nil { blockedSince = now }
    }

    /// Subtracts the bytes that the client acknowledged.
    ///
    /// - Throws: An error that ends the connection if nothing is acknowledged, or more than was
    ///   sent.
    package mutating func acknowledge(
        _ credit: Credit,
        at now: SuspendingClock.Instant
    ) throws(TransportError) {
        guard credit.count > 0, credit.count <= UInt64(unacknowledged) else {
            throw .malformed("No reply bytes, or more than were sent, were acknowledged.")
        }
        unacknowledged -= Int(credit.count)
        blockedSince = isOpen ? nil : now
    }

    /// The time at which the connection is closed if no acknowledgment arrives; nil while the
    /// window is open.
    package var deadline: SuspendingClock.Instant? { blockedSince.map { $0 + Self.patience } }
}

/// The number of reply bytes that a client has received and not yet acknowledged.
package struct CreditReceipts: Sendable {
    /// The number of received bytes after which the client sends an acknowledgment.
    ///
    /// It is a fraction of the window, so that the daemon can continue to send.
    package static let step = CreditWindow.limit / 8

    private var pending = 0

    package init() {}

    /// Adds the bytes of a received reply frame.
    ///
    /// - Returns: The acknowledgment to send; nil for none yet.
    package mutating func receive(_ frame: FrameHeader) -> Credit? {
        guard frame.kind == .reply else { return nil }
        pending += FrameHeader.length + frame.bodyLength
        guard pending >= Self.step else { return nil }
        defer { pending = 0 }
        return Credit(count: UInt64(pending))
    }
}

/// The body of a `credit` frame.
package struct Credit: Hashable, Sendable {
    /// The number of acknowledged reply bytes, including frame headers.
    package var count: UInt64

    package init(count: UInt64) { self.count = count }

    /// Parses the body of a `credit` frame.
    package init(body: [UInt8]) throws(TransportError) {
        guard body.count == 8 else { throw .malformed("A credit has \(body.count) bytes.") }
        count = body.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    package var body: [UInt8] { withUnsafeBytes(of: count.littleEndian) { Array($0) } }
}
