internal import NIOCore
internal import Synchronization

/// The handlers that run when the client of a connection disconnects.
final class ClientDisconnect: Sendable {
    private struct State {
        var isGone = false
        var handlers: [Int: @Sendable () -> Void] = [:]
        var next = 0
    }

    private let state = Mutex(State())

    /// Marks the client as disconnected and runs all handlers.
    func leave() {
        let handlers = state.withLock { state in
            state.isGone = true
            defer { state.handlers = [:] }
            return Array(state.handlers.values)
        }
        for handler in handlers { handler() }
    }

    /// Registers a handler that runs when the client disconnects, or immediately if it already has.
    ///
    /// - Returns: The number by which ``forget(_:)`` removes the handler; nil when it already ran.
    func onDisconnect(_ handler: @escaping @Sendable () -> Void) -> Int? {
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

    /// Runs `body` and cancels it when the client disconnects.
    func cancelling<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let task = Task { try await body() }
        let number = onDisconnect { task.cancel() }
        defer { forget(number) }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}

/// Detects disconnects on all open connections.
final class ClientDisconnects: Sendable {
    private let open = Mutex<[ObjectIdentifier: ClientDisconnect]>([:])

    /// Returns the disconnect handlers of a connection.
    ///
    /// For an unknown connection, they never run.
    func of(_ channel: any Channel) -> ClientDisconnect {
        open.withLock { $0[ObjectIdentifier(channel)] } ?? ClientDisconnect()
    }

    fileprivate func add(_ channel: any Channel) {
        open.withLock { $0[ObjectIdentifier(channel)] = ClientDisconnect() }
    }

    fileprivate func leave(_ channel: any Channel) { of(channel).leave() }

    fileprivate func remove(_ channel: any Channel) {
        open.withLock { $0.removeValue(forKey: ObjectIdentifier(channel)) }?.leave()
    }

    /// Creates the channel handler that each connection's pipeline needs.
    func handler() -> any RemovableChannelHandler { DisconnectHandler(disconnects: self) }
}

/// Detects that a client closed its end of a connection, even while a request is being handled.
private final class DisconnectHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    private let disconnects: ClientDisconnects

    init(disconnects: ClientDisconnects) {
        self.disconnects = disconnects
    }

    func handlerAdded(context: ChannelHandlerContext) { disconnects.add(context.channel) }

    func handlerRemoved(context: ChannelHandlerContext) { disconnects.remove(context.channel) }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent { disconnects.leave(context.channel) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        disconnects.remove(context.channel)
        context.fireChannelInactive()
    }
}
