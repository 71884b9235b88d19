internal import CLinuxShim
internal import Dispatch
internal import Glibc
internal import Synchronization
internal import WorkerProtocol

/// Creates workers with a fork server, which runs only while it is needed.
///
/// Copying a process that has opened the codecs takes a fraction of the time of starting one.
/// Without a fork server, callers start workers as usual, so no failure here is an error.
///
/// Thread-safe. Calls block their thread while another one starts the server or creates a worker.
final class ForkedWorkers: Sendable {
    private struct State {
        var server: ForkServerProcess?
        /// The number of workers that `server` has created.
        var workerCount = 0
        /// The total number of attempts to create a worker with a fork server, across all servers.
        ///
        /// The server is idle while this number does not change.
        var useCount = 0
        /// The time before which no server is started, because of an earlier failure.
        var pause: ContinuousClock.Instant?
    }

    private struct Fork {
        var process: pid_t
        var server: pid_t
    }

    /// The time limit for creating a worker and, separately, for exchanging its opening messages.
    ///
    /// The first includes the start of a server. Starting a worker as usual has the pool's own
    /// limit.
    private static let timeLimit = Duration.seconds(10)
    /// The pause after a failure that may be temporary.
    private static let shortPause = Duration.seconds(60)
    /// The pause after the server fails to fork with an error that is expected to recur.
    private static let longPause = Duration.seconds(24 * 3_600)

    private let idleTime: Duration
    private let workerLimit: Int
    private let log: WorkerLog
    private let state = Mutex(State())

    /// Creates an instance that has not started a server.
    ///
    /// - Parameters:
    ///   - idleTime: The time after which an unused server ends.
    ///   - workerLimit: The number of workers after which a server is replaced, so that the layout
    ///     of their memory changes.
    ///   - log: Receives the failures of servers.
    init(idleTime: Duration, workerLimit: Int = 100, log: WorkerLog) {
        self.idleTime = idleTime
        self.workerLimit = workerLimit
        self.log = log
    }

    /// The process identifier of the server; nil if none is running.
    var serverIdentifier: pid_t? { state.withLock { $0.server?.processIdentifier } }

    /// Creates a worker and exchanges the opening messages.
    ///
    /// - Parameters:
    ///   - path: The path of `photos-worker`.
    ///   - limits: The limits of the worker.
    ///   - timeLimit: The maximum time for the worker's creation, and for the opening messages.
    /// - Returns: The worker; nil if there is no fork server, or if it does not become ready.
    func start(_ path: String, limits: WorkerLimits, timeLimit: Duration) -> WorkerProcess? {
        let timeLimit = min(timeLimit, Self.timeLimit)
        var host: Int32 = -1
        var worker: Int32 = -1
        guard cphotos_socket_pair(&host, &worker) == 0 else { return nil }
        let fork = fork(path, serving: worker, timeLimit)
        close(worker)
        guard let fork else {
            close(host)
            return nil
        }
        do throws(WorkerError) {
            return try WorkerProcess(
                fork.process,
                connection: MessageConnection(socket: host),
                path: path,
                limits: limits,
                timeLimit: timeLimit,
                forkServer: fork.server
            )
        } catch {
            log.forkServerFailed("A copy did not become ready.")
            state.withLock { $0.pause = .now + Self.shortPause }
            endServer(fork.server)
            return nil
        }
    }

    /// Ends the server that created `worker`, which has ended unexpectedly.
    ///
    /// The next worker has another memory layout, so a crash reveals nothing about it.
    func endServer(of worker: WorkerProcess) {
        if let server = worker.forkServer { endServer(server) }
    }

    private func endServer(_ identifier: pid_t) {
        endServer { $0.server?.processIdentifier == identifier }
    }

    /// Ends the server if a condition holds.
    private func endServer(if condition: (State) -> Bool) {
        let server = state.withLock { condition($0) ? $0.server.take() : nil }
        // Released without the lock, since that waits for the server's end.
        withExtendedLifetime(server) {}
    }

    // MARK: - Creating workers

    private func fork(_ path: String, serving socket: Int32, _ timeLimit: Duration) -> Fork? {
        let start = SuspendingClock.now
        // Servers are released without the lock, since that waits for their end.
        let (fork, use, ended) = state.withLock { state -> (Fork?, Int, [ForkServerProcess]) in
            state.useCount += 1
            var ended: [ForkServerProcess] = []
            var fork: Fork?
            // A server can have been killed since it was last used; a new one is tried once.
            if let server = state.server {
                fork = createWorker(server, &state, socket, before: start + timeLimit / 2)
                if state.server == nil { ended.append(server) }
            }
            if fork == nil, state.pause.map({ $0 <= .now }) ?? true {
                if let server = ForkServerProcess(path: path) {
                    state.workerCount = 0
                    fork = createWorker(server, &state, socket, before: start + timeLimit)
                    if state.server == nil { ended.append(server) }
                } else {
                    fail(&state, "It could not be started.", Self.shortPause)
                }
            }
            return (fork, state.useCount, ended)
        }
        withExtendedLifetime(ended) {}
        if fork != nil { endServer(ifUnusedSince: use) }
        return fork
    }

    /// Creates a worker, and drops the server if the creation fails or the server has reached its
    /// limit of workers.
    private func createWorker(
        _ server: ForkServerProcess,
        _ state: inout State,
        _ socket: Int32,
        before deadline: SuspendingClock.Instant
    ) -> Fork? {
        let isKnown = state.server != nil
        state.server = nil
        switch server.fork(serving: socket, before: deadline) {
        case .worker(let process):
            state.workerCount += 1
            if state.workerCount < workerLimit { state.server = server }
            return Fork(process: process, server: server.processIdentifier)
        case .refused(let number):
            let isTemporary = [EAGAIN, ENOMEM].contains(number)
            fail(
                &state,
                "It could not copy itself: \(String(cString: strerror(number))).",
                isTemporary ? Self.shortPause : Self.longPause
            )
        case .lost where isKnown: break
        case .lost: fail(&state, "It did not answer.", Self.shortPause)
        }
        return nil
    }

    private func fail(_ state: inout State, _ reason: String, _ pause: Duration) {
        state.pause = .now + pause
        log.forkServerFailed(reason)
    }

    /// Ends the server after the idle time, unless another use follows use number `use`.
    private func endServer(ifUnusedSince use: Int) {
        DispatchQueue.global(qos: .utility)
            .asyncAfter(deadline: .now() + idleTime / .seconds(1)) { [weak self] in
                self?.endServer { $0.useCount == use }
            }
    }
}
