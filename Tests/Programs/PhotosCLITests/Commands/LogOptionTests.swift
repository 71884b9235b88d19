import Foundation
import TestSupport
import Testing

/// What the command records on standard error, and when.
@Suite(.timeLimit(.minutes(2))) struct LogOptionTests {
    let world: CommandWorld

    init() throws {
        world = try CommandWorld()
        _ = try world.library(of: ["a.jpg"])
    }

    @Test func nothingIsRecordedByDefault() throws {
        let output = try world.run("list", "--json")
        #expect(output.status == 0)
        #expect(output.errorText == "")
    }

    @Test(arguments: [["--verbose", "list", "--json"], ["list", "--json", "--verbose"]])
    func verboseRecordsDetailsOnStandardError(_ arguments: [String]) throws {
        let plain = try world.run("list", "--json")
        let output = try world.run(arguments)
        #expect(output.status == 0)
        #expect(output.text == plain.text)
        let opening = output.errorText.split(separator: "\n").first {
            $0.contains(" debug photos.store: The library was opened. ")
        }
        #expect(opening?.contains("store.path=\(world.library.path)") == true)
    }

    @Test func theVariableNamesTheLevel() throws {
        let text = { (level: String) in
            try world.run("list", "--json", variables: ["PHOTOS_LOG_LEVEL": level]).errorText
        }
        #expect(try text("debug").contains("debug photos.store: The library was opened."))
        #expect(try text("info") == "")
        let wrong = try world.run("list", "--json", variables: ["PHOTOS_LOG_LEVEL": "loud"])
        #expect(wrong.status == 0)
        #expect(
            wrong.errorText == """
                photos: PHOTOS_LOG_LEVEL is “loud”, which is no level: trace, debug, info, notice, \
                warning, error, critical.

                """
        )
    }

    @Test func anotherProcessThatWritesIsRecorded() throws {
        let lock = world.library.appendingPathComponent("database/lock").path
        let holder = try LiveProcess(
            "/usr/bin/flock",
            [lock, "sh", "-c", "echo held; exec sleep 0.6"],
            environment: world.environment
        )
        holder.read(lines: 1)
        let output = try world.run("album", "create", "Summer", "--verbose")
        #expect(output.status == 0, "\(output.errorText)")
        let text = output.errorText
        #expect(text.contains("photos.store: The writer lock was held by another writer."))
        #expect(text.contains("lock.holder=process"))
        #expect(holder.wait().status == 0)
    }
}
