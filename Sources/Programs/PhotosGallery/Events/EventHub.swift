internal import Synchronization

/// Sends server-sent events to browsers.
final class EventHub: Sendable {
    /// The sessions that an event is sent to.
    enum Audience: Sendable, CaseIterable {
        case everybody
        /// The sessions for which hidden photos are locked.
        case locked
        /// The sessions for which hidden photos are unlocked.
        case unlocked

        fileprivate func includes(unlocked isUnlocked: Bool) -> Bool {
            switch self {
            case .everybody: true
            case .locked: !isUnlocked
            case .unlocked: isUnlocked
            }
        }
    }

    /// The maximum number of concurrent event streams.
    static let limit = 64
    /// The maximum number of queued events per stream.
    ///
    /// If more are queued, the stream is closed, and the browser reloads everything when it
    /// reconnects.
    private static let queueLimit = 256

    /// The names of the events that view-only sessions receive.
    ///
    /// These are the events about photos and their own session. Other events name files and
    /// programs of this machine.
    private static let eventsForViewing: Set = [
        "changes", "collections", "asset", "movie", "sessions",
    ]

    /// An open event stream, as its route sends it.
    struct Stream: Sendable {
        /// The events in wire format.
        let events: AsyncStream<String>
        fileprivate let continuation: AsyncStream<String>.Continuation

        /// Adds a text in wire format to this stream alone.
        func send(_ text: String) { continuation.send(text) }

        /// Ends the stream after the events that are already queued.
        func end() { continuation.finish() }
    }

    /// An open event stream, as the hub sends to it.
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

    /// Opens an event stream.
    ///
    /// - Parameters:
    ///   - list: The list whose changes are also sent; nil for none.
    ///   - session: The session that listens.
    ///   - isUnlocked: Whether that session may see hidden photos. When it no longer may, the
    ///     caller has to end its streams.
    ///   - isViewOnly: Whether it receives only events about photos.
    /// - Returns: The stream, which is open until it ends or is released.
    /// - Throws: ``RequestError`` when too many streams are open.
    func listen(
        to list: String?,
        session: String,
        isUnlocked: Bool,
        isViewOnly: Bool
    ) throws -> Stream {
        let (events, continuation) = AsyncStream.makeStream(
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
                "The gallery is open in too many windows.",
                recovery: "Close some of them."
            )
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.listeners[number] = nil }
        }
        return Stream(events: events, continuation: continuation)
    }

    /// The names of the lists that open event streams follow.
    var followed: Set<String> {
        state.withLock { state in Set(state.listeners.values.compactMap(\.list)) }
    }

    /// `true` if any stream is open.
    var hasListeners: Bool { state.withLock { !$0.listeners.isEmpty } }

    /// Sends an event to an audience; if a list is given, only to the streams that follow the list.
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
        for listener in listeners { listener.continuation.send(text) }
    }

    /// Sends an event to all streams of a session.
    func send(_ event: String, _ data: String, session: String) {
        let text = Self.text(event, data)
        let listeners = state.withLock { $0.listeners.values.filter { $0.session == session } }
        for listener in listeners { listener.continuation.send(text) }
    }

    /// Ends those event streams of a session that include hidden photos.
    func endUnlocked(_ session: String) {
        let listeners = state.withLock { state in
            state.listeners.values.filter { $0.isUnlocked && $0.session == session }
        }
        for listener in listeners { listener.continuation.finish() }
    }

    /// Ends all event streams of a session.
    func end(_ session: String) {
        let listeners = state.withLock { $0.listeners.values.filter { $0.session == session } }
        for listener in listeners { listener.continuation.finish() }
    }

    /// Ends all event streams.
    func close() {
        let listeners = state.withLock { Array($0.listeners.values) }
        for listener in listeners { listener.continuation.finish() }
    }

    /// Encodes an event in the wire format of event streams.
    ///
    /// The data is JSON in a single line, so it contains no line breaks.
    static func text(_ event: String, _ data: String) -> String {
        "event: \(event)\ndata: \(data)\n\n"
    }
}

extension AsyncStream.Continuation where Element == String {
    /// Queues a text, or ends the stream if too many are queued.
    fileprivate func send(_ text: String) {
        if case .dropped = yield(text) { finish() }
    }
}
