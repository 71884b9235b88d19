import Foundation
import Glibc
import TestSupport
import Testing

/// Every exit of the command closes the database, so that no write-ahead log remains.
@Suite(.timeLimit(.minutes(2))) struct ClosingTests {
    let world: CommandWorld
    let ids: [String]

    init() throws {
        world = try CommandWorld()
        ids = try world.library(of: ["a.jpg", "b.jpg"])
    }

    /// Returns the files next to the two databases.
    private func logs() throws -> [String] {
        let folder = world.library.appendingPathComponent("database").path
        return try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter { $0.hasSuffix("-wal") || $0.hasSuffix("-shm") }.sorted()
    }

    @Test func shortChangesLeaveNoLog() throws {
        #expect(try logs() == [])
        for isFavorite in ["true", "false", "true", "false"] {
            _ = try world.objects("set", "--json", ids[0], "--favorite", isFavorite)
            #expect(try logs() == [])
        }
    }

    @Test(arguments: [
        ["list"], ["show", "00000000-0000-4000-8000-000000000000"],
        ["list", "--predicate", "a = 1"],
        ["verify"], ["renditions", "build"], ["set", "none", "--rating", "1"],
        ["import", "/nowhere"],
        ["undo"],
    ])
    func successAndFailureLeaveNoLog(arguments: [String]) throws {
        _ = try world.run(arguments)
        #expect(try logs() == [])
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func signalsLeaveNoLog(signal: Int32) throws {
        let token = try world.run("history", "--token").text.trimmingCharacters(in: .newlines)
        let watch = try world.start("watch", "--json", "--since", token)
        let folder = world.library.appendingPathComponent("database")
        let isOpen = try FileEvents.wait(in: folder, seconds: 30) { try logs().count == 2 }
        #expect(isOpen)
        _ = try world.objects("set", "--json", ids[0], "--rating", "\(signal % 5 + 1)")
        #expect(watch.read(lines: 1))
        // The watching program has the library open.
        #expect(try logs() == ["library.sqlite-shm", "library.sqlite-wal"])
        watch.kill(signal)
        watch.read()
        _ = watch.wait()
        #expect(try logs() == [])
    }

    @Test func signalsAtTheFirstLineEndTheCommand() throws {
        let token = try world.run("history", "--token").text.trimmingCharacters(in: .newlines)
        _ = try world.objects("set", "--json", ids[0], "--rating", "1")
        for round in 0..<24 {
            let signal = [SIGINT, SIGTERM, SIGHUP][round % 3]
            let watch = try world.start("watch", "--json", "--since", token)
            #expect(watch.read(lines: 1))
            watch.kill(signal)
            // A command that missed the signal would go on.
            watch.read(atMost: .seconds(20))
            watch.kill(SIGKILL)
            #expect(watch.wait().status == 0, "signal \(signal) in round \(round)")
        }
        #expect(try logs() == [])
    }

    @Test func ignoredSignalsStayIgnored() throws {
        let token = try world.run("history", "--token").text.trimmingCharacters(in: .newlines)
        let script = "trap '' HUP; exec \"$0\" watch --json --since \"$1\""
        let watch = try LiveProcess(
            "/bin/sh",
            ["-c", script, BuiltProducts.photos.path, token],
            environment: world.environment
        )
        for rating in 1...2 {
            _ = try world.objects("set", "--json", ids[0], "--rating", "\(rating)")
            #expect(watch.read(lines: rating))
            // As of a terminal that is closed, which nohup ignores for the program that it starts.
            watch.kill(SIGHUP)
        }
        watch.kill(SIGTERM)
        watch.read()
        #expect(watch.wait().status == 0)
        #expect(watch.lines.count == 2)
    }

    @Test func signalsThatNobodyWaitsForLeaveNoLog() throws {
        // A command without a signal handler, stopped while it waits for space in its output.
        let fifo = world.folder.file("output").path
        try #require(mkfifo(fifo, 0o600) == 0)
        let end = open(fifo, O_RDWR | O_CLOEXEC | O_NONBLOCK)
        try #require(end >= 0)
        defer { close(end) }
        let filler = [UInt8](repeating: 10, count: 4096)
        while write(end, filler, filler.count) > 0 {}
        let command = try LiveProcess(
            "/bin/sh",
            ["-c", "exec \"$0\" list > \"$1\"", BuiltProducts.photos.path, fifo],
            environment: world.environment
        )
        // The library is open at that point, and nothing reads it.
        let place = "/proc/\(command.identifier)/wchan"
        let clock = ContinuousClock()
        let deadline = clock.now + .seconds(30)
        func isWriting() -> Bool {
            (try? String(contentsOfFile: place, encoding: .utf8))?.contains("pipe_write") == true
        }
        while !isWriting(), clock.now < deadline { sched_yield() }
        #expect(try logs() == ["library.sqlite-shm", "library.sqlite-wal"])
        command.kill(SIGTERM)
        #expect(command.wait().status == 128 + SIGTERM)
        #expect(try logs() == [])
    }

    @Test func aReaderThatGoesAwayLeavesNoLog() throws {
        let script = "\"$0\" list --json | head -n 1; \"$0\" list >&-"
        var environment: [String: String?] = [:]
        for (name, value) in world.environment { environment[name] = value }
        _ = try ProcessRunner.run(
            "/bin/sh",
            ["-c", script, BuiltProducts.photos.path],
            environment: environment
        )
        #expect(try logs() == [])
    }

    /// The database of the library that provides files is read from a copy.
    @Test func aRepairThatFailsLeavesNoCopy() throws {
        let temporary = try world.folder.folder("temporary")
        let donor = world.folder.file("Donor.photolibrary")
        try FileManager.default.copyItem(at: world.library, to: donor)
        let originals = world.library.appendingPathComponent("originals").path
        let file = try ProcessRunner.run("find", [originals, "-type", "f"]).lines[0]
        try FileManager.default.removeItem(atPath: file)
        var environment = world.environment.mapValues { $0 as String? }
        environment["TMPDIR"] = temporary.path
        let output = try ProcessRunner.run(
            "/bin/sh",
            [
                "-c", "\"$0\" verify --repair --from \"$1\" > /dev/full",
                BuiltProducts.photos.path, donor.path,
            ],
            environment: environment
        )
        #expect(output.status == 1, "\(output.errorText)")
        #expect(output.errorText.contains("Standard output cannot be written to"))
        #expect(FileManager.default.fileExists(atPath: file))
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path) == [])
    }

    @Test func theGalleryLeavesNoLog() throws {
        let gallery = try world.start("serve", "--json")
        #expect(gallery.read(lines: 1))
        gallery.kill(SIGTERM)
        gallery.read()
        _ = gallery.wait()
        #expect(try logs() == [])
    }
}
