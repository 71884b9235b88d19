internal import Synchronization

/// Sends events to the browsers that listen.
final class EventHub: Sendable {
    /// How many browsers may listen at once.
    static let limit = 64
    /// How many events wait for a slow browser; then it is sent away, and comes back for everything.
    private static let queueLimit = 256

    /// One who listens.
    private struct Listener {
        let list: String?
        let continuation: AsyncStream<String>.Continuation
    }

    private struct State {
        var listeners: [Int: Listener] = [:]
        var next = 0
    }

    private let state = Mutex(State())

    /// Begins to listen.
    ///
    /// - Parameter list: The list whose changes are wanted, too.
    /// - Returns: The events as they go over the wire.
    /// - Throws: ``Refusal`` when too many listen already.
    func listen(to list: String?) throws -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: String.self,
            bufferingPolicy: .bufferingOldest(Self.queueLimit)
        )
        let number = state.withLock { state -> Int? in
            guard state.listeners.count < Self.limit else { return nil }
            state.next += 1
            state.listeners[state.next] = Listener(list: list, continuation: continuation)
            return state.next
        }
        guard let number else {
            throw Refusal(
                .tooMany,
                "Too many windows show the gallery.",
                recovery: "Close some of them."
            )
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.listeners[number] = nil }
        }
        return stream
    }

    /// Names of the lists that somebody follows.
    var followed: Set<String> {
        state.withLock { state in Set(state.listeners.values.compactMap(\.list)) }
    }

    /// Whether anybody listens.
    var hasListeners: Bool { state.withLock { !$0.listeners.isEmpty } }

    /// Sends an event to all, or to those who follow a list.
    func send(_ event: String, _ data: String, list: String? = nil) {
        let text = Self.text(event, data)
        let listeners = state.withLock { state in
            state.listeners.values.filter { list == nil || $0.list == list }
        }
        for listener in listeners {
            if case .dropped = listener.continuation.yield(text) { listener.continuation.finish() }
        }
    }

    /// Sends everybody away.
    func close() {
        let listeners = state.withLock { Array($0.listeners.values) }
        for listener in listeners { listener.continuation.finish() }
    }

    /// An event as it goes over the wire; the data has no line breaks, since it is JSON of one line.
    static func text(_ event: String, _ data: String) -> String {
        "event: \(event)\ndata: \(data)\n\n"
    }
}
