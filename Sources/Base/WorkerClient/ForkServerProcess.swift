internal import CLinuxShim
internal import Glibc
internal import WorkerProtocol

/// A running fork server and the socket to it.
///
/// Used by one thread at a time. The process ends with this object, whose end waits for it.
final class ForkServerProcess: Sendable {
    /// The result of a request for a worker.
    ///
    /// After any result except `worker`, the server must not be used again.
    enum Outcome {
        /// The worker's process identifier; the worker is a child of this process.
        case worker(pid_t)
        /// The server could not fork its process; the value is the errno.
        case refused(Int32)
        /// The server ended, did not answer in time, or sent an invalid answer.
        case lost
    }

    /// The process identifier of the server, which is also its process group identifier.
    ///
    /// A copy stays in the group until the host has received its identifier.
    let processIdentifier: pid_t
    private let connection: MessageConnection

    /// Starts a fork server; returns nil if it cannot be started.
    ///
    /// It serves requests once its codecs are open.
    init?(path: String) {
        var host: Int32 = -1
        var server: Int32 = -1
        guard cphotos_socket_pair(&host, &server) == 0 else { return nil }
        defer { close(server) }
        var process: pid_t = -1
        guard CompanionProgram.start(path, "--fork-server", socket: server, process: &process) == 0
        else {
            close(host)
            return nil
        }
        processIdentifier = process
        connection = MessageConnection(socket: host)
    }

    deinit {
        close(connection.socket)
        // The group also contains a copy whose identifier did not arrive. Its number is not used
        // again before the server was waited for.
        kill(-processIdentifier, SIGKILL)
        while waitpid(-processIdentifier, nil, 0) > 0 || errno == EINTR {}
    }

    /// Creates a worker that answers requests on a socket, which the caller keeps.
    ///
    /// The worker gets a process group of its own.
    func fork(serving socket: Int32, before deadline: SuspendingClock.Instant) -> Outcome {
        do {
            try connection.send(ForkRequest.fork, descriptor: socket)
            let answer = try connection.receive(ForkReply.self, before: deadline)
            if let stray = answer.descriptor { close(stray) }
            switch answer.message {
            case .failed(let number): return .refused(number)
            case .forked(let process):
                // The identifier is used only if it is that of a child that is running.
                guard process > 0, waitpid(process, nil, WNOHANG) == 0,
                    setpgid(process, process) == 0
                else { return .lost }
                return .worker(process)
            }
        } catch {
            return .lost
        }
    }
}
