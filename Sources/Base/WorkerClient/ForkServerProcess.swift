internal import CLinuxShim
internal import Glibc
internal import WorkerProtocol

/// A running fork server and the socket to it.
///
/// Used by one thread at a time; the process ends with this object.
final class ForkServerProcess: Sendable {
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
        kill(processIdentifier, SIGKILL)
        while waitpid(processIdentifier, nil, 0) < 0, errno == EINTR {}
        // A worker that was created after the time limit is not used.
        if let late = try? reply(before: .now + .milliseconds(1)) { WorkerProcess.end(late) }
        close(connection.socket)
    }

    /// Creates a worker that serves a socket, which the caller keeps; nil if the server cannot do
    /// it, and must not be used again.
    ///
    /// The worker is a child of this process.
    func fork(serving socket: Int32, timeLimit: Duration) -> pid_t? {
        do {
            try connection.send(ForkRequest.fork, descriptor: socket)
            return try reply(before: .now + timeLimit)
        } catch {
            return nil
        }
    }

    /// Receives the identifier of a worker; nil if none was created.
    private func reply(before deadline: SuspendingClock.Instant) throws(ConnectionError) -> pid_t? {
        let answer = try connection.receive(ForkReply.self, before: deadline)
        if let stray = answer.descriptor { close(stray) }
        guard case .forked(let process) = answer.message, process > 0 else { return nil }
        // Only a child is ever killed, and only one that is still running can be used.
        return waitpid(process, nil, WNOHANG) == 0 ? process : nil
    }
}
