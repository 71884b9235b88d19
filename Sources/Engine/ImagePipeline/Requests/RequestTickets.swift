internal import Synchronization

/// The tickets of running requests and of recently cancelled ones.
///
/// A client can cancel a request on another thread than the one that sent it, so a cancellation may
/// arrive before its request. A cancelled ticket is therefore remembered for a while and cancels
/// the request that arrives with it. Thread-safe.
final class RequestTickets: Sendable {
    /// The number of cancelled tickets to remember; a late request is only a few requests behind
    /// its cancellation.
    static let memory = 1_024

    private struct State {
        var running: [String: [RequestCancellation]] = [:]
        var cancelled: Set<String> = []
        /// The cancelled tickets in a ring buffer, the oldest at `next` once it is full.
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

    /// Registers a request's cancellation for a ticket, and cancels it immediately if the ticket
    /// was already cancelled.
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

    /// Cancels the requests with a ticket, including those that arrive later.
    func cancel(_ ticket: String) {
        let running = state.withLock { state in
            state.remember(ticket)
            return state.running[ticket] ?? []
        }
        for cancellation in running { cancellation.cancel() }
    }

    /// Cancels all requests in progress.
    func cancelAll() {
        let running = state.withLock { $0.running.values.flatMap { $0 } }
        for cancellation in running { cancellation.cancel() }
    }
}
