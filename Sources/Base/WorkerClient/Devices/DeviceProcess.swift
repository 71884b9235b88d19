internal import CLinuxShim
package import FoundationEssentials
internal import Glibc
internal import Synchronization
package import WorkerProtocol

/// A running `photos-device` process, which reads one camera or phone.
///
/// The process ends when this object is released, or when it does not answer in time. After that,
/// every call fails; start another process to continue.
///
/// Thread-safe; calls block their thread, one at a time.
package final class DeviceProcess: Sendable {
    private struct Running {
        let process: pid_t
        let connection: MessageConnection
    }

    /// The time limit for loading the drivers of libgphoto2.
    private static let startLimit = Duration.seconds(60)
    /// The time limit for opening a device, which allows a sleeping device to wake.
    private static let openLimit = Duration.seconds(90)
    /// The time limit for listing a part of a folder, which allows phones to count all files first.
    private static let listLimit = Duration.seconds(600)
    /// The time limit for each step of a transfer.
    private static let transferLimit = Duration.seconds(120)
    /// The time in which the process must answer a canceled request before it is killed.
    private static let patience = Duration.seconds(3)

    private let running: Mutex<Running?>
    private let isCancelled: @Sendable () -> Bool

    /// Starts the program at a path and exchanges the opening messages.
    ///
    /// - Parameters:
    ///   - path: The path of `photos-device`.
    ///   - folder: The only folder of the user's that it may read.
    ///   - isCancelled: Returns whether to give up, and is asked repeatedly during each request,
    ///     this one too. The process is killed if the request does not end soon afterwards.
    /// - Throws: The reason why the process could not be started.
    package init(
        path: String,
        folder: String?,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws(DeviceFailure) {
        self.isCancelled = isCancelled
        var host: Int32 = -1
        var device: Int32 = -1
        guard cphotos_socket_pair(&host, &device) == 0 else {
            throw Self.failure(path, String(cString: strerror(errno)))
        }
        var process: pid_t = -1
        let code = CompanionProgram.start(
            path,
            "--serve",
            // libgphoto2 keeps settings in the home folder, which it must not have.
            variables: ["HOME=/nonexistent"],
            // Devices report times in the time zone of the computer.
            inheriting: ["TZ"],
            socket: device,
            process: &process
        )
        close(device)
        guard code == 0 else {
            close(host)
            throw Self.failure(path, String(cString: strerror(code)))
        }
        running = Mutex(Running(process: process, connection: MessageConnection(socket: host)))
        let hello = DeviceRequest.hello(version: DeviceProtocolVersion.current, folder: folder)
        guard
            case .hello(let version, let report) = try ask(hello, within: Self.startLimit),
            version == DeviceProtocolVersion.current
        else {
            end()
            throw Self.failure(path, "it is not a photos-device of this version")
        }
        guard report.landlockABI > 0, report.hasSeccomp else {
            end()
            throw Self.failure(path, "it reports that it is not confined")
        }
    }

    deinit { end() }

    // MARK: - Requests

    /// Finds the connected devices.
    package func devices() throws(DeviceFailure) -> [DeviceAddress] {
        guard case .devices(let found) = try ask(.devices, within: Self.openLimit) else {
            throw confusion()
        }
        return found
    }

    /// Opens a device and returns its serial number; nil if the device does not state it.
    package func open(_ address: DeviceAddress) throws(DeviceFailure) -> String? {
        guard case .opened(let serial) = try ask(.open(address), within: Self.openLimit) else {
            throw confusion()
        }
        return serial
    }

    /// Lists the part of a folder that begins at position `start`.
    package func page(of folder: Data, from start: Int) throws(DeviceFailure) -> DevicePage {
        let request = DeviceRequest.list(folder: folder, from: start)
        guard case .page(let page) = try ask(request, within: Self.listLimit),
            page.folders.count + page.files.count <= DevicePage.maximumEntries,
            page.folders.allSatisfy(DevicePage.isUsable),
            page.files.allSatisfy({ DevicePage.isUsable($0.name) }),
            // A page without any entry would lead to pages without end.
            page.next.map({ next in
                next > start && !(page.folders.isEmpty && page.files.isEmpty && page.refused <= 0)
            }) ?? true
        else { throw confusion() }
        return page
    }

    /// Copies a file of at most `limit` bytes into an empty file, and returns the number of bytes.
    package func read(
        _ name: Data,
        in folder: Data,
        to descriptor: Int32,
        limit: Int64
    ) throws(DeviceFailure) -> Int64 {
        let request = DeviceRequest.read(folder: folder, name: name, limit: limit)
        guard
            case .read(let count) = try ask(
                request,
                descriptor: descriptor,
                within: Self.transferLimit
            ), count >= 0, count <= limit
        else { throw confusion() }
        return count
    }

    // MARK: - Messages

    private func ask(
        _ request: DeviceRequest,
        descriptor: Int32? = nil,
        within limit: Duration
    ) throws(DeviceFailure) -> DeviceReply {
        let isCancelled = isCancelled
        let result: Result<DeviceReply, DeviceFailure> = running.withLock { running in
            guard let live = running else { return .failure(Self.gone) }
            do throws(ConnectionError) {
                try live.connection.send(request, descriptor: descriptor)
                while true {
                    let reply = try Self.receive(live, within: limit, isCancelled)
                    switch reply {
                    case .progress: continue
                    case .failed(let failure): return .failure(failure)
                    default: return .success(reply)
                    }
                }
            } catch {
                Self.end(live)
                running = nil
                return .failure(
                    error == .timedOut
                        ? DeviceFailure(.lost, "the device did not answer in time") : Self.gone
                )
            }
        }
        return try result.get()
    }

    private static func receive(
        _ live: Running,
        within limit: Duration,
        _ isCancelled: @escaping () -> Bool
    ) throws(ConnectionError) -> DeviceReply {
        var since: SuspendingClock.Instant?
        let answer = try live.connection.receive(
            DeviceReply.self,
            before: .now + limit,
            meanwhile: {
                guard isCancelled() else { return }
                guard let moment = since else { return since = .now }
                // Killing the process closes the socket, which ends the wait.
                if .now - moment > patience { kill(live.process, SIGKILL) }
            }
        )
        if let stray = answer.descriptor { close(stray) }
        return answer.message
    }

    private static let gone = DeviceFailure(.process, "photos-device ended unexpectedly")

    private func confusion() -> DeviceFailure {
        end()
        return DeviceFailure(.process, "photos-device answered something unexpected")
    }

    // MARK: - Process

    /// Ends the process; later calls on this object fail.
    package func end() {
        running.withLock { running in
            if let live = running { Self.end(live) }
            running = nil
        }
    }

    private static func end(_ live: Running) {
        close(live.connection.socket)
        kill(live.process, SIGKILL)
        while waitpid(live.process, nil, 0) < 0, errno == EINTR {}
    }

    private static func failure(_ path: String, _ reason: String) -> DeviceFailure {
        DeviceFailure(.process, "photos-device at \(path) cannot be started: \(reason)")
    }
}
