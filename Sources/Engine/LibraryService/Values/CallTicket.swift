internal import Synchronization

/// The identity of a call, by which its client can cancel it.
///
/// The client creates the ticket before it makes the call, so a cancellation needs no reply and may
/// arrive before the call, during it or after it. Tickets of different clients are independent.
package struct CallTicket: Codable, Hashable, Sendable {
    private static let numbers = Atomic<UInt64>(0)

    /// The number of the ticket, unique among the calls of one client.
    package let number: UInt64

    /// Creates a ticket that no other call of this process has.
    package init() { number = Self.numbers.add(1, ordering: .relaxed).newValue }

    /// Creates the ticket with a number.
    package init(number: UInt64) { self.number = number }
}

/// A request of a call that can be canceled.
package protocol CancellableRequest: Sendable {
    /// The ticket of the call; nil for a call that only the end of the session cancels.
    ///
    /// Calls may share a ticket, and are then canceled together.
    var ticket: CallTicket? { get set }
}

/// A request to cancel calls with `cancelled`: those in progress, and those that arrive later.
package struct CancelRequest: Codable, Hashable, Sendable {
    /// The tickets of the calls; those of calls that have ended are ignored.
    package var tickets: [CallTicket]
    package init(tickets: [CallTicket]) { self.tickets = tickets }
}
