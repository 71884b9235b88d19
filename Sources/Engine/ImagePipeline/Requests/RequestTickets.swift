internal import Synchronization

/// The tickets of requests that are under way, and of those that were cancelled lately.
///
/// A client cancels on one thread what it asks for on another one, so a cancellation may arrive before
/// the request that it is about. A cancelled ticket therefore stays known for a while, and cancels a
/// request that comes with it. Thread-safe.
final class RequestTickets: Sendable {
    /// How many cancelled tickets are remembered; the request to one of them is at most a few others
    /// behind.
    static let memory = 1_024

    private struct State {
        var running: [String: [RequestCancellation]] = [:]
        var cancelled: Set<String> = []
        /// The cancelled tickets in a ring, the oldest at `next` once it is full.
        var ring: [String] = []
        var next = 0

        mutating func remember(_ ticket: String) {
            guard cancelled.insert(ticket).inserted else { return }
            guard ring.count == RequestTickets.memory else {
                ring.append(ticket)
                return
            }
            cancelled.remove(ring[next])
            ring[next] = ticket
            next = (next + 1) % ring.count
        }
    }

    private let state = Mutex(State())

    /// Makes a ticket cancel a request; cancels it at once when the ticket was cancelled before.
    func register(_ cancellation: RequestCancellation, for ticket: String) {
        let isCancelled = state.withLock { state in
            state.running[ticket, default: []].append(cancellation)
            return state.cancelled.contains(ticket)
        }
        if isCancelled { cancellation.cancel() }
    }

    /// Removes a request that has ended.
    func forget(_ cancellation: RequestCancellation, of ticket: String) {
        state.withLock { state in
            state.running[ticket]?.removeAll { $0 === cancellation }
            if state.running[ticket]?.isEmpty == true { state.running[ticket] = nil }
        }
    }

    /// Cancels the requests with a ticket: those under way and those still to come.
    func cancel(_ ticket: String) {
        let running = state.withLock { state in
            state.remember(ticket)
            return state.running[ticket] ?? []
        }
        for cancellation in running { cancellation.cancel() }
    }
}
