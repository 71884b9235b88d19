import Foundation
import Glibc
import TestSupport
import Testing

/// A library that lost its write-ahead log is distinguished from one that never had the changes.
@Suite(.timeLimit(.minutes(2))) struct LostLogTests {
    let world: CommandWorld
    let ids: [String]
    /// The history token of the last change, which is lost.
    let lostToken: String
    /// The log that was removed.
    let log: URL

    private static let message =
        "Changes up to 2 are missing: `library.sqlite-wal` was lost or the copy is incomplete."
    private static let advice =
        "Restore the file, or accept the older state with `photos verify --repair`."

    /// Creates a library of three photos; the change that added the rating was only in the log, and
    /// is gone.
    init() throws {
        world = try CommandWorld()
        ids = try world.library(of: ["a.jpg", "b.jpg", "c.jpg"])
        let token = try world.run("history", "--token").text.trimmingCharacters(in: .newlines)
        #expect(token.contains(":1:"))
        // A process that has the library open keeps its log on disk, and is killed.
        let watch = try world.start("watch", "--json", "--since", token)
        let database = world.library.appendingPathComponent("database")
        let wal = database.appendingPathComponent("library.sqlite-wal")
        let clock = ContinuousClock()
        let deadline = clock.now + .seconds(30)
        while access(wal.path, F_OK) != 0, clock.now < deadline { sched_yield() }
        _ = try world.objects("set", "--json", ids[0], "--rating", "5")
        #expect(watch.read(lines: 1))
        watch.kill(SIGKILL)
        _ = watch.wait()
        let line = try JSONLine(try #require(watch.lines.first))
        lostToken = try #require(line["token"])
        log = world.folder.file("saved-wal")
        try FileManager.default.moveItem(at: wal, to: log)
        unlink(database.appendingPathComponent("library.sqlite-shm").path)
    }

    private func rating() throws -> String? {
        let output = try world.run("show", "--json", ids[0])
        return try JSONLine(try #require(output.lines.first))["rating"]
    }

    @Test func readingGoesOnWithANotice() throws {
        let output = try world.run("list", "--json")
        #expect(output.status == 0)
        #expect(output.lines.count == 3)
        #expect(output.errorText == "photos: \(Self.message) \(Self.advice)\n")
        #expect(try rating() == "unset")
    }

    @Test(arguments: [
        ["list"], ["show", "none"], ["verify"], ["undo"], ["set", "none", "--rating", "1"],
    ])
    func theCopyThatIsReadIsRemoved(arguments: [String]) throws {
        let temporary = try world.folder.folder("temporary")
        let output = try world.run(arguments, variables: ["TMPDIR": temporary.path])
        #expect(output.errorText.contains(Self.message), "\(output.errorText)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path) == [])
    }

    @Test func writingIsRefused() throws {
        try world.photo("d.jpg", seed: 99)
        for arguments in [
            ["import", world.source.path], ["set", ids[0], "--rating", "1"], ["undo"],
        ] {
            let output = try world.run(arguments)
            #expect(output.status == 1, "\(arguments)")
            #expect(output.errorText.contains(Self.message), "\(arguments): \(output.errorText)")
            #expect(output.errorText.contains(Self.advice), "\(arguments)")
        }
        #expect(try world.names().count == 3)
    }

    @Test func verifyReportsDamage() throws {
        for arguments in [["verify", "--json"], ["verify", "--full", "--json"]] {
            let output = try world.run(arguments)
            #expect(output.status == 1)
            let lines = try output.lines.map(JSONLine.init)
            #expect(lines.map { $0["kind"] } == ["missingChanges"])
            #expect(lines.first?["severity"] == "damage")
            #expect(lines.first?["message"] == Self.message)
            #expect(lines.first?["advice"] == Self.advice)
        }
    }

    @Test func statusReportsIt() throws {
        let status = try #require(try world.objects("status", "--json").first)
        #expect(status.number("missingVersion") == 2)
        #expect(status.number("version") == 1)
        #expect(status["readOnlyReason"] == Self.message)
        #expect(try world.run("status").text.contains("photos verify --repair"))
    }

    @Test func theLogCanBePutBack() throws {
        // Reading the library in the meantime does no harm.
        for arguments in [["list"], ["status"], ["verify"]] { _ = try world.run(arguments) }
        let place = world.library.appendingPathComponent("database/library.sqlite-wal")
        unlink(place.path)
        try FileManager.default.moveItem(at: log, to: place)
        #expect(try rating() == "five")
        let output = try world.run("verify")
        #expect(output.status == 0)
        #expect(output.errorText == "No problems found.\n")
    }

    @Test func repairAcceptsTheOlderState() throws {
        let output = try world.run("verify", "--repair", "--json")
        #expect(output.status == 0)
        let lines = try output.lines.map(JSONLine.init)
        #expect(lines.map { $0["kind"] } == ["missingChanges"])
        #expect(lines.first?.flag("isRepaired") == true)
        #expect(try world.run("verify").errorText == "No problems found.\n")
        // The token has expired, even after another change with its number.
        for _ in 1...2 {
            let history = try world.run("history", "--since", lostToken)
            #expect(history.status == 1)
            #expect(history.text == "")
            _ = try world.objects("set", "--json", ids[1], "--rating", "3")
            _ = try world.objects("set", "--json", ids[1], "--rating", "4")
        }
    }

    @Test(arguments: ["", "torn", "of another library"])
    func whatIsNoNoteRaisesNoAlarm(kind: String) throws {
        let file = world.library.appendingPathComponent("database/changed")
        var bytes = try Data(contentsOf: file)
        switch kind {
        case "torn": bytes[bytes.count / 2] ^= 1
        case "of another library":
            let other = try CommandWorld()
            _ = try other.run("create")
            _ = try other.run("album", "create", "A")
            _ = try other.run("album", "create", "B")
            let path = other.library.appendingPathComponent("database/changed")
            bytes = try Data(contentsOf: path)
            #expect(!bytes.isEmpty)
        default: bytes = Data()
        }
        try bytes.write(to: file)
        #expect(try world.run("list").errorText == "")
        _ = try world.objects("set", "--json", ids[0], "--rating", "1")
    }
}
