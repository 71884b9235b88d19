internal import CSandboxShim
internal import FoundationEssentials
internal import Glibc
internal import WorkerProtocol

/// Answers the host's requests one after another until the host disconnects.
struct DeviceServer {
    private let connection: MessageConnection

    init(socket: Int32) {
        connection = MessageConnection(socket: socket)
    }

    /// Serves requests; returns the exit code of the process.
    func run() -> Int32 {
        do {
            guard try greet() else { return 1 }
            let camera: Camera
            do throws(DeviceFailure) {
                camera = try Camera()
            } catch {
                try connection.send(DeviceReply.failed(error))
                return 1
            }
            var folder = FolderReader(camera: camera)
            while true { try answerNext(camera, &folder) }
        } catch ConnectionError.closed {
            return 0
        } catch {
            let words = "photos-device stopped: \(error)"
            try? connection.send(DeviceReply.failed(DeviceFailure(.process, words)))
            return 1
        }
    }

    /// Exchanges protocol versions with the host and enters the sandbox; returns false after a
    /// failure.
    private func greet() throws -> Bool {
        let (request, stray) = try connection.receive(DeviceRequest.self)
        if let stray { close(stray) }
        guard case .hello(let version, let folder) = request else { return false }
        guard version == DeviceProtocolVersion.current else {
            let report = SandboxReport(landlockABI: 0, hasSeccomp: false)
            try connection.send(
                DeviceReply.hello(version: DeviceProtocolVersion.current, sandbox: report)
            )
            return false
        }
        do throws(DeviceFailure) {
            let report = try DeviceSandbox.enter(folder: folder)
            let code = cphotos_exit_with_peer(connection.socket)
            guard code == 0 else {
                throw DeviceFailure(.process, "no thread could be started")
            }
            connection.useBinaryForm()
            try? connection.send(
                DeviceReply.hello(version: DeviceProtocolVersion.current, sandbox: report)
            )
            return true
        } catch {
            try connection.send(DeviceReply.failed(error))
            return false
        }
    }

    private func answerNext(_ camera: Camera, _ reader: inout FolderReader) throws {
        let (request, descriptor) = try connection.receive(DeviceRequest.self)
        defer { if let descriptor { close(descriptor) } }
        do throws(DeviceFailure) {
            let reply: DeviceReply
            switch request {
            case .hello: throw DeviceFailure(.process, "a request came out of turn")
            case .devices: reply = .devices(try camera.devices())
            case .open(let address): reply = .opened(serial: try camera.open(address))
            case .list(let folder, let start):
                reply = .page(try reader.page(of: folder, from: start))
            case .read(let folder, let name, let limit):
                guard let descriptor else {
                    throw DeviceFailure(.process, "no file came with a request")
                }
                reply = .read(
                    try camera.read(name, in: folder, to: descriptor, limit: limit) { count in
                        try? connection.send(DeviceReply.progress(count))
                    }
                )
            }
            try? connection.send(reply)
        } catch {
            try connection.send(DeviceReply.failed(error))
        }
    }
}

/// Lists folder contents in pages, and caches the names in the most recently listed folder.
private struct FolderReader {
    let camera: Camera
    private var folder: Data?
    private var folders: [Data] = []
    private var files: [Data] = []
    private var refused = 0

    init(camera: Camera) {
        self.camera = camera
    }

    mutating func page(of folder: Data, from start: Int) throws(DeviceFailure) -> DevicePage {
        if self.folder != folder || start == 0 {
            self.folder = nil
            let folders = try camera.names(in: folder, ofFolders: true)
            let files = try camera.names(in: folder, ofFolders: false)
            self.folders = folders.filter(DevicePage.isUsable)
            self.files = files.filter(DevicePage.isUsable)
            refused = folders.count + files.count - self.folders.count - self.files.count
            self.folder = folder
        }
        let count = folders.count + files.count
        guard start >= 0, start <= count else {
            throw DeviceFailure(.process, "a request came out of turn")
        }
        let end = min(count, start + DevicePage.maximumEntries)
        var page = DevicePage(
            folders: [],
            files: [],
            refused: start == 0 ? refused : 0,
            next: end < count ? end : nil
        )
        for position in start..<end {
            if position < folders.count {
                page.folders.append(folders[position])
            } else {
                let name = files[position - folders.count]
                page.files.append(try camera.facts(of: name, in: folder))
            }
        }
        return page
    }
}
