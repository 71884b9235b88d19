internal import CLinuxShim
internal import Glibc
internal import WorkerProtocol

/// A running fork server and the socket to it.
///
/// Used by one thread at a time. The process ends with this object, whose end waits for it.
final class ForkServerProcess: Sendable {
    /// The result of a request for a worker.
    ///
    /// After any but `worker`, the server must not be used again.
    enum Outcome {
        /// The process identifier of the worker, a child of this process.
        case worker(pid_t)
        /// The server cannot copy itself; with the errno.
        case refused(Int32)
        /// The server ended, did not answer in time, or answered with something else.
        case lost
    }

    /// The identifier of the server, and of the process group of the server and of its copies until
    /// the host has received their identifiers.
    let processIdentifier: pid_t
    private let connection: MessageConnection

    /// Starts a fork server, which serves requests when its codecs are open; nil if it cannot be
    /// started.
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

    /// Creates a worker that serves a socket, which the caller keeps.
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
