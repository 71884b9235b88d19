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

    /// Returns every entry of the library with its size and its modification time.
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

    @Test func theKeysAreThoseOfTheHelp() throws {
        let line = try #require(try world.run("status", "--json").lines.first)
        let help = try world.run("status", "--help").text
            .split(whereSeparator: { " ,.()\n".contains($0) }).map(String.init)
        let values = try JSONLine(line).values
        for key in values.keys { #expect(help.contains(key), "\(key)") }
        #expect(values.count == 31)
        #expect(try #require(values["softwareVersion"] as? String).contains("."))
    }

    @Test func readersAreCounted() throws {
        let file = world.library.appendingPathComponent("database/library.sqlite").path
        let sql = "UPDATE asset SET readerVersion = 0 WHERE id = (SELECT min(id) FROM asset)"
        #expect(try ProcessRunner.run("sqlite3", [file, sql]).status == 0)
        let status = try status()
        let current = try #require(status.number("readerVersion"))
        let readers = try #require(status.values["readers"] as? [[String: Any]])
        #expect(readers.map { $0["readerVersion"] as? Int } == [0, Int(current)])
        #expect(readers.map { $0["assets"] as? Int } == [1, 2])
        #expect(status.number("assetsOfEarlierReaders") == 1)
    }

    @Test func programsThatHaveItOpenAreListed() throws {
        #expect((try status().values["programs"] as? [Any])?.isEmpty == true)
        let watcher = try world.start("watch", "--json", "--since", try token())
        _ = try world.objects("set", "--json", ids[0], "--favorite", "true")
        watcher.read(lines: 1)
        let programs = try #require(try status().values["programs"] as? [[String: Any]])
        #expect(programs.map { $0["processIdentifier"] as? Int } == [Int(watcher.identifier)])
        #expect(programs.map { $0["program"] as? String } == ["photos"])
        #expect(programs.map { $0["workers"] as? Int } == [0])
        let text = try world.run("status").text
        #expect(text.contains("photos (process \(watcher.identifier))"))
    }

    private func token() throws -> String {
        try #require(try world.run("history", "--token").lines.first)
    }

    @Test func aWriterIsNamedAndNotWaitedFor() throws {
        #expect(try status().values["writer"] is NSNull)
        let lock = world.library.appendingPathComponent("database/lock").path
        let holder = try LiveProcess(
            "/usr/bin/flock",
            ["--no-fork", lock, "sh", "-c", "echo held; exec sleep 60"],
            environment: world.environment
        )
        holder.read(lines: 1)
        let writer = try #require(try status().values["writer"] as? [String: Any])
        #expect(writer["processIdentifier"] as? Int == Int(holder.identifier))
        #expect(writer["program"] as? String == "sleep")
        holder.kill(SIGKILL)
    }

    // MARK: - The last check

    private static func date(_ text: String) -> Date? {
        try? Date(
            text,
            strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains("."))
        )
    }

    private func lastCheck() throws -> [String: Any]? {
        try status().values["lastCheck"] as? [String: Any]
    }

    @Test func theLastCheckIsReported() throws {
        #expect(try status().values["lastCheck"] is NSNull)
        #expect(try world.run("status").text.contains("never"))
        #expect(try world.run("verify").status == 0)
        let first = try #require(try lastCheck())
        #expect(first["full"] as? Bool == false)
        #expect(first["damages"] as? Int == 0)
        #expect(first["version"] as? Int == (try status().number("version")).map { Int($0) })
        let date = try #require(Self.date(first["date"] as? String ?? ""))
        #expect(abs(date.timeIntervalSinceNow) < 100)

        let originals = world.library.appendingPathComponent("originals").path
        let file = try ProcessRunner.run("find", [originals, "-type", "f"]).lines[0]
        try FileManager.default.removeItem(atPath: file)
        #expect(try world.run("verify", "--full").status == 1)
        let second = try #require(try lastCheck())
        #expect(second["full"] as? Bool == true)
        #expect(second["damages"] as? Int == 1)
        #expect(try world.run("status").text.contains("in full, 1 damaged"))
        #expect(try world.run("verify").status == 1)
    }

    /// On a medium that cannot be written to there is a status, with the check that was recorded
    /// before, and a check leaves nothing behind.
    @Test func aReadOnlyLibraryKeepsItsLastCheck() throws {
        #expect(try world.run("verify").status == 0)
        let database = world.library.appendingPathComponent("database").path
        chmod(database, 0o500)
        defer { chmod(database, 0o700) }
        let before = try entries()
        let check = try world.runWithoutPrivileges("verify")
        #expect(check.status == 0, "\(check.errorText)")
        #expect(try entries() == before)
        let output = try world.runWithoutPrivileges("status", "--json")
        let status = try JSONLine(try #require(output.lines.first))
        #expect((status.values["lastCheck"] as? [String: Any])?["damages"] as? Int == 0)
    }

    @Test func sizesCanBeWaitedFor() throws {
        let status = try #require(try world.objects("status", "--json", "--sizes").first)
        #expect(try #require(status.number("originalsBytes")) > 0)
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
