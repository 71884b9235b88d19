import Foundation
import TestSupport
import Testing

/// Libraries of Apple Photos and exports that another program is writing, that were copied in part,
/// or that are removed while they are imported.
@Suite(.timeLimit(.minutes(5))) struct UnfinishedSourceTests {
    let world: CommandWorld
    let source: URL

    init() throws {
        world = try CommandWorld()
        source = world.folder.file("Mac.photoslibrary")
    }

    private var database: URL { source.appendingPathComponent("database/Photos.sqlite") }

    private func write(_ assets: Int) throws -> AppleLibrary {
        var library = AppleLibrary()
        library.assets = assets
        try library.write(to: source)
        return library
    }

    /// Returns the names, sizes, times and digests of all files of a folder.
    private func state(of folder: URL) throws -> [String] {
        let script = """
            find "$1" -printf '%P %y %s %T@ %C@ %m\\n' | sort
            find "$1" -type f -exec sha256sum {} + | sort
            """
        return try ProcessRunner.run("sh", ["-c", script, "sh", folder.path]).lines
    }

    // MARK: - Databases

    /// Another program is within a transaction: what it committed is imported, what it did not is
    /// not, and its lock is left alone.
    @Test(arguments: ["IMMEDIATE", "EXCLUSIVE"])
    func databaseThatIsBeingWrittenGivesWhatIsCommitted(_ lock: String) throws {
        let library = try write(6)
        let program = """
            import sqlite3, sys
            database = sqlite3.connect(sys.argv[1], isolation_level=None)
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA wal_autocheckpoint = 0")
            title = "UPDATE ZADDITIONALASSETATTRIBUTES SET ZTITLE = ? WHERE ZASSET = 1"
            database.execute(title, ["committed"])
            database.execute("BEGIN \(lock)")
            database.execute(title, ["not committed"])
            print("ready", flush=True)
            sys.stdin.read()
            """
        let writer = try LiveProcess(
            onTerminal: "/usr/bin/python3",
            ["-c", program, database.path],
            environment: world.environment
        )
        defer {
            writer.kill(SIGKILL)
            _ = writer.wait()
        }
        #expect(writer.read(until: "ready"))
        let before = try state(of: source)
        let lines = try world.objects("import", "--json", source.path)
        #expect(lines.count { $0["outcome"] == "imported" } == library.assets)
        #expect(try state(of: source) == before, "the source was written to")
        let titles = try world.sql("SELECT title FROM asset WHERE uuid = '\(library.uuid(0))'")
        #expect(titles == ["committed"])
        try world.expectClean()
    }

    /// A copy that ended early is one failed line, at whatever byte; the whole one is imported.
    @Test func databaseThatWasCopiedInPartIsOneFailedLine() throws {
        let library = try write(6)
        let whole = try Data(contentsOf: database)
        for length in [0, 50, 4096, 20_000, -4096, -1] {
            let part = length < 0 ? whole.dropLast(-length) : whole.prefix(length)
            try part.write(to: database)
            let before = try state(of: source)
            for options in [["--dry-run"], []] {
                let context = "\(length) \(options)"
                let arguments = ["import", "--json", source.path] + options
                let lines = try world.objects(arguments, status: 1)
                #expect(lines.map { $0["outcome"] } == ["failed"], "\(context)")
                #expect(lines.first?["path"] == source.path, "\(context)")
                let reason = lines.first?["reason"] ?? ""
                #expect(reason.contains("database"), "\(context): \(reason)")
            }
            #expect(try state(of: source) == before, "\(length): the source was written to")
        }
        #expect(try world.sql("SELECT count(*) FROM asset") == ["0"])
        try whole.write(to: database)
        let lines = try world.objects("import", "--json", source.path)
        #expect(lines.count { $0["outcome"] == "imported" } == library.assets)
        try world.expectClean()
    }

    // MARK: - Sources that are removed

    /// Starts an import, removes the source after the first lines, and checks that each item is
    /// reported; then imports a copy of the source.
    private func vanish(_ folder: URL, items: Int, isAll: Bool = true) throws {
        let copy = world.folder.file("copy")
        #expect(try ProcessRunner.run("cp", ["-a", folder.path, copy.path]).status == 0)
        let report = world.folder.file("report.jsonl")
        // The import waits for its output to be read, however late the source is removed.
        let process = try LiveProcess(
            BuiltProducts.photos.path,
            ["import", "--json", folder.path, "--report", report.path],
            environment: world.environment,
            outputBuffer: 4096
        )
        process.read(lines: 1)
        if isAll {
            try FileManager.default.removeItem(at: folder)
        } else {
            try FileManager.default.removeItem(at: folder.appendingPathComponent("library.jsonl"))
        }
        process.read()
        let status = process.wait().status
        let lines = try process.lines.map(JSONLine.init)
        let imported = lines.count { $0["outcome"] == "imported" }
        #expect(Set(lines.compactMap(\.item)).count >= items, "\(lines.count)")
        let totals = try #require(
            try String(contentsOf: report, encoding: .utf8).split(separator: "\n").last
        )
        #expect(totals.contains("\"addsUp\":true"), "\(totals)")
        if isAll {
            #expect(status == 1 && imported > 0 && imported < items, "\(imported)")
        } else {
            #expect(status == 0 && imported == items, "\(imported)")
        }
        try world.expectClean()
        if isAll { try FileManager.default.moveItem(at: copy, to: folder) }
        let rest = try world.objects("import", "--json", isAll ? folder.path : copy.path)
        #expect(rest.count { $0["outcome"] == "imported" } == items - imported)
        #expect(try world.sql("SELECT count(*) FROM asset") == ["\(items)"])
        try world.expectClean()
    }

    @Test func libraryThatIsRemovedIsCompletedLater() throws {
        var library = AppleLibrary()
        library.assets = 410
        (library.liveEvery, library.editedEvery) = (0, 0)
        try library.write(to: source)
        try vanish(source, items: library.assets)
    }

    /// An export's list is read as a whole before the first file is copied.
    @Test(arguments: [true, false])
    func exportThatIsRemovedIsCompletedLater(isAll: Bool) throws {
        let out = world.folder.file("out")
        let template = try Self.export.get()
        let copied = try ProcessRunner.run("cp", ["-a", template.source.path, out.path])
        #expect(copied.status == 0, "\(copied.errorText)")
        try vanish(out, items: Self.exported, isAll: isAll)
    }

    /// The number of photos in an export of more than two batches.
    private static let exported = 410

    /// A world whose source is an export, which is made once.
    private static let export = Result {
        let (made, template) = (try CommandWorld(), try CommandWorld())
        try made.photos((0..<exported).map { "IMG_\($0).JPG" }, padding: 1000)
        for arguments in [
            ["import", made.source.path], ["export", "--all", "-o", template.source.path],
        ] {
            let output = try made.run(arguments)
            try #require(output.status == 0, "\(output.errorText)")
        }
        return template
    }

    /// A list that ends within a line names the line, and loses none before it.
    @Test func listThatWasCopiedInPartGivesWhatItHolds() throws {
        let names = (0..<8).map { "IMG_\($0).JPG" }
        try world.photos(names, padding: 10)
        let other = world.folder.file("Other.photolibrary").path
        let out = world.folder.file("out")
        for arguments in [
            ["import", world.source.path], ["export", "--all", "-o", out.path],
        ] {
            let output = try world.run(["--library", other] + arguments)
            try #require(output.status == 0, "\(output.errorText)")
        }
        let list = out.appendingPathComponent("library.jsonl")
        let whole = try String(contentsOf: list, encoding: .utf8)
        let lines = whole.split(separator: "\n")
        let cut = lines.prefix(5).joined(separator: "\n") + "\n" + lines[5].prefix(80)
        try cut.write(to: list, atomically: false, encoding: .utf8)
        let before = try state(of: out)
        let first = try world.objects("import", "--json", out.path, status: 1)
        #expect(first.count { $0["outcome"] == "imported" } == 4)
        #expect(first.contains { $0["reason"]?.contains("cut off") == true })
        #expect(try state(of: out) == before, "the source was written to")
        try whole.write(to: list, atomically: false, encoding: .utf8)
        let rest = try world.objects("import", "--json", out.path)
        #expect(rest.count { $0["outcome"] == "imported" } == 4)
        #expect(try world.names().sorted() == names)
        try world.expectClean()
    }
}
