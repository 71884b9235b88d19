import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct DeletionCommandTests {
    let world: CommandWorld
    let ids: [String]

    init() throws {
        world = try CommandWorld()
        ids = try world.library(of: ["a.jpg", "b.jpg", "c.jpg"])
    }

    private func originals() throws -> Int {
        let folder = world.library.appendingPathComponent("originals").path
        return try FileManager.default.subpathsOfDirectory(atPath: folder)
            .count { $0.hasSuffix(".jpg") }
    }

    @Test func deletedAssetsComeBackOrGoForGood() throws {
        let deleted = try world.objects("delete", "--json", ids[0], ids[2])
        #expect(deleted.map { $0["localIdentifier"] } == [ids[0], ids[2]])
        #expect(deleted.map { $0["outcome"] } == ["deleted", "deleted"])
        #expect(try world.names() == ["b.jpg"])
        #expect(Set(try world.names("--deleted")) == ["a.jpg", "c.jpg"])
        #expect(try world.names("--deleted", "--limit", "1").count == 1)
        #expect(try originals() == 3)

        let restored = try world.objects("restore", "--json", ids[0])
        #expect(restored.map { $0["outcome"] } == ["restored"])
        #expect(try world.names() == ["a.jpg", "b.jpg"])

        let purged = try world.objects("purge", "--json", "--yes", ids[2])
        #expect(purged.map { $0["outcome"] } == ["purged"])
        #expect(purged.map { $0["localIdentifier"] } == [ids[2]])
        #expect(try world.names("--deleted") == [])
        #expect(try originals() == 2)
        #expect(try world.run("verify", "--full").errorText == "No problems found.\n")
    }

    @Test func listsSayWhenItWasDeleted() throws {
        _ = try world.objects("delete", "--json", ids[1])
        let line = try #require(try world.objects("list", "--deleted", "--json").first)
        let date = try Date(try #require(line["trashedDate"]), strategy: .iso8601)
        #expect(abs(date.timeIntervalSinceNow) < 600)
        let other = try #require(try world.objects("list", "--json").first)
        #expect(other.values["trashedDate"] == nil)
    }

    @Test func purgingEverything() throws {
        _ = try world.objects("delete", "--json", ids[0], ids[1])
        let lines = try world.objects("purge", "--all", "--yes", "--json")
        #expect(Set(lines.compactMap { $0["localIdentifier"] }) == [ids[0], ids[1]])
        let again = try world.run("purge", "--all", "--yes")
        #expect(again.status == 0)
        #expect(again.errorText == "Recently Deleted is empty.\n")
    }

    /// Without a terminal, deleting does not prompt because it can be undone, and purging requires
    /// --yes.
    @Test func withoutATerminalOnlyPurgingNeedsConsent() throws {
        #expect(try world.run("delete", ids[0]).status == 0)
        let refused = try world.run("purge", "--all")
        #expect(refused.status == 1)
        #expect(
            refused.errorText.hasPrefix("photos: There is no terminal to ask for confirmation.")
        )
        #expect(try world.names("--deleted") == ["a.jpg"])
        for subject in [ids[0], "--all"] {
            let lines = try world.objects("purge", "--json", subject, status: 1)
            #expect(lines.map { $0["outcome"] } == ["failed"])
        }
    }

    @Test func onlyWhatIsDeletedIsRestoredOrPurged() throws {
        _ = try world.objects("delete", "--json", ids[0])
        for verb in ["restore", "purge"] {
            let output = try world.run(verb, ids[0], ids[1])
            #expect(output.status == 1)
            #expect(output.errorText.contains("Recently Deleted does not contain \(ids[1])."))
        }
        #expect(try world.names("--deleted") == ["a.jpg"])
    }

    @Test func whatIsDeletedIsNotDeletedAgain() throws {
        _ = try world.objects("delete", "--json", ids[0])
        let output = try world.run("delete", ids[0])
        #expect(output.status == 1)
        #expect(output.errorText.contains("Recently Deleted"))
        #expect(output.errorText.contains("photos restore"))
    }

    // MARK: - On a terminal

    @Test(arguments: [("y", true), ("YES", true), ("n", false), ("", false), ("perhaps", false)])
    func theTerminalIsAsked(answer: String, isDeleted: Bool) throws {
        let process = try world.startOnTerminal("delete", ids[0], ids[1])
        #expect(process.read(until: "Move 2 items (a.jpg, b.jpg) to Recently Deleted? [y/N] "))
        process.type(answer)
        process.read()
        #expect(process.wait().status == (isDeleted ? 0 : 1))
        #expect(try world.names() == (isDeleted ? ["c.jpg"] : ["a.jpg", "b.jpg", "c.jpg"]))
        #expect(process.text.contains(isDeleted ? "Moved 2 assets" : "nothing was changed"))
    }

    @Test func theTerminalIsAskedEvenWhenInputIsNot() throws {
        let process = try world.startOnTerminal("delete", ids[0], input: "/dev/null")
        #expect(process.read(until: "? [y/N] "))
        process.type("y")
        process.read()
        #expect(process.wait().status == 0)
    }

    @Test func consentInAdvanceIsEnough() throws {
        let process = try world.startOnTerminal("delete", ids[0], "--yes")
        process.read()
        #expect(process.wait().status == 0)
        #expect(!process.text.contains("[y/N]"))
    }

    @Test func purgingAsksOnATerminal() throws {
        _ = try world.objects("delete", "--json", ids[0])
        for (answer, left) in [("n", ["a.jpg"]), ("y", [])] {
            let process = try world.startOnTerminal("purge", "--all")
            #expect(process.read(until: "This cannot be undone. [y/N] "))
            process.type(answer)
            process.read()
            _ = process.wait()
            #expect(try world.names("--deleted") == left)
        }
    }
}
