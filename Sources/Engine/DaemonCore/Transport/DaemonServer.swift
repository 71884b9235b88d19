internal import BinaryCoding
internal import CLinuxShim
internal import Glibc
internal import LibraryService
internal import PeerIdentity
internal import PhotoModel
internal import ProgramAccess
package import RemoteLibrary

/// The transport of a daemon, which accepts connections and dispatches their calls.
///
///     run ──▶ accepting ──idle, stop──▶ leaving ──connections ended──▶ run returns
///                  └──────replaced──────▶ leaving, while the socket keeps clients that connect
///
/// 1. A client cannot harm another: an error, a violation or a stall ends its own connection.
/// 2. No thread of a pool waits for a socket, and no connection's thread waits for a call of
///    another.
/// 3. A connection that arrives while the daemon becomes idle is served.
/// 4. A connection that arrives while another program takes over waits for that program. Clients
///    that were connected are told to connect again.
package final class DaemonServer: Sendable {
    private struct State {
        var connections: [Int: ServerConnection] = [:]
        /// The program of each identified client, by connection number.
        var programs: [Int: String] = [:]
        var lastNumber = 0
        var stopReason: Goodbye.Reason?
        /// The time at which a pending takeover of the socket was first noticed; nil if none is
        /// pending.
        var replacedSince: SuspendingClock.Instant?
        var isTakenOver = false
        /// The time since which there has been no connection; nil while there is one.
        var idleSince: SuspendingClock.Instant? = .now
    }

    /// The pause in milliseconds after the process has reached its limit of open files or threads.
    private static let shortagePause: Int32 = 50
    /// The interval in milliseconds at which the daemon checks whether a pending takeover of the
    /// socket can proceed.
    private static let takeoverPause: Int32 = 20

    private let configuration: DaemonConfiguration
    private let listener: ListeningSocket
    private let wakeup: Wakeup
    private let statistics: DaemonStatistics
    private let pools: CallPools
    private let changes = ChangesInProgress()
    private let started = SuspendingClock.now
    private let monitor = Monitor(State())

    /// Creates a daemon; nil if the process has reached its limit of open files.
    package init?(_ configuration: DaemonConfiguration, listener: ListeningSocket) {
        guard let wakeup = Wakeup() else { return nil }
        self.configuration = configuration
        self.listener = listener
        self.wakeup = wakeup
        statistics = DaemonStatistics(configuration.limits)
        pools = CallPools(configuration.limits)
    }

    // MARK: - Running

    /// The reason why a daemon's server stopped.
    package enum End: Sendable {
        /// The daemon was stopped or idle, and no program can connect any more.
        case ended
        /// The socket remains open, and the program that takes it over serves the waiting clients.
        case takenOver
    }

    /// Accepts connections until the daemon is idle, stopped or replaced, and all connections have
    /// ended.
    @discardableResult
    package func run() -> End {
        var nextCheck = configuration.replacementInterval.map { SuspendingClock.now + $0 }
        while !hasToEnd() {
            if let time = nextCheck, let interval = configuration.replacementInterval,
                time <= .now
            {
                nextCheck = SuspendingClock.now + interval
                if noteReplacement() { continue }
            }
            var entries = [
                pollfd(fd: wakeup.number, events: Int16(POLLIN), revents: 0),
                pollfd(fd: listener.number, events: Int16(POLLIN), revents: 0),
            ]
            let count = poll(&entries, 2, Self.sooner(timeToIdle(), nextCheck))
            guard count > 0 else { continue }
            if entries[0].revents != 0 { wakeup.reset() }
            if entries[1].revents != 0, noteReplacement() { continue }
            if entries[1].revents != 0, !accept() {
                _ = poll(&entries, 1, Self.shortagePause)
            }
        }
        let reason = monitor.withLock(\.stopReason) ?? .shutdown
        for connection in monitor.withLock(\.connections).values { connection.leave(reason) }
        _ = monitor.wait { $0.connections.isEmpty ? true : nil }
        pools.stop()
        if monitor.withLock(\.isTakenOver) { return .takenOver }
        listener.unlock()
        return .ended
    }

    /// Ends the daemon once the running calls have ended.
    ///
    /// May be called on any thread.
    ///
    /// - Parameter reason: `reconnect` if another daemon takes over.
    package func stop(_ reason: Goodbye.Reason) {
        monitor.update { state in
            if state.stopReason == nil { state.stopReason = reason }
        }
        wakeup.signal()
    }

    /// Returns whether the daemon has to end: another program takes over, or it is stopped or idle.
    ///
    /// Unless another program takes over, the socket is then removed, so that no program can
    /// connect.
    private func hasToEnd() -> Bool {
        if letTakeOver() { return true }
        let isStopped = monitor.withLock { $0.stopReason != nil }
        guard isStopped || isIdle else { return false }
        listener.withdraw()
        // Programs that connected before are served, and keep an idle daemon.
        while accept() {}
        guard isStopped || monitor.withLock(\.connections.isEmpty) else {
            listener.restore()
            return false
        }
        listener.remove()
        return true
    }

    /// Checks whether the daemon's program was replaced, and if so hands over the socket when
    /// possible.
    ///
    /// - Returns: Whether that is so now; a client that has connected then waits for the program.
    private func noteReplacement() -> Bool {
        guard configuration.isReplaced() else { return false }
        monitor.update { state in
            if state.replacedSince == nil { state.replacedSince = .now }
        }
        return letTakeOver()
    }

    /// Lets a pending takeover of the socket proceed once no call is in progress.
    ///
    /// A takeover waits for calls in progress for at most `takeoverPatience`.
    ///
    /// - Returns: Whether it takes over.
    private func letTakeOver() -> Bool {
        let state = monitor.withLock(\.self)
        if state.isTakenOver { return true }
        guard let since = state.replacedSince, state.stopReason == nil else { return false }
        // A connection without facts is in its handshake.
        let isBusy = state.connections.values.contains { connection in
            connection.facts.map { $0.dispatcher.count > 0 } ?? true
        }
        guard !isBusy || since + configuration.takeoverPatience <= .now else { return false }
        return monitor.update { state in
            if state.stopReason == nil {
                (state.stopReason, state.isTakenOver) = (.reconnect, true)
            }
            return state.isTakenOver
        }
    }

    private var isIdle: Bool {
        guard let idleTime = configuration.idleTime,
            let idleSince = monitor.withLock(\.idleSince)
        else { return false }
        return idleSince + idleTime <= .now && !configuration.isNeeded()
    }

    /// Returns the time in milliseconds until the daemon next checks whether it has to end; -1 for
    /// no limit.
    private func timeToIdle() -> Int32 {
        if monitor.withLock({ $0.replacedSince != nil }) { return Self.takeoverPause }
        guard let idleTime = configuration.idleTime,
            let idleSince = monitor.withLock(\.idleSince)
        else { return -1 }
        let time = idleSince + idleTime - .now
        // Work that keeps the daemon does not tell when it ends.
        let left = time > .zero ? max(.milliseconds(10), time) : .seconds(1)
        return Int32(clamping: min(86_400_000, Int(left / .milliseconds(1)))) + 1
    }

    /// Returns the smaller of a timeout of `poll` and the time until the given one.
    private static func sooner(_ timeout: Int32, _ time: SuspendingClock.Instant?) -> Int32 {
        guard let time else { return timeout }
        let left = (time - SuspendingClock.now) / .milliseconds(1)
        let milliseconds = Int32(min(86_400_000, max(0, left))) + 1
        return timeout < 0 ? milliseconds : min(timeout, milliseconds)
    }

    // MARK: - Connections

    /// Accepts a connection and starts its thread.
    ///
    /// - Returns: False if there is none, or if the process has reached a limit.
    private func accept() -> Bool {
        let number = cphotos_accept(listener.number)
        guard number >= 0 else { return errno == ECONNABORTED }
        let socket = Descriptor(owning: number)
        guard let wakeup = Wakeup() else { return false }
        let connection = monitor.update { state -> ServerConnection? in
            guard state.connections.count < configuration.limits.connections else { return nil }
            state.lastNumber += 1
            let connection = ServerConnection(
                number: state.lastNumber,
                socket: socket,
                wakeup: wakeup
            )
            state.connections[connection.number] = connection
            state.idleSince = nil
            return connection
        }
        guard let connection else {
            refuse(socket)
            return true
        }
        statistics.count { $0.connections += 1 }
        if NamedThread.start("photos-client", { self.serve(connection) }) { return true }
        didEnd(connection)
        return false
    }

    /// Tells a client that there are too many connections, without waiting for the client.
    private func refuse(_ socket: Descriptor) {
        statistics.count { $0.refusedConnections += 1 }
        let error = FailureBody(.exceeded("connections"))
        guard let body = try? JSONCoder().encode(error) else { return }
        let writer = FrameWriter(socket: socket.number)
        try? writer.enqueue(Frame(.failure, body: body))
        _ = try? writer.flush()
    }

    private func serve(_ connection: ServerConnection) {
        defer { didEnd(connection) }
        let writer = FrameWriter(socket: connection.socket.number)
        let handshake = ServerHandshake(
            configuration: configuration,
            socket: connection.socket.number,
            writer: writer,
            admits: { self.admits($0, connection) }
        )
        let outcome: ServerHandshake.Outcome
        do throws(ServerHandshake.Failure) {
            outcome = try handshake.perform()
        } catch {
            switch error {
            case .refused: statistics.count { $0.refusedConnections += 1 }
            case .transport(let error) where error.code == .closed: break
            case .transport(let error):
                statistics.count { $0.violations += 1 }
                if let frame = try? Frame.goodbye(Goodbye(.violation, error.message)) {
                    try? writer.enqueue(frame)
                    _ = try? writer.flush()
                }
            }
            return
        }
        // Opening a library may have been work.
        configuration.quietWatch?.noteWork()
        let process = outcome.process
        let dispatcher = CallDispatcher(
            client: connection.number,
            session: outcome.session,
            program: outcome.identity.program.identifier,
            peer: outcome.peer,
            coder: outcome.coder,
            shared: CallDispatcher.Shared(
                limits: configuration.limits,
                statistics: statistics,
                pools: pools,
                changes: changes,
                status: { self.status },
                cloud: configuration.cloud,
                quietWatch: configuration.quietWatch
            ),
            clientHasEnded: { process?.hasEnded == true },
            report: { [weak connection] in connection?.report($0) }
        )
        let sender = ReplySender(
            writer,
            coder: outcome.coder,
            wakeup: connection.wakeup,
            dispatcher: dispatcher,
            stall: configuration.limits.stall
        )
        connection.open(
            ServerConnection.Facts(
                program: outcome.identity.program.identifier,
                kind: outcome.identity.kind,
                dispatcher: dispatcher,
                sender: sender
            )
        )
        var loop = ServerConnectionLoop(connection, dispatcher, sender, outcome)
        switch loop.run(farewell: configuration.limits.farewell) {
        case .violation: statistics.count { $0.violations += 1 }
        case .stalled: statistics.count { $0.stalledConnections += 1 }
        case .closed, .left, .farewell: break
        }
        sender.close()
        // A client learns of the end although a process that it forked may have the socket.
        shutdown(connection.socket.number, Int32(SHUT_RDWR))
        dispatcher.close()
    }

    /// Counts a client's connection, unless its program already has the maximum number of
    /// connections.
    ///
    /// This happens before the client learns that it is connected.
    ///
    /// - Returns: False if the program has too many.
    private func admits(_ program: String, _ connection: ServerConnection) -> Bool {
        monitor.withLock { state in
            let count = state.programs.values.count { $0 == program }
            guard count < configuration.limits.connectionsPerProgram else { return false }
            state.programs[connection.number] = program
            return true
        }
    }

    private func didEnd(_ connection: ServerConnection) {
        monitor.update { state in
            state.connections[connection.number] = nil
            state.programs[connection.number] = nil
            if state.connections.isEmpty { state.idleSince = .now }
        }
        wakeup.signal()
        configuration.quietWatch?.noteWork()
    }

    // MARK: - Memory

    /// Frees the caches of the clients' sessions.
    package func releaseMemory() {
        for connection in monitor.withLock(\.connections).values {
            connection.facts?.dispatcher.releaseMemory()
        }
    }

    // MARK: - Status

    /// Indicates whether any client's call is waiting for a thread.
    package var hasWaitingCalls: Bool { pools.hasQueuedCalls }

    /// The state of the daemon.
    package var status: DaemonStatus {
        let clients = monitor.withLock(\.connections).values
            .sorted { $0.number < $1.number }
            .compactMap(\.facts)
            .map { facts in
                DaemonStatus.Client(
                    program: facts.program,
                    class: facts.kind.rawValue,
                    calls: facts.dispatcher.count
                )
            }
        return configuration.completeStatus(
            DaemonStatus(
                socket: listener.path ?? "",
                pid: getpid(),
                version: configuration.softwareVersion,
                protocol: configuration.protocols.upperBound,
                uptime: (SuspendingClock.now - started) / .seconds(1),
                clients: clients,
                counters: statistics.counters
            )
        )
    }
}
