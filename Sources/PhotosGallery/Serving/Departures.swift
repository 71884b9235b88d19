internal import NIOCore
internal import Synchronization

/// Whether the client of a connection is still there.
final class Departure: Sendable {
    private struct State {
        var isGone = false
        var handlers: [Int: @Sendable () -> Void] = [:]
        var next = 0
    }

    private let state = Mutex(State())

    /// Tells everybody who waits that it went.
    func leave() {
        let handlers = state.withLock { state in
            state.isGone = true
            defer { state.handlers = [:] }
            return Array(state.handlers.values)
        }
        for handler in handlers { handler() }
    }

    /// Runs `handler` when the client goes away, or now when it did.
    ///
    /// - Returns: What ``forget(_:)`` takes it back by.
    func whenGone(_ handler: @escaping @Sendable () -> Void) -> Int? {
        let number = state.withLock { state -> Int? in
            guard !state.isGone else { return nil }
            state.next += 1
            state.handlers[state.next] = handler
            return state.next
        }
        if number == nil { handler() }
        return number
    }

    func forget(_ number: Int?) {
        if let number { state.withLock { $0.handlers[number] = nil } }
    }

    /// Runs `body`, and cancels it when the client goes away.
    func cancelling<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let task = Task { try await body() }
        let number = whenGone { task.cancel() }
        defer { forget(number) }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}

/// The connections that are open, each with its client.
final class Departures: Sendable {
    private let open = Mutex<[ObjectIdentifier: Departure]>([:])

    /// That of a connection; one that never ends for a connection that is not known.
    func of(_ channel: any Channel) -> Departure {
        open.withLock { $0[ObjectIdentifier(channel)] } ?? Departure()
    }

    fileprivate func add(_ channel: any Channel) {
        open.withLock { $0[ObjectIdentifier(channel)] = Departure() }
    }

    fileprivate func leave(_ channel: any Channel) { of(channel).leave() }

    fileprivate func remove(_ channel: any Channel) {
        open.withLock { $0.removeValue(forKey: ObjectIdentifier(channel)) }?.leave()
    }

    /// What has to be in each connection's pipeline.
    func handler() -> any RemovableChannelHandler { DepartureHandler(departures: self) }
}

/// Notices that a client closed its end, also while its request is worked on.
private final class DepartureHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    private let departures: Departures

    init(departures: Departures) {
        self.departures = departures
    }

    func handlerAdded(context: ChannelHandlerContext) { departures.add(context.channel) }

    func handlerRemoved(context: ChannelHandlerContext) { departures.remove(context.channel) }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent { departures.leave(context.channel) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        departures.remove(context.channel)
        context.fireChannelInactive()
    }
}
