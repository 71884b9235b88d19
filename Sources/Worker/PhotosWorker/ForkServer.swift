internal import CLinuxShim
internal import CSandboxShim
internal import Glibc
internal import Media
internal import PhotoModel
internal import WorkerProtocol

/// A server that opens the codecs once and forks its process for each worker that the host
/// requests.
///
///     opening ──codecs──▶ waiting ──fork──▶ waiting (and the copy: a worker)
///                            └──end of the connection──▶ ended
///
/// 1. It never receives a file, so a copy begins in the state of a new worker.
/// 2. It has one thread, so that a copy is complete.
/// 3. A copy confines itself before it receives a file, as every worker does, and has no connection
///    but its own.
/// 4. A copy is the host's child, like a worker that the host started. It stays in the server's
///    process group until the host has received its identifier and moves it to a group of its own.
struct ForkServer {
    private let connection: MessageConnection

    init(socket: Int32) {
        connection = MessageConnection(socket: socket)
    }

    /// Serves requests until the host disconnects; returns the exit code of the process.
    ///
    /// In a copy of the process, the requests are those of a worker.
    func run() -> Int32 {
        // Tools that count workers by their name do not count this process.
        cphotos_name_process(ForkServerName.server)
        guard Codecs.open(), cphotos_drop_privileges() == 0 else { return 1 }
        MovieReader.warmUp()
        Self.warmUpMessages()
        do {
            while true {
                let (request, socket) = try connection.receive(ForkRequest.self)
                guard case .fork = request, let socket else {
                    if let socket { close(socket) }
                    return 1
                }
                let process = cphotos_fork_sibling()
                if process == 0 { return serve(socket) }
                let reply = process > 0 ? ForkReply.forked(process) : .failed(errno)
                // The worker's end must be open in the worker only, so that its exit closes it.
                close(socket)
                try connection.send(reply)
            }
        } catch ConnectionError.closed {
            return 0
        } catch {
            return 1
        }
    }

    /// Serves requests as a worker in a forked process; returns the exit code of the process.
    private func serve(_ socket: Int32) -> Int32 {
        cphotos_name_process(ForkServerName.worker)
        // This also closes the copy of the server's connection.
        guard dup2(socket, connection.socket) == connection.socket else { return 1 }
        close(socket)
        return Server(socket: connection.socket, hasCodecs: true).run()
    }

    /// Encodes and decodes the messages of a conversion once, so that workers start faster.
    ///
    /// Swift looks up conformances when a type is first encoded or decoded, and copies inherit the
    /// results. The values are constants.
    private static func warmUpMessages() {
        var first: Int32 = -1
        var second: Int32 = -1
        guard cphotos_socket_pair(&first, &second) == 0 else { return }
        defer {
            close(first)
            close(second)
        }
        let (host, worker) = (MessageConnection(socket: first), MessageConnection(socket: second))
        let version = WorkerProtocolVersion.current
        let report = MovieConversionReport(duration: .zero, videoCodec: "h264", bytes: 1)
        let sandbox = SandboxReport(landlockABI: 0, hasSeccomp: false)
        do {
            try host.send(WorkerRequest.hello(version: version, limits: .standard))
            _ = try worker.receive(WorkerRequest.self)
            worker.useBinaryForm()
            let replies: [WorkerReply] = [
                .hello(version: version, sandbox: sandbox), .progress(1), .converted(report),
            ]
            for reply in replies {
                try worker.send(reply)
                _ = try host.receive(WorkerReply.self)
            }
            for request in [WorkerRequest.convert(MovieConversion(container: .mov)), .output] {
                try host.send(request)
                _ = try worker.receive(WorkerRequest.self)
            }
        } catch {
            // A copy is only slower at first.
        }
    }
}
