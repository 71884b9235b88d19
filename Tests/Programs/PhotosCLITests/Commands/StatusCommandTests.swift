import Foundation
import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct StatusCommandTests {
    let world: CommandWorld
    let ids: [String]

    init() throws {
        world = try CommandWorld()
        ids = try world.library(of: ["a.jpg", "b.jpg", "c.jpg"])
    }

    private func status() throws -> JSONLine {
        try #require(try world.objects("status", "--json").first)
    }

    /// Every entry of the library with its size and its modification time.
    private func entries() throws -> [String] {
        let output = try ProcessRunner.run(
            "find",
            [world.library.path, "-type", "f", "-printf", "%P %s %T@\\n"]
        )
        return output.lines.sorted()
    }

    @Test func countsAndSizesAreReported() throws {
        _ = try world.objects("set", "--json", ids[0], "--hidden", "true")
        _ = try world.objects("delete", "--json", "--yes", ids[1])
        _ = try world.objects("album", "create", "--json", "Summer")
        let status = try status()
        #expect(status["path"] == world.library.path)
        #expect(status.number("format") == 1)
        #expect(status.values["readOnlyReason"] is NSNull)
        #expect(status.values["missingVersion"] is NSNull)
        let counts = ["assets", "hidden", "deleted", "albums", "folders", "resources"]
        #expect(counts.map { status.number($0) } == [2, 1, 1, 1, 0, 3])
        let files = try FileManager.default.contentsOfDirectory(atPath: world.source.path)
        let bytes = try files.reduce(0) { sum, name in
            sum + (try Data(contentsOf: world.source.appendingPathComponent(name))).count
        }
        #expect(status.number("originalsBytes") == Double(bytes))
        #expect(try #require(status.number("databaseBytes")) > 0)
        #expect(status.number("editsBytes") == 0)
    }

    @Test func nothingIsCreatedOrChanged() throws {
        let before = try entries()
        let output = try world.run("status")
        #expect(output.status == 0)
        #expect(output.errorText == "")
        #expect(output.text.contains(world.library.path))
        #expect(try entries() == before)
    }

    @Test func thereIsNoStatusWithoutALibrary() throws {
        let other = world.folder.file("None.photolibrary").path
        let output = try world.run("status", "--library", other)
        #expect(output.status == 1)
        #expect(output.text == "")
        #expect(output.errorText.contains(other))
        #expect(!FileManager.default.fileExists(atPath: other))
    }

    @Test func aLibraryThatIsNotWritableHasAStatus() throws {
        let database = world.library.appendingPathComponent("database").path
        chmod(database, 0o500)
        defer { chmod(database, 0o700) }
        let output = try world.runWithoutPrivileges("status", "--json")
        #expect(output.status == 0, "\(output.errorText)")
        let status = try JSONLine(try #require(output.lines.first))
        #expect(status["readOnlyReason"]?.contains(database) == true)
        #expect(status.number("assets") == 3)
    }

    @Test func aReaderThatKeepsTheLogIsNamed() throws {
        let file = world.library.appendingPathComponent("database/library.sqlite").path
        // SQLite's own shell reads, and waits for the next statement.
        let pipe = world.folder.file("statements").path
        try #require(mkfifo(pipe, 0o600) == 0)
        let statements = open(pipe, O_RDWR | O_CLOEXEC)
        try #require(statements >= 0)
        let sql = Array("BEGIN; SELECT count(*) FROM asset;\n".utf8)
        #expect(write(statements, sql, sql.count) == sql.count)
        let reader = try LiveProcess(
            "/bin/sh",
            ["-c", "exec stdbuf -oL sqlite3 \"$0\" < \"$1\"", file, pipe],
            environment: world.environment
        )
        reader.read(lines: 1)
        #expect(reader.lines == ["3"])
        _ = try world.objects("set", "--json", ids[0], "--favorite", "true")
        let readers = try status().values["logReaders"] as? [[String: Any]]
        #expect(readers?.compactMap { $0["program"] as? String } == ["sqlite3"])
        let text = try world.run("status").text
        let process = try #require(readers?.first?["processIdentifier"] as? Int)
        #expect(text.contains("sqlite3 (process \(process))"))
        close(statements)
        reader.read()
        #expect(reader.wait().status == 0)
        #expect((try status().values["logReaders"] as? [Any])?.isEmpty == true)
    }
}
