internal import LibraryService
internal import PhotoModel

/// Provides a library's connection to the daemon, and replaces a connection that has ended.
///
///     connected ──end──▶ disconnected ──a caller or a subscription──▶ connecting ──▶ connected
///         └───────────────────────close──────────────────────────────────┴──▶ closed
///
/// One thread connects at a time, and the others wait for its result.
final class ConnectionManager: Sendable {
    private struct State {
        var connection: ClientConnection?
        var isConnecting = false
        var isClosed = false
        var usage: CallUsage
    }

    /// The initial and maximum pause between connection attempts.
    private static let pauses = (Duration.milliseconds(5), Duration.milliseconds(500))

    private let configuration: RemoteConfiguration
    let relay = SubscriptionRelay()
    private let monitor: Monitor<State>

    init(_ configuration: RemoteConfiguration) {
        self.configuration = configuration
        monitor = Monitor(State(usage: CallUsage(configuration.limits)))
    }

    /// The number of the current connection; nil if there is none.
    var connectionNumber: UInt64? {
        monitor.withLock { state in
            state.connection.flatMap { $0.hasEnded ? nil : $0.number }
        }
    }

    // MARK: - Connecting

    /// Returns the current connection; opens a new connection if necessary.
    ///
    /// - Parameter deadline: The time until which failed attempts are repeated; nil makes one
    ///   attempt.
    /// - Returns: The connection.
    /// - Throws: The reason of the last failure.
    func connection(
        before deadline: SuspendingClock.Instant?
    ) throws(ConnectionFailure) -> ClientConnection {
        enum Turn { case connected(ClientConnection), connects, closed }
        // Another thread's attempts end at its own deadline.
        let turn = monitor.wait { state -> Turn? in
            if state.isClosed { return .closed }
            if let connection = state.connection, !connection.hasEnded {
                return .connected(connection)
            }
            if state.isConnecting { return nil }
            state.isConnecting = true
            return .connects
        }
        switch turn {
        case .connected(let connection): return connection
        case .closed, nil: throw .closed
        case .connects: break
        }
        do throws(ConnectionFailure) {
            let connection = try connect(before: deadline)
            let isClosed = monitor.update { state in
                state.isConnecting = false
                state.connection = connection
                return state.isClosed
            }
            guard !isClosed else {
                connection.leave()
                throw .closed
            }
            renewSubscriptions(over: connection)
            return connection
        } catch {
            monitor.update { $0.isConnecting = false }
            throw error
        }
    }

    private func connect(
        before deadline: SuspendingClock.Instant?
    ) throws(ConnectionFailure) -> ClientConnection {
        var pause = Self.pauses.0
        while true {
            do throws(ConnectionFailure) {
                return try ClientConnection.open(configuration, relay: relay) { [weak self] in
                    self?.didEnd($0)
                }
            } catch {
                guard let deadline, error.isTransient, .now + pause < deadline else { throw error }
            }
            try self.pause(pause)
            pause = min(pause * 2, Self.pauses.1)
        }
    }

    /// Waits before the next attempt; throws an error if the library is closed.
    ///
    /// - Throws: `closed` if the library was closed.
    func pause(_ duration: Duration) throws(ConnectionFailure) {
        let isClosed = monitor.wait(before: .now + duration) { $0.isClosed ? true : nil }
        if isClosed == true { throw .closed }
    }

    /// Connects again after a connection ended, if the library has subscriptions.
    ///
    /// Clients that only wait for changes may make no calls, which would connect again.
    private func didEnd(_ connection: ClientConnection) {
        var pause = Self.pauses.0
        while !relay.routes.isEmpty {
            do throws(ConnectionFailure) {
                _ = try self.connection(before: .now + configuration.patience)
                return
            } catch {
                guard error.isTransient, (try? self.pause(pause)) != nil else { return }
                pause = min(pause * 2, .seconds(5))
            }
        }
    }

    // MARK: - Subscriptions

    /// Renews all subscriptions over a new connection, and notifies clients that they may have
    /// missed changes.
    private func renewSubscriptions(over connection: ClientConnection) {
        for route in relay.routes {
            let source = try? subscribe(over: connection)
            relay.connect(route.number, to: source)
            relay.notify(route.number)
        }
        connection.wake()
    }

    private func subscribe(over connection: ClientConnection) throws(LibraryError) -> Descriptor? {
        let call = CallTable.shared.subscribe
        let request = try call.encode(NoValue(), descriptors: [], coder: connection.coder)
        let cost = CallCost(call, request)
        guard (try? admit(cost)) != nil else { return nil }
        defer { finish(cost) }
        guard case .reply(let reply) = connection.perform(request, in: nil) else { return nil }
        return try call.decodeReply(reply, coder: connection.coder, peer: connection.peer)
            .descriptors.first
    }

    // MARK: - Calls in progress

    /// Waits until a call fits within the limits, and adds it to the calls in progress.
    ///
    /// - Throws: `closed` if the library was closed.
    func admit(_ cost: CallCost) throws(ConnectionFailure) {
        let isAdmitted = monitor.wait { state -> Bool? in
            if state.isClosed { return false }
            return state.usage.admit(cost) == nil ? true : nil
        }
        if isAdmitted != true { throw .closed }
    }

    /// Removes an ended call from the calls in progress.
    func finish(_ cost: CallCost) { monitor.update { $0.usage.remove(cost) } }

    // MARK: - The end

    /// Closes the connection permanently, so that no new connection is opened.
    ///
    /// - Parameter waits: Waits for calls in progress first. New calls fail.
    func close(waits: Bool) {
        monitor.update { $0.isClosed = true }
        if waits { _ = monitor.wait { $0.usage.count == 0 ? true : nil } }
        let connection = monitor.withLock(\.connection)
        connection?.leave()
        relay.close()
    }
}
