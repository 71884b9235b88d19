internal import Synchronization

/// Sends events to the browsers that listen.
final class EventHub: Sendable {
    /// Whom an event is for.
    enum Audience: Sendable, CaseIterable {
        case everybody
        /// Sessions that may not see hidden photos.
        case locked
        /// Sessions that may.
        case unlocked

        fileprivate func includes(unlocked isUnlocked: Bool) -> Bool {
            switch self {
            case .everybody: true
            case .locked: !isUnlocked
            case .unlocked: isUnlocked
            }
        }
    }

    /// How many browsers may listen at once.
    static let limit = 64
    /// How many events wait for a slow browser; then it is sent away, and comes back for everything.
    private static let queueLimit = 256

    /// What sessions that only view are told of: photos, and their own session.
    ///
    /// Other events name files and programs of the machine.
    private static let eventsForViewing: Set = [
        "changes", "collections", "asset", "movie", "sessions",
    ]

    /// One who listens.
    private struct Listener {
        let list: String?
        let session: String
        let isUnlocked: Bool
        let isViewOnly: Bool
        let continuation: AsyncStream<String>.Continuation
    }

    private struct State {
        var listeners: [Int: Listener] = [:]
        var next = 0
    }

    private let state = Mutex(State())

    /// Begins to listen.
    ///
    /// - Parameters:
    ///   - list: The list whose changes are wanted, too.
    ///   - session: Who listens.
    ///   - isUnlocked: Whether that session may see hidden photos; where it may no longer, its streams are
    ///     to be ended.
    ///   - isViewOnly: Whether it is told of photos alone.
    /// - Returns: The events as they go over the wire.
    /// - Throws: ``RequestError`` when too many listen already.
    func listen(
        to list: String?,
        session: String,
        isUnlocked: Bool,
        isViewOnly: Bool
    ) throws -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: String.self,
            bufferingPolicy: .bufferingOldest(Self.queueLimit)
        )
        let number = state.withLock { state -> Int? in
            guard state.listeners.count < Self.limit else { return nil }
            state.next += 1
            state.listeners[state.next] = Listener(
                list: list,
                session: session,
                isUnlocked: isUnlocked,
                isViewOnly: isViewOnly,
                continuation: continuation
            )
            return state.next
        }
        guard let number else {
            throw RequestError(
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

    /// Sends an event to all of an audience, or to those of it who follow a list.
    func send(
        _ event: String,
        _ data: String,
        list: String? = nil,
        to audience: Audience = .everybody
    ) {
        let text = Self.text(event, data)
        let listeners = state.withLock { state in
            state.listeners.values.filter {
                audience.includes(unlocked: $0.isUnlocked) && (list == nil || $0.list == list)
                    && (!$0.isViewOnly || Self.eventsForViewing.contains(event))
            }
        }
        for listener in listeners {
            if case .dropped = listener.continuation.yield(text) { listener.continuation.finish() }
        }
    }

    /// Sends an event to all windows of a session.
    func send(_ event: String, _ data: String, session: String) {
        let text = Self.text(event, data)
        let listeners = state.withLock { $0.listeners.values.filter { $0.session == session } }
        for listener in listeners {
            if case .dropped = listener.continuation.yield(text) { listener.continuation.finish() }
        }
    }

    /// Ends the streams of a session that may not see hidden photos any more.
    func endUnlocked(_ session: String) {
        let listeners = state.withLock { state in
            state.listeners.values.filter { $0.isUnlocked && $0.session == session }
        }
        for listener in listeners { listener.continuation.finish() }
    }

    /// Ends all streams of a session.
    func end(_ session: String) {
        let listeners = state.withLock { $0.listeners.values.filter { $0.session == session } }
        for listener in listeners { listener.continuation.finish() }
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
