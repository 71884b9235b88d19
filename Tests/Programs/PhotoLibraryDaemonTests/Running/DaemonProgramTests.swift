import CLinuxShim
import Foundation
import Glibc
import LibraryService
import PhotoModel
import RemoteLibrary
import TestSupport
import Testing

/// The daemon and the command, as a user runs them.
@Suite(.timeLimit(.minutes(3))) struct DaemonProgramTests {
    private let home: DaemonHome

    init() throws { home = try DaemonHome() }

    @Test("The command works through the daemon as it does without")
    func command() throws {
        let source = try home.drawPhotos("one.jpg", "two.jpg")
        try home.succeed("create", daemon: "0")
        try home.startDaemon()
        try home.succeed("import", source)
        try home.succeed("album", "create", "Summer")
        try home.succeed("album", "create", "Winter", daemon: "0")
        for arguments in [["list", "--json"], ["albums", "--json"], ["history", "--json"]] {
            let outputs = try ["1", "0", nil].map { daemon in
                try home.run(BuiltProducts.photos.path, arguments, daemon: daemon)
            }
            #expect(outputs.allSatisfy { $0.status == 0 }, "\(outputs.map(\.errorText))")
            #expect(Set(outputs.map(\.text)).count == 1, "\(outputs.map(\.text))")
        }
        let identifier = try #require(
            try home.succeed("list", "--json").firstMatch(of: /"localIdentifier":"([^"]*)"/)
        ).1
        let images = try ["1", "0"].map { daemon in
            let file = home.folder.file("\(daemon).jpg").path
            try home.succeed("image", String(identifier), "-o", file, daemon: daemon)
            return FileManager.default.contents(atPath: file)
        }
        #expect(images[0] != nil && images[0] == images[1])
        try home.succeed("undo")
        #expect(try !home.succeed("albums", "--json", daemon: "0").contains("Winter"))
        #expect(try home.photos("verify", "--full", daemon: "0").status == 0)
    }

    @Test("The state of the daemon has the documented keys")
    func status() throws {
        let absent = try home.photos("daemon", "status", "--json", daemon: nil)
        #expect(absent.status == 1)
        #expect(absent.text == "{\"running\":false,\"socket\":\"\(home.socket)\"}\n")
        #expect(try home.photos("daemon", "status", daemon: nil).text.contains("No library daemon"))

        // There need not be a library.
        let daemon = try home.startDaemon("--library", home.library)
        let output = try home.photos("daemon", "status", "--json", daemon: nil)
        #expect(output.status == 0, "\(output.errorText)")
        let object = try #require(
            try JSONSerialization.jsonObject(with: output.standardOutput) as? [String: Any]
        )
        let keys = [
            "running", "socket", "pid", "version", "protocol", "library", "uptime", "duty",
            "clients", "duties", "counters",
        ]
        #expect(Set(object.keys) == Set(keys))
        #expect(object["pid"] as? Int == Int(daemon.number))
        #expect(object["socket"] as? String == home.socket)
        #expect(object["library"] as? String == home.library)
        #expect(object["version"] as? String == BuildVersion.current)
        let clients = try #require(object["clients"] as? [[String: Any]])
        #expect(clients.map { $0["class"] as? String } == ["host"])
        #expect(clients.map { $0["program"] as? String } == [BuiltProducts.photos.path])
        let text = try home.photos("daemon", "status", daemon: nil).text
        #expect(text.contains("\(daemon.number)") && text.contains(home.socket))
    }

    @Test("$PHOTOS_DAEMON chooses, and errors say what to do")
    func choice() throws {
        let without = try home.photos("list", daemon: "1")
        #expect(without.status == 1)
        #expect(without.errorText.contains("photos daemon run"), "\(without.errorText)")
        let wrong = try home.photos("list", daemon: "yes")
        #expect(wrong.status == 1 && wrong.errorText.contains("PHOTOS_DAEMON"))
        // The state of the library is that of any road.
        try home.startDaemon()
        let errors = try ["0", "1", nil].map { try home.photos("list", daemon: $0) }
        #expect(errors.allSatisfy { $0.status == 1 })
        #expect(Set(errors.map(\.errorText)).count == 1, "\(errors.map(\.errorText))")
        try home.succeed("create", daemon: nil)
        for daemon in ["0", "1", "loopback", nil] { try home.succeed("list", daemon: daemon) }
    }

    @Test("A signal ends the daemon after its calls, and a second daemon is refused")
    func ends() throws {
        try home.succeed("create", daemon: "0")
        let first = try home.startDaemon()
        let client = try home.client()
        _ = try client.status()
        let second = try home.launch([])
        #expect(second.wait() == 1)
        #expect(try client.status().path == home.library)
        first.kill(SIGTERM)
        #expect(first.wait() == 0)
        #expect(!FileManager.default.fileExists(atPath: home.socket))
        // Everything was closed.
        let log = home.library + "/database/library.sqlite-wal"
        #expect(!FileManager.default.fileExists(atPath: log))
        // A client finds the next one.
        let third = try home.startDaemon()
        #expect(try client.status().path == home.library)
        third.kill()
        third.wait()
        try home.startDaemon()
        #expect(try client.status().path == home.library)
        client.close()
    }

    @Test("“photos daemon run” is the daemon")
    func run() throws {
        try home.succeed("create", daemon: "0")
        let process = try ChildProcess(
            BuiltProducts.photos.path,
            ["daemon", "run", "--library", home.library],
            environment: home.environment
        )
        #expect(home.isServed(by: process))
        let remote = try home.client(role: .observer)
        let status = try remote.daemonStatus()
        #expect(status.pid == process.number && status.library == home.library)
        remote.close()
        process.kill(SIGINT)
        #expect(process.wait() == 0)
    }

    @Test("The daemon says where it listens, and that a level of the log does not exist")
    func output() throws {
        var environment = ProcessInfo.processInfo.environment.mapValues { _ in nil as String? }
        for (name, value) in home.environment { environment[name] = value }
        environment["PHOTOS_LOG_LEVEL"] = "loud"
        let process = try ProcessRunner.start(
            BuiltProducts.executable("photolibraryd").path,
            [],
            environment: environment
        )
        #expect(home.waits { (try? home.client(role: .observer)) != nil })
        process.interrupt()
        let output = process.wait()
        #expect(output.status == 0)
        #expect(output.errorText.contains("PHOTOS_LOG_LEVEL is “loud”, which is no level: trace,"))
        #expect(output.errorText.contains("photolibraryd: Listening on \(home.socket).\n"))
    }

    @Test("The daemon serves a passed socket, and ends when it is idle")
    func activation() throws {
        try home.succeed("create", daemon: "0")
        let folder = home.runtimePath + "/photolibraryd"
        #expect(mkdir(folder, 0o700) == 0)
        let listener = cphotos_listen(home.socket, 0o600)
        try #require(listener >= 0)
        defer { close(listener) }
        for _ in 0..<3 {
            let client = try ChildProcess(
                BuiltProducts.photos.path,
                ["list"],
                environment: home.environment.merging(["PHOTOS_DAEMON": "1"]) { $1 }
            )
            // As the service manager does, when a program connects.
            var entry = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
            try #require(poll(&entry, 1, 20_000) == 1)
            let daemon = try home.activateDaemon(listener, ["--idle-exit", "0.05"])
            #expect(client.wait() == 0)
            #expect(daemon.wait() == 0)
        }
        #expect(FileManager.default.fileExists(atPath: home.socket))
    }
}
