internal import ImagePipeline
internal import LibraryService
internal import Synchronization

/// The calls of a session that are in progress, and the tickets that were canceled recently.
///
/// A client can cancel a call on another thread than the one that makes it, so a cancellation may
/// arrive before its call. A canceled ticket is therefore retained for a while and cancels the call
/// that arrives with it. Thread-safe.
final class CallRegistry: Sendable {
    /// The number of canceled tickets to retain.
    ///
    /// A call that arrives after its own cancellation is at most a few calls late, so this number
    /// suffices.
    private static let memory = 1_024

    private struct State {
        var running: [CallTicket: [RequestCancellation]] = [:]
        var untitled: [ObjectIdentifier: RequestCancellation] = [:]
        var cancelled: Set<CallTicket> = []
        /// The canceled tickets in a ring buffer; once the buffer is full, the oldest is at `next`.
        var ring: [CallTicket] = []
        var next = 0
        var isOver = false

        mutating func retain(_ ticket: CallTicket) {
            guard cancelled.insert(ticket).inserted else { return }
            guard ring.count == CallRegistry.memory else {
                ring.append(ticket)
                return
            }
            cancelled.remove(ring[next])
            ring[next] = ticket
            next = (next + 1) % ring.count
        }
    }

    private let state = Mutex(State())

    /// Runs a call that can be canceled by its ticket or by the end of the session.
    func run<Result>(
        _ ticket: CallTicket?,
        _ body: (RequestCancellation) throws -> Result
    ) rethrows -> Result {
        let cancellation = RequestCancellation()
        begin(cancellation, ticket)
        defer { end(cancellation, ticket) }
        return try body(cancellation)
    }

    private func begin(_ cancellation: RequestCancellation, _ ticket: CallTicket?) {
        let isLate = state.withLock { state in
            guard let ticket else {
                state.untitled[ObjectIdentifier(cancellation)] = cancellation
                return state.isOver
            }
            state.running[ticket, default: []].append(cancellation)
            return state.isOver || state.cancelled.contains(ticket)
        }
        if isLate { cancellation.cancel() }
    }

    private func end(_ cancellation: RequestCancellation, _ ticket: CallTicket?) {
        state.withLock { state in
            guard let ticket else {
                state.untitled[ObjectIdentifier(cancellation)] = nil
                return
            }
            state.running[ticket]?.removeAll { $0 === cancellation }
            if state.running[ticket]?.isEmpty == true { state.running[ticket] = nil }
        }
    }

    /// Cancels the calls with these tickets, including those that arrive later.
    func cancel(_ tickets: [CallTicket]) {
        let running = state.withLock { state in
            // More tickets than are retained push each other out.
            for ticket in tickets.suffix(Self.memory) { state.retain(ticket) }
            return tickets.flatMap { state.running[$0] ?? [] }
        }
        for cancellation in running { cancellation.cancel() }
    }

    /// Cancels all calls in progress, and all that arrive later.
    func cancelAll() {
        let running = state.withLock { state in
            state.isOver = true
            return state.running.values.flatMap(\.self) + state.untitled.values
        }
        for cancellation in running { cancellation.cancel() }
    }
}
