internal import Synchronization

/// The identity of a call, by which the client can cancel the call.
///
/// The client creates the ticket before it makes the call, so a cancellation needs no reply and may
/// arrive before the call, during it or after it. Tickets of different clients are independent.
package struct CallTicket: Codable, Hashable, Sendable {
    private static let numbers = Atomic<UInt64>(0)

    /// The number of the ticket, unique among the calls of one client.
    package let number: UInt64

    /// Creates a ticket that is unique in this process.
    package init() { number = Self.numbers.add(1, ordering: .relaxed).newValue }

    /// Creates a ticket with the given number.
    package init(number: UInt64) { self.number = number }
}

/// A request for a call that can be canceled.
package protocol CancellableRequest: Sendable {
    /// The ticket of the call; nil if only the end of the session can cancel the call.
    ///
    /// Calls may share a ticket, and are then canceled together.
    var ticket: CallTicket? { get set }
}

/// A request to cancel the calls with the given tickets, including calls that have not arrived yet;
/// canceled calls fail with `cancelled`.
package struct CancelRequest: Codable, Hashable, Sendable {
    /// The tickets of the calls to cancel; tickets of ended calls are ignored.
    package var tickets: [CallTicket]
    package init(tickets: [CallTicket]) { self.tickets = tickets }
}
