import Foundation
import Glibc
import LibraryService
import PhotoLibrary
import PhotoModel
import RemoteLibrary
import TestSupport
import Testing

/// The background work of the daemon, with real processes.
@Suite(.timeLimit(.minutes(3))) struct DutyProgramTests {
    private let home: DaemonHome

    init() throws {
        home = try DaemonHome()
        try home.succeed("create", daemon: "0")
    }

    private var lockFile: String { home.library + "/database/duty" }

    /// Waits until the state of the daemon meets a condition.
    private func waits(
        _ observer: RemoteLibrary,
        _ condition: (DaemonStatus) -> Bool
    ) throws -> Bool {
        try home.waits(pause: 20) { condition(try observer.daemonStatus()) }
    }

    private func line() -> String? { try? String(contentsOfFile: lockFile, encoding: .utf8) }

    @Test("The daemon holds the duty lock, and a kill frees it")
    func lock() throws {
        let daemon = try home.startDaemon()
        let client = try home.client()
        #expect(
            try waits(client) { status in
                status.duty == "daemon" && !status.duties.isEmpty
                    && status.duties.allSatisfy { $0.lastRun != nil }
            }
        )
        let status = try client.daemonStatus()
        let names = ["recovery", "purge", "history", "answers", "renditions", "scrub"]
        #expect(status.duties.map(\.name) == names)
        #expect(status.duties.allSatisfy { $0.state == "idle" }, "\(status.duties)")
        #expect(line() == "daemon \(daemon.number)\n")
        // The command sees it from outside.
        let text = try home.photos("daemon", "status", daemon: nil).text
        #expect(text.contains("daemon") && text.contains("purge"), "\(text)")

        // A second daemon waits, and gets the lock when the first is killed.
        let other = home.runtimePath + "/second"
        let second = try home.launch(["--listen", other])
        var configuration = RemoteConfiguration(
            socketPath: other,
            softwareVersion: "test",
            library: home.library
        )
        configuration.role = .owner
        let waiting = try #require(home.connect(configuration, to: second))
        #expect(
            try waits(waiting) { status in
                status.duty == "daemon" && status.duties.allSatisfy { $0.state == "waiting" }
            }
        )
        daemon.kill()
        daemon.wait()
        #expect(try waits(waiting) { $0.duties.contains { $0.lastRun != nil } })
        #expect(line() == "daemon \(second.number)\n")
        waiting.close()
        second.kill(SIGTERM)
        #expect(second.wait() == 0)
        #expect(line() == "")
    }

    @Test("The daemon waits for an embedded process")
    func embedded() throws {
        let lock = try LibraryStore.open(at: home.library).dutyLock
        #expect(lock?.acquire(as: .embedded) == true)
        try home.startDaemon()
        let client = try home.client()
        #expect(
            try waits(client) { status in
                status.duty == "embedded" && status.duties.allSatisfy { $0.state == "waiting" }
            }
        )
        lock?.release()
        #expect(try waits(client) { $0.duty == "daemon" })
        client.close()
    }

    @Test("The daemon deletes what was in Recently Deleted for 30 days")
    func purge() throws {
        let source = try home.drawPhotos("a.jpg", "b.jpg", "c.jpg", "d.jpg", "e.jpg")
        try home.succeed("import", source, daemon: "0")
        let identifiers = try home.succeed("list", "--json", daemon: "0")
            .matches(of: /"localIdentifier":"([^"]*)"/).map { String($0.1) }
        let words = ["delete"] + identifiers.dropLast()
        _ = try home.run(BuiltProducts.photos.path, words, daemon: "0")
        try home.succeed("album", "create", "Later", daemon: "0")
        // All of it happened long ago, except for the last change.
        let day = 86_400
        try ProcessRunner.sqlite(
            """
            UPDATE asset SET trashedDate = trashedDate - 40 * \(day);
            UPDATE journalVersion SET time = time - 40 * \(day)
                WHERE version < (SELECT max(version) FROM journalVersion);
            UPDATE journalVersion SET time = time - 2 * \(day)
                WHERE version = (SELECT max(version) FROM journalVersion);
            """,
            in: URL(fileURLWithPath: home.library + "/database/library.sqlite")
        )
        try home.startDaemon()
        let client = try home.client()
        #expect(try waits(client) { $0.duties.allSatisfy { $0.lastRun != nil } })
        client.close()
        let report = try home.succeed("status", "--json", daemon: "0")
        #expect(report.contains("\"assets\":1,") && report.contains("\"deleted\":0,"), "\(report)")
        let files = try ProcessRunner.run("find", [home.library + "/originals", "-name", "*.jpg"])
        #expect(files.lines.count == 1)
        let verified = try home.photos("verify", "--full", daemon: "0")
        #expect(verified.status == 0, "\(verified.text)")
    }

    @Test("Work pauses on a low battery and under pressure on the disk")
    func pauses() throws {
        let battery = "power/BAT0/"
        for (name, text) in [("type", "Battery"), ("status", "Discharging"), ("capacity", "29")] {
            try home.folder.write(Data((text + "\n").utf8), to: battery + name)
        }
        let pressure = try home.folder.write(
            Data("some avg10=0.00 avg60=90.00\nfull avg10=99.00 avg60=0.00\n".utf8),
            to: "pressure"
        )
        try home.startDaemon(
            "--power-supplies",
            home.folder.file("power").path,
            "--io-pressure",
            pressure.path
        )
        let client = try home.client()
        let isPaused = { (status: DaemonStatus) in
            status.duties.first { $0.name == "recovery" }?.state == "paused"
        }
        #expect(try waits(client, isPaused))
        // Clients are served.
        try client.commit(album: "one")
        try Data("some avg10=20.01 avg60=0.00\n".utf8).write(to: pressure)
        try home.folder.write(Data("30\n".utf8), to: battery + "capacity")
        let start = SuspendingClock.now
        while SuspendingClock.now < start + .seconds(2) {
            #expect(isPaused(try client.daemonStatus()))
            // Time is the subject: the pause lasts.
            usleep(20_000)
        }
        try Data("some avg10=20.00 avg60=0.00\n".utf8).write(to: pressure)
        #expect(try waits(client) { $0.duties.allSatisfy { $0.lastRun != nil } })
        client.close()
    }

    @Test("New assets get renditions, whoever imports them")
    func renditions() throws {
        try home.startDaemon()
        let client = try home.client()
        #expect(try waits(client) { $0.duties.allSatisfy { $0.lastRun != nil } })
        try home.succeed("import", try home.drawPhotos("a.jpg", side: 1_200), daemon: "0")
        #expect(
            try home.waits(pause: 20) {
                try client.renditionStatus().sizeClasses.first?.current == 1
            }
        )
        client.close()
    }

    @Test("A damaged file is logged and shown")
    func damage() throws {
        try home.succeed("import", try home.drawPhotos("a.jpg"), daemon: "0")
        let output = try ProcessRunner.run(
            "find",
            [home.library + "/originals", "-name", "*.jpg"]
        )
        let path = try #require(output.lines.first)
        chmod(path, 0o600)
        let size = try #require(FileManager.default.contents(atPath: path)).count
        try Data(count: size).write(to: URL(fileURLWithPath: path))
        try home.startDaemon()
        let client = try home.client()
        #expect(try waits(client) { $0.duties.contains { $0.state == "damaged" } })
        client.close()
        let status = try home.succeed("status", daemon: "0")
        #expect(status.contains("1 damaged file"), "\(status)")
        let json = try home.succeed("status", "--json", daemon: "0")
        #expect(json.contains("\"damagedFiles\":[\"originals/"), "\(json)")
    }
}
