import Foundation
import TestSupport
import Testing

/// Libraries of Apple Photos whose databases were made to do harm, or are written to meanwhile.
@Suite(.timeLimit(.minutes(2))) struct HostileLibraryTests {
    private let world: CommandWorld

    init() throws { world = try CommandWorld() }

    /// A change of a database of two photos, with its effect.
    private struct Attack: Sendable {
        var name: String
        var sql: String
        /// The reason of the library's failure; nil if its photos are imported.
        var reason: String?
        /// The code that the report has.
        var code: String?
    }

    private static let endless = """
        WITH RECURSIVE c(Z_PK) AS (SELECT 1 UNION ALL SELECT Z_PK + 1 FROM c)
        SELECT Z_PK, 'x' AS ZUUID, 'x' AS ZFULLNAME FROM c
        """

    private static let attacks = [
        Attack(
            name: "an endless view in place of the photos",
            sql: "DROP TABLE ZASSET; CREATE VIEW ZASSET AS \(endless);",
            reason: "no table ZASSET"
        ),
        Attack(
            name: "no numbers of tables",
            sql: "DELETE FROM Z_PRIMARYKEY;",
            reason: "how its tables are numbered"
        ),
        Attack(
            name: "a cell above the limit of 64 MB",
            sql: """
                UPDATE ZADDITIONALASSETATTRIBUTES SET ZTITLE = hex(zeroblob(34000000))
                WHERE ZASSET = 1;
                """,
            reason: "too large"
        ),
        Attack(
            name: "a cell of 2 MB",
            sql: "UPDATE ZADDITIONALASSETATTRIBUTES SET ZTITLE = hex(zeroblob(1000000));",
            code: "textTooLong"
        ),
        Attack(
            name: "an endless view as a detail, and triggers",
            sql: """
                DROP TABLE ZPERSON; CREATE VIEW ZPERSON AS \(endless);
                CREATE TRIGGER t AFTER UPDATE ON ZASSET BEGIN DELETE FROM ZASSET; END;
                """
        ),
        Attack(
            name: "folders in a circle",
            sql: "UPDATE ZGENERICALBUM SET ZPARENTFOLDER = 3 WHERE Z_PK IN (2, 3);",
            code: "folderCycle"
        ),
    ]

    /// Returns the names, sizes, times and digests of all files below some folders.
    private func state(of folders: [URL]) throws -> [String] {
        let script = """
            find "$@" -printf '%p %y %s %T@ %C@ %m\\n' | sort
            find "$@" -type f -exec sha256sum {} + | sort
            """
        return try ProcessRunner.run("sh", ["-c", script, "sh"] + folders.map(\.path)).lines
    }

    private func write(_ seed: Int, _ sql: String = "") throws -> URL {
        var library = AppleLibrary()
        library.assets = 2
        (library.liveEvery, library.editedEvery) = (0, 0)
        library.seed = UInt64(seed)
        let source = world.folder.file("Mac \(seed).photoslibrary")
        try library.write(to: source)
        if !sql.isEmpty { try library.execute(sql, in: source) }
        return source
    }

    @Test("Hostile databases cost a line each, and nothing else")
    func hostileDatabases() throws {
        let sources = try Self.attacks.enumerated().map { try write($0.offset, $0.element.sql) }
        try world.photo("plain.jpg")
        let before = try state(of: sources)
        let report = world.folder.file("report.jsonl")
        let output = try world.run(
            ["import", "--report", report.path] + sources.map(\.path) + [world.source.path]
        )
        #expect(output.status == 1, "\(output.errorText)")
        #expect(try state(of: sources) == before, "a source was written to")
        let text = try String(contentsOf: report, encoding: .utf8)
        // Each source has a header, and each library's part ends with its totals.
        let lines = try text.split(separator: "\n").map { try JSONLine(String($0)) }
        var parts: [String: [JSONLine]] = [:]
        var current = ""
        for line in lines {
            let header = (line.values["sources"] as? [[String: String]])?.first?["path"]
            if let header { current = header } else { parts[current, default: []].append(line) }
        }
        #expect(Set(parts.keys) == Set(sources.map(\.path) + [world.source.path]))
        for (attack, source) in zip(Self.attacks, sources) {
            let part = parts[source.path] ?? []
            guard let reason = attack.reason else {
                #expect(part.count { $0["outcome"] == "imported" } == 2, "\(attack.name)")
                let code = attack.code ?? "addsUp"
                #expect(part.contains { $0.text.contains("\"\(code)\"") }, "\(attack.name)")
                continue
            }
            #expect(part.dropLast().map { $0["outcome"] } == ["failed"], "\(attack.name)")
            #expect(part.first?["path"] == source.path)
            let stated = part.first?["reason"] ?? ""
            #expect(stated.contains(reason), "\(attack.name): \(stated)")
        }
        let imported = 2 * Self.attacks.count { $0.reason == nil } + 1
        #expect(try world.sql("SELECT count(*) FROM asset") == ["\(imported)"])
        try world.expectClean()
    }

    // MARK: - Databases that are written to

    /// P3: another program writes while the database is copied, each time or at first only.
    @Test(arguments: [1, 100]) func databaseIsWrittenDuringTheCopy(_ writes: Int) throws {
        let sql = "UPDATE ZADDITIONALASSETATTRIBUTES SET ZTITLE = ZTITLE || '+' WHERE ZASSET = 1;"
        let (source, twin) = (try write(1), try write(2))
        try FileManager.default.removeItem(at: twin)
        try FileManager.default.copyItem(at: source, to: twin)
        try world.photo("plain.jpg")
        let database = "database/Photos.sqlite"
        func update(_ library: URL) -> String {
            "sqlite3 '\(library.appendingPathComponent(database).path)' \"\(sql)\""
        }
        let log = world.folder.file("points")
        let output = try KillableCommand(world).run(
            ["import", "--json", source.path, world.source.path],
            killedAt: .copyDatabase,
            writes,
            command: update(source),
            log: log
        )
        let copies = try KillableCommand.points(in: log).counts[.copyDatabase] ?? 0
        #expect(copies == (writes == 1 ? 2 : 3))
        let lines = try output.lines.map(JSONLine.init)
        let mine = lines.filter { $0["path"]?.hasPrefix(source.path) == true }
        #expect(lines.outcomes["plain.jpg"] == "imported")
        if writes == 1 {
            #expect(output.status == 0, "\(output.errorText)")
            #expect(mine.map { $0["outcome"] } == ["imported", "imported"])
            let titles = try world.sql("SELECT title FROM asset WHERE title LIKE 'Title%'")
            #expect(titles == ["Title 0+"])
        } else {
            #expect(output.status == 1)
            #expect(mine.map { $0["outcome"] } == ["failed"])
            #expect(mine.first?["path"] == source.path)
            #expect(mine.first?["reason"]?.contains("Photos is writing to this library") == true)
            #expect(mine.first?["reason"]?.contains("Quit Photos and try again.") == true)
            #expect(try world.sql("SELECT originalFilename FROM asset") == ["plain.jpg"])
        }
        // Nothing but the other program's changes is in the source.
        for _ in 0..<min(writes, copies) {
            let written = try ProcessRunner.run("sh", ["-c", update(twin)])
            try #require(written.status == 0, "\(written.errorText)")
        }
        let compared = try ProcessRunner.run("diff", ["-r", source.path, twin.path])
        #expect(compared.status == 0, "\(compared.text)")
        try world.expectClean()
    }
}
