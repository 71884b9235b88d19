import Foundation
import TestSupport
import Testing

/// Libraries of Apple Photos, imported by the command.
@Suite(.timeLimit(.minutes(10))) struct AppleLibraryTests {
    let world: CommandWorld
    let library: AppleLibrary
    let source: URL

    init() throws {
        world = try CommandWorld()
        var library = AppleLibrary()
        library.assets = 30
        self.library = library
        source = world.folder.file("Mac/A copied folder")
        try library.write(to: source)
    }

    /// What an import makes: identifiers, files and albums, without row ids and times.
    private func content(of path: String) throws -> [String] {
        let output = try ProcessRunner.run(
            "sqlite3",
            [
                "-cmd", ".timeout 20000", path + "/database/library.sqlite",
                """
                SELECT 'asset', uuid, title, caption, keywords, creationDate, captureOffset,
                    isFavorite, trashedDate, hasAdjustments, latitude FROM asset ORDER BY uuid;
                SELECT 'file', a.uuid, r.type, r.originalFilename, hex(r.sha256)
                FROM resource r JOIN asset a ON a.id = r.assetId ORDER BY a.uuid, r.type, 5;
                SELECT 'album', c.uuid, c.title, p.uuid FROM collection c
                LEFT JOIN collection p ON p.id = c.parentId WHERE c.kind IN (2, 3) ORDER BY c.uuid;
                SELECT 'member', c.uuid, a.uuid FROM albumAsset j JOIN asset a ON a.id = j.assetId
                JOIN collection c ON c.id = j.albumId WHERE c.kind = 2
                ORDER BY c.uuid, j.position, a.id;
                """,
            ]
        )
        #expect(output.status == 0, "\(output.errorText)")
        return output.lines
    }

    @Test func dryRunWritesNothingAndReports() throws {
        try FileManager.default.removeItem(atPath: source.path + "/" + library.original(3))
        let report = world.folder.file("report.jsonl")
        let output = try world.run(
            "import",
            "--dry-run",
            "--json",
            source.path,
            "--report",
            report.path
        )
        #expect(output.status == 1)
        #expect(!FileManager.default.fileExists(atPath: world.library.path))
        let lines = try String(contentsOf: report, encoding: .utf8)
            .split(separator: "\n").map(String.init)
        // The report has the lines of the output between its header and its totals.
        #expect(Array(lines.dropFirst().dropLast()) == output.lines)
        let header = try JSONLine(try #require(lines.first))
        let kind = (header.values["sources"] as? [[String: String]])?.first
        #expect(kind == ["kind": "applePhotos", "path": source.path])
        #expect(header.flag("dryRun") == true && header["generation"]?.hasPrefix("Photos") == true)
        #expect(header.values["assets"] as? Int == 30)
        #expect(header.values["originalsMissing"] as? Int == 1)
        let totals = try #require(lines.last)
        #expect(totals.contains("\"assets\":30,\"imported\":29"))
        #expect(totals.contains("\"missing\":1") && totals.contains("\"addsUp\":true"))
        #expect(output.lines.filter { $0.contains("\"outcome\":\"missing\"") }.count == 1)
        #expect(!FileManager.default.fileExists(atPath: report.path + ".partial"))
    }

    @Test func reportOfARealRunEqualsItsLines() throws {
        let report = world.folder.file("report.jsonl")
        let output = try world.run("import", "--json", source.path, "--report", report.path)
        #expect(output.status == 0, "\(output.errorText)")
        let lines = try String(contentsOf: report, encoding: .utf8)
            .split(separator: "\n").map(String.init)
        #expect(Array(lines.dropFirst().dropLast()) == output.lines)
        let again = try world.run("import", source.path)
        #expect(again.status == 0)
        #expect(again.errorText.contains("30 already there of 30"))
        let verify = try world.run("verify", "--full")
        #expect(verify.errorText == "No problems found.\n")
    }

    /// A truncated original and one that is no photo fail each run until they are intact.
    @Test func imperfectOriginalsFailEachRun() throws {
        let files = [3, 4].map { URL(fileURLWithPath: source.path + "/" + library.original($0)) }
        let intact = try files.map { try Data(contentsOf: $0) }
        try intact[0].dropLast(5).write(to: files[0])
        try Data("no photo".utf8).write(to: files[1])
        try library.execute(
            """
            UPDATE ZADDITIONALASSETATTRIBUTES SET ZORIGINALFILESIZE = \(intact[0].count)
            WHERE ZASSET = 4;
            """,
            in: source
        )
        for outcome in ["imported", "duplicate"] {
            let lines = try world.objects("import", "--json", source.path, status: 1)
            let notes = lines.compactMap { $0.values["notes"] as? [[String: Any]] }.joined()
            let damaged = notes.filter { $0["code"] as? String == "damaged" }
            #expect(damaged.map { $0["level"] as? String } == ["error"])
            #expect(lines.count { $0["outcome"] == "unsupported" } == 1)
            #expect(lines.count { $0["outcome"] == outcome } == 29)
        }
        // Each of them alone fails the run.
        try intact[1].write(to: files[1])
        let one = try world.run("import", source.path)
        #expect(one.status == 1 && one.errorText.contains("1 imported but damaged"))
        try intact[0].write(to: files[0])
        try Data("no photo".utf8).write(to: files[1])
        let other = world.folder.file("Other.photolibrary").path
        let two = try world.run("--library", other, "import", source.path)
        #expect(two.status == 1 && two.errorText.contains("1 unsupported"))
        try intact[1].write(to: files[1])
        for _ in 0..<2 { #expect(try world.run("import", source.path).status == 0) }
        let verify = try world.run("verify", "--full")
        #expect(verify.errorText == "No problems found.\n")
    }

    @Test func wrongOptionsAreUsageErrors() throws {
        for arguments in [
            ["import", "--move", source.path], ["import", "--volume", "Disk", source.path],
            ["import", "--volume", "=x", source.path],
            ["import", "--volume", "a=b", "--volume", "a=c", source.path],
            ["import", "--report", "", source.path],
            // What no path can have.
            ["import", "--proxies", world.source.path],
            ["import", "--shared-albums", world.source.path],
            ["import", "--volume", "a=b", world.source.path],
            ["import", "--proxies", "--device", "camera"],
        ] {
            let output = try world.run(arguments)
            #expect(output.status == 2, "\(arguments): \(output.errorText)")
        }
        #expect(!FileManager.default.fileExists(atPath: world.library.path))
    }

    /// What is missing is said before the first file is copied, whatever form the lines have.
    @Test(arguments: [[], ["--json"]]) func absentOriginalsAreNamedAtTheBeginning(
        _ options: [String]
    ) throws {
        let original = source.appendingPathComponent(library.original(2))
        try FileManager.default.removeItem(at: original)
        let report = world.folder.file("report.jsonl")
        let output = try world.run(["import", source.path, "--report", report.path] + options)
        #expect(output.status == 1)
        let words = "1 of \(library.assets) originals are not there."
        #expect(output.errorText.contains(words), "\(output.errorText)")
        let header = try JSONLine(
            try #require(
                try String(contentsOf: report, encoding: .utf8).split(separator: "\n").first
            )
            .description
        )
        let notes = header.values["notes"] as? [[String: Any]] ?? []
        let absent = try #require(notes.first { $0["code"] as? String == "originalsMissing" })
        #expect((absent["text"] as? String)?.hasPrefix("1 of \(library.assets) ") == true)
    }

    @Test func libraryThatCannotBeReadDoesNotStopTheOthers() throws {
        let broken = world.folder.file("Broken.photoslibrary")
        try FileManager.default.createDirectory(
            at: broken.appendingPathComponent("database"),
            withIntermediateDirectories: true
        )
        try Data("no database".utf8)
            .write(to: broken.appendingPathComponent("database/Photos.sqlite"))
        let aperture = world.folder.file("Aperture")
        try FileManager.default.createDirectory(
            at: aperture.appendingPathComponent("Aperture.aplib"),
            withIntermediateDirectories: true
        )
        try Data().write(to: aperture.appendingPathComponent("Aperture.aplib/Library.apdb"))
        try world.photos(["plain.jpg"])
        let output = try world.run(
            "import",
            "--json",
            broken.path,
            aperture.path,
            source.path,
            world.source.path
        )
        #expect(output.status == 1)
        let failed = try output.lines.map(JSONLine.init).filter { $0["outcome"] == "failed" }
        #expect(failed.map { $0["path"] } == [broken.path, aperture.path])
        #expect(failed.first?["reason"]?.contains("not an SQLite database") == true)
        #expect(failed.last?["reason"]?.contains("Open it once in Photos") == true)
        // Recently Deleted is not listed, nor are hidden photos.
        let listed = try world.objects("list", "--json", "--include-hidden").count
        let deleted = try world.objects("list", "--json", "--deleted").count
        #expect(listed + deleted == 31)
    }

    /// Libraries that cannot be imported, each with its file and the way out.
    private static let refused = [
        ("Aperture.aplib/Library.apdb", "Open it once in Photos on a Mac"),
        ("AlbumData.xml", "folder Originals"),
    ]

    @Test(arguments: refused) func otherLibrariesAreRefused(_ file: String, _ advice: String) throws
    {
        let library = try world.folder.folder("A library")
        try world.folder.write(Data(), to: "A library/" + file)
        for kind in ["Masters", "Originals"] {
            let photo = try Data(contentsOf: world.photo("plain.jpg"))
            try world.folder.write(photo, to: "A library/\(kind)/2012/a.jpg")
        }
        for arguments in [["import", "--json"], ["import", "--json", "--dry-run"]] {
            let lines = try world.run(arguments + [library.path])
            #expect(lines.status == 1)
            let line = try JSONLine(try #require(lines.lines.first))
            #expect(lines.lines.count == 1 && line["outcome"] == "failed")
            #expect(line["path"] == library.path)
            #expect(line["reason"]?.contains(advice) == true, "\(line.text)")
        }
        // The way out works.
        let originals = library.path + (advice == "folder Originals" ? "/Originals" : "/Masters")
        let imported = try world.objects("import", "--json", originals)
        #expect(imported.outcomes == ["a.jpg": "imported"])
    }

    @Test func librariesBelowAFolderAreNotEntered() throws {
        try world.photo("plain.jpg")
        let copy = world.source.appendingPathComponent("A copied library")
        try FileManager.default.copyItem(at: source, to: copy)
        try world.folder.write(Data(), to: "source/Old/Database/apdb/Library.apdb")
        try world.folder.write(
            Data(contentsOf: world.source.appendingPathComponent("plain.jpg")),
            to: "source/Old/Previews/p.jpg"
        )
        for library in ["iPhoto/AlbumData.xml", "Aperture/Aperture.aplib/Library.apdb"] {
            let name = library.split(separator: "/")[0]
            try world.folder.write(Data(), to: "source/" + library)
            try world.folder.write(
                Data(contentsOf: world.source.appendingPathComponent("plain.jpg")),
                to: "source/\(name)/Thumbnails/t.jpg"
            )
        }
        let output = try world.run("import", "--json", world.source.path)
        #expect(output.status == 0)
        #expect(try output.lines.map(JSONLine.init).outcomes == ["plain.jpg": "imported"])
        #expect(output.errorText.contains("iPhoto. It is a library of iPhoto 8 or earlier"))
        #expect(output.errorText.contains("Aperture. It is a library of Aperture"))
        #expect(output.errorText.contains("A copied library. It is an Apple Photos library"))
        #expect(output.errorText.contains("Old. It is a library of iPhoto or Aperture"))
    }

    @Test func photos2IsRefused() throws {
        let library = world.folder.file("Photos 2")
        try FileManager.default.createDirectory(
            at: library.appendingPathComponent("database"),
            withIntermediateDirectories: true
        )
        let tables = try ProcessRunner.run(
            "sqlite3",
            [
                library.path + "/database/photos.db",
                """
                CREATE TABLE LiGlobals (keyPath TEXT, value TEXT);
                INSERT INTO LiGlobals VALUES ('libraryVersion', '2622');
                CREATE TABLE RKVersion (modelId INTEGER PRIMARY KEY, uuid, masterUuid, type);
                CREATE TABLE RKMaster (modelId INTEGER PRIMARY KEY, uuid, imagePath,
                    originalFileName);
                CREATE TABLE RKAlbum (modelId INTEGER PRIMARY KEY, uuid, name, albumType,
                    albumSubclass);
                CREATE TABLE RKFolder (modelId INTEGER PRIMARY KEY, uuid, name, folderType,
                    parentFolderUuid);
                """,
            ]
        )
        #expect(tables.status == 0, "\(tables.errorText)")
        let lines = try world.objects("import", "--json", library.path, status: 1)
        #expect(lines.map { $0["outcome"] } == ["failed"])
        #expect(lines.first?["reason"]?.contains("Open it in Photos of macOS 10.13") == true)
    }

    @Test func killedRunsContinue() throws {
        let seed = TestSeed()
        var random = seed.generator
        var large = AppleLibrary()
        // More than one batch.
        large.assets = 240
        large.liveEvery = 0
        let big = world.folder.file("Big")
        try large.write(to: big)
        let before = try ProcessRunner.run("find", [big.path, "-printf", "%P %s %T@ %C@\\n"]).lines
        let clock = ContinuousClock()
        let start = clock.now
        let other = world.folder.file("One.photolibrary").path
        let whole = try world.run("--library", other, "import", big.path)
        let time = clock.now - start
        #expect(whole.status == 0, "\(whole.errorText)")
        for _ in 0..<min(KillTests.kills / 2, 20) {
            let process = try world.start("import", "--json", big.path)
            process.read(atMost: time * Double.random(in: 0.05...0.9, using: &random))
            process.kill(SIGKILL)
            process.read()
            _ = process.wait()
            guard FileManager.default.fileExists(atPath: world.library.path) else { continue }
            let verify = try world.run("verify", "--json")
            #expect(verify.status == 0, "\(seed): \(verify.text)\(verify.errorText)")
        }
        let rest = try world.run("import", big.path)
        #expect(rest.status == 0, "\(seed): \(rest.errorText)")
        #expect(try content(of: world.library.path) == content(of: other), "\(seed)")
        let verify = try world.run("verify", "--full")
        #expect(verify.errorText == "No problems found.\n", "\(seed)")
        let after = try ProcessRunner.run("find", [big.path, "-printf", "%P %s %T@ %C@\\n"]).lines
        #expect(after == before, "the source was written to")
    }

    @Test(.enabled(if: Namespace.canMount, "No file systems can be mounted."))
    func readOnlySourceIsEnough() throws {
        let output = try Namespace.run(["import", source.path], readOnly: source, in: world)
        #expect(output.status == 0, "\(output.errorText)")
        #expect(output.errorText.contains("30 imported of 30"))
    }
}
