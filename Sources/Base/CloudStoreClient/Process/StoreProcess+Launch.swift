internal import CLinuxShim
internal import Glibc
package import ObjectStorage
package import StoreProtocol
internal import WorkerClient
internal import WorkerProtocol

extension StoreProcess {
    /// The time limit for the program to start and answer.
    private static let startLimit = Duration.seconds(20)
    /// The time limit for the program to open its store.
    ///
    /// A directory may be on a share that does not respond.
    private static let openLimit = Duration.seconds(40)

    /// Starts `photos-cloud`, which opens a store and confines itself.
    ///
    /// Blocks the calling thread.
    ///
    /// - Throws: ``ObjectStoreError``: `programUnavailable` if the program is missing, of another
    ///   version or not confined; otherwise the reason why the store cannot be opened.
    static func launch(
        _ path: String,
        place: StorePlace,
        allowsUnconfined: Bool
    ) throws(ObjectStoreError) -> StoreProcess {
        var host: Int32 = -1
        var program: Int32 = -1
        guard cphotos_socket_pair(&host, &program) == 0 else { throw .notStarted(path, errno) }
        let socket = OpenFile(owning: host)
        var process: pid_t = -1
        let code = CompanionProgram.start(
            path,
            "--serve",
            variables: ["HOME=/nonexistent"],
            socket: program,
            process: &process
        )
        close(program)
        guard code == 0 else { throw .notStarted(path, code) }
        do throws(ObjectStoreError) {
            return try open(
                place,
                at: socket,
                of: process,
                path: path,
                allowsUnconfined: allowsUnconfined
            )
        } catch {
            kill(process, SIGKILL)
            while waitpid(process, nil, 0) < 0, errno == EINTR {}
            throw error
        }
    }

    /// Instructs the process at the other end of a socket to open a store.
    ///
    /// Blocks the calling thread.
    ///
    /// - Parameters:
    ///   - place: The place of the store.
    ///   - socket: The connection.
    ///   - process: The identifier of the process, which is killed and awaited at its end; nil for
    ///     the fakes of tests.
    ///   - path: The path of the program, for errors.
    ///   - allowsUnconfined: Accepts a process that the kernel does not confine.
    /// - Returns: The process, whose answers nobody reads yet.
    /// - Throws: ``ObjectStoreError`` as `launch` does; the process still runs then.
    package static func open(
        _ place: StorePlace,
        at socket: OpenFile,
        of process: Int32?,
        path: String,
        allowsUnconfined: Bool
    ) throws(ObjectStoreError) -> StoreProcess {
        let connection = MessageConnection(socket: socket.descriptor)
        try greet(connection, path)
        let report = try configure(connection, path, place, allowsUnconfined: allowsUnconfined)
        return StoreProcess(
            identifier: process,
            socket: socket,
            connection: connection,
            report: report
        )
    }

    /// Exchanges protocol versions with the process, and throws an error if they differ.
    private static func greet(
        _ connection: MessageConnection,
        _ path: String
    ) throws(ObjectStoreError) {
        let reply = try ask(
            connection,
            path,
            StoreRequest.hello(version: StoreProtocolVersion.current),
            within: startLimit
        )
        guard case .hello(let version) = reply else { throw .foreignProgram(path) }
        guard version == StoreProtocolVersion.current else {
            throw .otherVersion(path, found: version)
        }
    }

    private static func configure(
        _ connection: MessageConnection,
        _ path: String,
        _ place: StorePlace,
        allowsUnconfined: Bool
    ) throws(ObjectStoreError) -> SandboxReport {
        let reply = try ask(
            connection,
            path,
            StoreRequest.configure(place, allowsUnconfined: allowsUnconfined),
            within: openLimit
        )
        switch reply {
        case .ready(let report):
            guard report.isConfined || allowsUnconfined else {
                throw .notConfined("It reports that it is not confined.")
            }
            return report
        case .refused(let failure): throw failure.error
        case .hello, .piece, .done, .failed: throw .foreignProgram(path)
        }
    }

    private static func ask(
        _ connection: MessageConnection,
        _ path: String,
        _ request: StoreRequest,
        within limit: Duration
    ) throws(ObjectStoreError) -> StoreReply {
        do throws(ConnectionError) {
            try connection.send(request)
            let (reply, stray) = try connection.receive(StoreReply.self, before: .now + limit)
            if let stray { close(stray) }
            return reply
        } catch {
            switch error {
            case .closed: throw .notStarted(path, reason: "It exited immediately.")
            case .timedOut: throw .notStarted(path, reason: "It did not answer.")
            case .system(let number): throw .notStarted(path, number)
            case .tooLong, .malformed: throw .foreignProgram(path)
            }
        }
    }
}

extension SandboxReport {
    /// Indicates whether both Landlock and seccomp are in force.
    fileprivate var isConfined: Bool { landlockABI > 0 && hasSeccomp }
}
