internal import CLinuxShim
internal import Dispatch
internal import Glibc
internal import Synchronization
internal import WorkerProtocol

/// Workers that a fork server creates, which is started on demand and ends when it is not used.
///
/// Copying a process that has opened the codecs takes a fraction of starting one. Without a fork
/// server, callers start workers as usual, so no failure here is an error.
///
/// Thread-safe. Calls block their thread while another one starts the server or creates a worker.
final class ForkedWorkers: Sendable {
    private struct State {
        var server: ForkServerProcess?
        /// The number of uses of any server, to detect that one was not used for some time.
        var useCount = 0
        /// The time until which no server is started, after one that could not create a worker.
        var pause: ContinuousClock.Instant?
    }

    /// The time limit for starting a server and for creating a worker; starting a worker as usual
    /// has the pool's own limit.
    private static let timeLimit = Duration.seconds(10)

    private let idleTime: Duration
    private let state = Mutex(State())

    /// Creates an object without a server.
    ///
    /// - Parameter idleTime: The time after which an unused server ends.
    init(idleTime: Duration) { self.idleTime = idleTime }

    /// The process identifier of the server; nil if none is running.
    var serverIdentifier: pid_t? { state.withLock { $0.server?.processIdentifier } }

    /// Creates a worker and exchanges the opening messages.
    ///
    /// - Parameters:
    ///   - path: The path of `photos-worker`.
    ///   - limits: The limits of the worker.
    ///   - timeLimit: The time limit for the opening messages.
    /// - Returns: The worker; nil if there is no fork server, or if it does not become ready.
    func start(_ path: String, limits: WorkerLimits, timeLimit: Duration) -> WorkerProcess? {
        var host: Int32 = -1
        var worker: Int32 = -1
        guard cphotos_socket_pair(&host, &worker) == 0 else { return nil }
        let process = fork(path, serving: worker, timeLimit: min(timeLimit, Self.timeLimit))
        close(worker)
        guard let process else {
            close(host)
            return nil
        }
        return try? WorkerProcess(
            process,
            connection: MessageConnection(socket: host),
            path: path,
            limits: limits,
            timeLimit: timeLimit
        )
    }

    /// Ends the server, after a worker that a file ended.
    ///
    /// The next worker then has another layout of its memory, so that crashes teach nothing about
    /// it.
    func endServer() {
        let server = state.withLock { state in
            defer { state.server = nil }
            return state.server
        }
        withExtendedLifetime(server) {}
    }

    private func fork(_ path: String, serving socket: Int32, timeLimit: Duration) -> pid_t? {
        let (process, use) = state.withLock { state -> (pid_t?, Int) in
            state.useCount += 1
            // A server that was used before may have been killed since; a new one is tried once.
            if let server = state.server {
                if let process = server.fork(serving: socket, timeLimit: timeLimit) {
                    return (process, state.useCount)
                }
                state.server = nil
            }
            if let pause = state.pause, .now < pause { return (nil, state.useCount) }
            guard let server = ForkServerProcess(path: path),
                let process = server.fork(serving: socket, timeLimit: timeLimit)
            else {
                state.pause = .now + .seconds(60)
                return (nil, state.useCount)
            }
            state.server = server
            state.pause = nil
            return (process, state.useCount)
        }
        if process != nil { endServer(ifUnusedSince: use) }
        return process
    }

    /// Ends the server after the idle time unless it is used before.
    private func endServer(ifUnusedSince use: Int) {
        let components = idleTime.components
        let milliseconds =
            components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
        DispatchQueue.global(qos: .utility)
            .asyncAfter(deadline: .now() + .milliseconds(Int(clamping: milliseconds))) {
                [weak self] in
                guard let self else { return }
                let server = state.withLock { state -> ForkServerProcess? in
                    guard state.useCount == use else { return nil }
                    defer { state.server = nil }
                    return state.server
                }
                withExtendedLifetime(server) {}
            }
    }
}
