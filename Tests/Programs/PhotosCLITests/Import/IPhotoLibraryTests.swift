import Foundation
import TestSupport
import Testing

/// Libraries of iPhoto 9, imported by the command.
@Suite(.timeLimit(.minutes(5))) struct IPhotoLibraryTests {
    let world: CommandWorld
    let library = IPhotoLibrary()
    let source: URL
    let volume: URL

    init() throws {
        world = try CommandWorld()
        source = world.folder.file("Mac/iPhoto Library.photolibrary")
        volume = try world.folder.folder("Disk")
        try library.write(to: source, volume: volume)
    }

    private var volumeOption: String { IPhotoLibrary.volume + "=" + volume.path }

    private func uuid(_ index: Int) -> String { IPhotoLibrary.uuid(.version, index) }

    /// Reads the library's database with another program.
    private func rows(_ sql: String) throws -> [[String: Any]] {
        let database = world.library.path + "/database/library.sqlite"
        let output = try ProcessRunner.run(
            "sqlite3",
            ["-json", "-cmd", ".timeout 20000", database, sql]
        )
        #expect(output.status == 0, "\(output.errorText)")
        guard !output.lines.isEmpty else { return [] }
        let value = try JSONSerialization.jsonObject(with: Data(output.text.utf8))
        return try #require(value as? [[String: Any]])
    }

    /// Returns the names, sizes, times and digests of all files of the source.
    private func sourceState() throws -> [String] {
        let script = """
            find "$1" "$2" -printf '%p %y %s %T@ %C@ %m\\n' | sort
            find "$1" "$2" -type f -exec sha256sum {} + | sort
            """
        return try ProcessRunner.run(
            "sh",
            ["-c", script, "sh", source.path, volume.path]
        ).lines
    }

    private func digest(_ path: String) throws -> String {
        let output = try ProcessRunner.run("sha256sum", ["-b", path])
        return String(output.lines.first?.prefix(64) ?? "")
    }

    /// Imports a source that must be refused with one failed line; returns the reason.
    private func refusal(_ path: String) throws -> String {
        let lines = try world.objects("import", "--json", path, status: 1)
        #expect(lines.count == 1)
        #expect(lines.first?["outcome"] == "failed" && lines.first?["path"] == path)
        #expect(try rows("SELECT count(*) AS n FROM asset").first?["n"] as? Int == 0)
        return lines.first?["reason"] ?? ""
    }

    // MARK: - A whole library

    @Test(arguments: [false, true]) func everythingComesOver(isBinary: Bool) throws {
        var library = library
        library.isBinary = isBinary
        if isBinary {
            try FileManager.default.removeItem(at: source)
            try library.write(to: source, volume: volume)
        }
        let before = try sourceState()
        let report = world.folder.file("report.jsonl")
        let arguments = [
            "import", source.path, "--volume", volumeOption, "--report", report.path,
        ]
        // One of the two is read from where nobody can write, if that can be had.
        let output =
            isBinary && Namespace.canMount
            ? try Namespace.run(arguments, readOnly: source, in: world)
            : try world.run(arguments)
        #expect(output.status == 0, "\(output.errorText)\(output.text)")
        #expect(output.errorText.contains("iPhoto 9, \(library.assets) photos"))
        #expect(output.errorText.contains("no such library could be tried"))
        #expect(try sourceState() == before, "the source was written to")
        let totals = try #require(
            try String(contentsOf: report, encoding: .utf8).split(separator: "\n").last
        )
        #expect(totals.contains("\"assets\":\(library.assets),\"imported\":\(library.assets)"))
        #expect(totals.contains("\"addsUp\":true") && totals.contains("\"orphanFiles\":0"))
        #expect(totals.contains("unverifiedScope") && totals.contains("eventsAsAlbums"))
        #expect(!totals.contains("descriptionsMissing") && !totals.contains("peopleMissing"))
        let assets = try rows("SELECT * FROM asset ORDER BY uuid")
        #expect(assets.map { $0["uuid"] as? String } == (0..<library.assets).map(uuid))
        for (index, asset) in assets.enumerated() {
            try expectFacts(index, asset)
            try expectFiles(index)
        }
        try expectCollections()
        let verify = try world.run("verify", "--full")
        #expect(verify.errorText == "No problems found.\n")
        let again = try world.run("import", source.path, "--volume", volumeOption)
        #expect(again.status == 0, "\(again.errorText)")
        #expect(again.errorText.contains("\(library.assets) already there of \(library.assets)"))
        #expect(again.errorText.contains("0 new albums, 0 new folders"))
        try expectCollections()
    }

    private func expectFacts(_ index: Int, _ asset: [String: Any]) throws {
        func number(_ name: String) -> Double? { (asset[name] as? NSNumber)?.doubleValue }
        #expect(asset["originalFilename"] as? String == library.name(index))
        #expect(number("mediaType") == (library.isMovie(index) ? 2 : 1))
        #expect(asset["title"] as? String == library.title(index))
        #expect(asset["caption"] as? String == library.caption(index))
        #expect(number("creationDate") == library.date(index))
        #expect(number("captureOffset") == Double(library.offset(index)))
        #expect(number("addedDate") == 500_000_000)
        #expect(number("rating") == Double(library.rating(index)))
        #expect(number("isHidden") == (library.isHidden(index) ? 1 : 0))
        #expect((number("trashedDate") != nil) == library.isTrashed(index))
        #expect(number("hasAdjustments") == (library.isEdited(index) ? 1 : 0))
        #expect(
            asset["adjustmentFormatIdentifier"] as? String
                == (library.isEdited(index) ? "org.swift-photos.externalRender" : nil)
        )
        #expect(number("latitude") == library.place(index)?.latitude)
        #expect(number("longitude") == library.place(index)?.longitude)
        let keywords = asset["keywords"] as? String ?? ""
        for keyword in ["Wedding", "Zürich"] {
            #expect(keywords.contains(keyword) == library.keywords(index).contains(keyword))
        }
    }

    private func expectFiles(_ index: Int) throws {
        let files = try rows(
            """
            SELECT r.type, lower(hex(r.sha256)) AS digest, r.path FROM resource r
            JOIN asset a ON a.id = r.assetId WHERE a.uuid = '\(uuid(index))' ORDER BY r.type
            """
        )
        var types = [library.isMovie(index) ? 2 : 1]
        if library.isPair(index) { types.append(4) }
        if library.isEdited(index) { types += [5, 7] }
        let hasSidecar = !library.people(index).isEmpty || index == 0
        if hasSidecar { types.append(1001) }
        #expect(files.map { $0["type"] as? Int } == types, "\(index)")
        func expect(_ type: Int, _ path: String) throws {
            let found = files.first { $0["type"] as? Int == type }?["digest"] as? String
            #expect(try found == digest(path), "\(path)")
        }
        let root = library.isReferenced(index) ? volume.path : source.path
        try expect(types[0], root + "/" + library.original(index))
        if library.isPair(index) { try expect(4, source.path + "/" + library.raw(index)) }
        if library.isEdited(index) { try expect(5, source.path + "/" + library.preview(index)) }
        if hasSidecar, let path = files.last?["path"] as? String {
            let text = try String(contentsOfFile: world.library.path + "/" + path, encoding: .utf8)
            #expect(text.contains("<migration:Flagged>") == (index == 0))
            #expect(text.contains("Ana &lt;M&gt;") == !library.people(index).isEmpty)
            #expect(text.contains("<rdf:li>Bo</rdf:li>") == !library.people(index).isEmpty)
            #expect(!text.contains("Rejected"))
        }
    }

    private func expectCollections() throws {
        let found = try rows(
            """
            SELECT c.uuid, c.title, c.kind, p.title AS parent,
                (SELECT group_concat(uuid) FROM (SELECT a.uuid FROM albumAsset j
                    JOIN asset a ON a.id = j.assetId WHERE j.albumId = c.id
                    ORDER BY j.position, a.id)) AS members
            FROM collection c LEFT JOIN collection p ON p.id = c.parentId
            WHERE c.kind IN (2, 3) AND c.title <> ''
            """
        )
        func members(_ title: String) -> [String] {
            let row = found.first { $0["title"] as? String == title }
            return (row?["members"] as? String)?.split(separator: ",").map(String.init) ?? []
        }
        func parent(_ title: String) -> String? {
            found.first { $0["title"] as? String == title }?["parent"] as? String
        }
        let events = IPhotoLibrary.events.map { $0.isEmpty ? "Untitled Event" : $0 }
        let titles = found.compactMap { $0["title"] as? String }.sorted()
        #expect(
            titles
                == (["Best/of", "Slides", "Empty", "Inner", "Outer", "iPhoto Events"] + events)
                .sorted()
        )
        #expect(members("Best/of") == library.ordered.map(uuid))
        #expect(members("Slides") == library.dated.map(uuid))
        #expect(members("Empty") == [])
        #expect(parent("Best/of") == "Inner" && parent("Inner") == "Outer")
        for (event, title) in events.enumerated() {
            let assets = (0..<library.assets).filter { library.event($0) == event }
            #expect(members(title) == assets.map(uuid), "\(title)")
            #expect(parent(title) == "iPhoto Events")
        }
        let album = found.first { $0["title"] as? String == "Best/of" }
        #expect(album?["uuid"] as? String == IPhotoLibrary.uuid(.album, 0))
    }

    /// Different photos with one identifier are both imported, each in its albums and events.
    ///
    /// A hidden version with the identifier of the shown one is no other photo.
    @Test func photosWithOneIdentifierAreBothTaken() throws {
        try library.execute(
            """
            UPDATE RKVersion SET uuid = '\(IPhotoLibrary.short(.version, 0))'
            WHERE versionNumber = 1 AND modelId IN (\(library.key(4)), \(library.key(8)));
            UPDATE RKVersion SET uuid = '\(IPhotoLibrary.short(.version, 2))'
            WHERE versionNumber = 0 AND modelId = \(library.key(2) - 1);
            """,
            in: source
        )
        let lines = try world.objects(
            "import",
            "--json",
            source.path,
            "--volume",
            volumeOption
        )
        #expect(lines.count { $0["outcome"] == "imported" } == library.assets)
        let renamed = lines.filter { $0.codes.contains("identifierTaken") }
        let items = [4, 8].map { "version \(library.key($0))" }
        #expect(Set(renamed.compactMap(\.item)) == Set(items))
        for index in 0..<library.assets {
            let root = library.isReferenced(index) ? volume.path : source.path
            let wanted = try digest(root + "/" + library.original(index))
            let found = try rows(
                """
                SELECT a.uuid, a.title, (SELECT group_concat(title, '|') FROM (SELECT c.title
                    FROM albumAsset j JOIN collection c ON c.id = j.albumId
                    WHERE j.assetId = a.id ORDER BY c.title)) AS albums
                FROM resource r JOIN asset a ON a.id = r.assetId
                WHERE r.type IN (1, 2) AND lower(hex(r.sha256)) = '\(wanted)'
                """
            )
            #expect(found.count == 1, "\(index)")
            #expect(
                (found.first?["uuid"] as? String == uuid(index)) == ![4, 8].contains(index),
                "\(index)"
            )
            #expect(found.first?["title"] as? String == library.title(index), "\(index)")
            let event = IPhotoLibrary.events[library.event(index)]
            var albums = [event.isEmpty ? "Untitled Event" : event]
            if library.ordered.contains(index) { albums.append("Best/of") }
            if library.dated.contains(index) { albums.append("Slides") }
            let names = (found.first?["albums"] as? String)?.split(separator: "|").map(String.init)
            #expect(names?.sorted() == albums.sorted(), "\(index)")
        }
        // They are the same photos the next time.
        let again = try world.run("import", source.path, "--volume", volumeOption)
        #expect(again.errorText.contains("\(library.assets) already there of \(library.assets)"))
        try world.expectClean()
    }

    @Test func revertShowsTheOriginal() throws {
        _ = try world.run("import", source.path, "--volume", volumeOption)
        let revert = try world.run("revert", uuid(1))
        #expect(revert.status == 0, "\(revert.errorText)")
        let files = try rows(
            """
            SELECT a.hasAdjustments, r.type, lower(hex(r.sha256)) AS digest FROM resource r
            JOIN asset a ON a.id = r.assetId WHERE a.uuid = '\(uuid(1))'
            """
        )
        #expect(files.count == 1 && files.first?["hasAdjustments"] as? Int == 0)
        let original = try digest(source.path + "/" + library.original(1))
        #expect(files.first?["digest"] as? String == original)
        // A later import does not bring the edit back.
        let again = try world.run("import", source.path, "--volume", volumeOption)
        #expect(again.status == 0 && again.errorText.contains("14 already there of 14"))
        // It is the same there, so that there is nothing to report either.
        #expect(!again.text.contains("edit"))
        #expect(
            try rows("SELECT hasAdjustments FROM asset WHERE uuid = '\(uuid(1))'")
                .first?["hasAdjustments"] as? Int == 0
        )
    }

    @Test func laterChangesAreTakenOver() throws {
        _ = try world.run("import", source.path, "--volume", volumeOption)
        #expect(try world.run("set", uuid(2), "--title", "Mine").status == 0)
        try library.execute(
            """
            UPDATE RKVersion SET name = 'Theirs' WHERE versionNumber = 1 AND modelId IN (6, 10);
            """,
            in: source
        )
        let lines = try world.objects(
            "import",
            "--json",
            source.path,
            "--volume",
            volumeOption
        )
        #expect(lines.allSatisfy { $0["outcome"] == "duplicate" })
        let titles = try rows(
            "SELECT title FROM asset WHERE uuid IN ('\(uuid(2))', '\(uuid(4))') ORDER BY uuid"
        )
        #expect(titles.map { $0["title"] as? String } == ["Mine", "Theirs"])
        #expect(lines.contains { $0.text.contains("keptYours") })
    }

    // MARK: - What is absent

    @Test func dryRunNamesWhatIsMissing() throws {
        let manager = FileManager.default
        try manager.removeItem(atPath: source.path + "/" + library.original(2))
        try manager.removeItem(atPath: source.path + "/" + library.preview(5))
        try Data("stray".utf8).write(to: source.appendingPathComponent("Masters/stray.jpg"))
        let report = world.folder.file("report.jsonl")
        let lines = try world.objects(
            "import",
            "--dry-run",
            "--json",
            source.path,
            "--report",
            report.path,
            status: 1
        )
        #expect(!manager.fileExists(atPath: world.library.path))
        let missing = lines.filter { $0["outcome"] == "missing" }
        #expect(missing.count == 3)
        let reasons = missing.compactMap { $0["reason"] }.joined(separator: "\n")
        #expect(reasons.contains("not copied completely") && !reasons.contains("iCloud"))
        #expect(reasons.contains("edited version of IMG_0005.JPG"))
        #expect(!reasons.contains("adjustments are kept"))
        #expect(reasons.contains("--volume \"\(IPhotoLibrary.volume)=PATH\""))
        #expect(lines.contains { $0["path"]?.hasSuffix("stray.jpg") == true })
        let totals = try #require(
            try String(contentsOf: report, encoding: .utf8).split(separator: "\n").last
        )
        #expect(totals.contains("\"imported\":12") && totals.contains("\"missing\":2"))
        #expect(totals.contains("\"addsUp\":true"))
    }

    @Test func absentDatabasesAreNotes() throws {
        let folder = source.appendingPathComponent("Database/apdb")
        try FileManager.default.removeItem(at: folder.appendingPathComponent("Properties.apdb"))
        try FileManager.default.removeItem(at: folder.appendingPathComponent("Faces.db"))
        let report = world.folder.file("report.jsonl")
        let output = try world.run(
            ["import", source.path, "--volume", volumeOption, "--report", report.path]
        )
        #expect(output.status == 0, "\(output.errorText)")
        let text = try String(contentsOf: report, encoding: .utf8)
        #expect(text.contains("descriptionsMissing") && text.contains("peopleMissing"))
        let captions = try rows("SELECT caption FROM asset WHERE caption IS NOT NULL")
        #expect(captions.isEmpty)
        #expect(try rows("SELECT uuid FROM asset").count == library.assets)
    }

    // MARK: - Refusals

    @Test func otherLibrariesAreRefused() throws {
        let list = source.appendingPathComponent("Database/apdb/DataModelVersion.plist")
        for content in ["isIPhotoLibrary</key><false/>", "other</key><true/>", nil] {
            if let content {
                try Data("<plist version=\"1.0\"><dict><key>\(content)</dict></plist>".utf8)
                    .write(to: list)
            } else {
                try FileManager.default.removeItem(at: list)
            }
            let reason = try refusal(source.path)
            #expect(reason.contains("library of Aperture"))
            #expect(reason.contains("Open it once in Photos") && reason.contains("Masters"))
        }
        let old = try world.folder.folder("iPhoto 8")
        try Data("<plist/>".utf8).write(to: old.appendingPathComponent("AlbumData.xml"))
        let reason = try refusal(old.path)
        #expect(reason.contains("iPhoto 8 or earlier") && reason.contains("folder Originals"))
    }

    @Test func photos2IsRefused() throws {
        // Photos 2 has iPhoto's tables in one database.
        let folder = world.folder.file("Photos 2.photoslibrary")
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("database"),
            withIntermediateDirectories: true
        )
        try library.execute(
            """
            ALTER TABLE RKVersion ADD COLUMN other;
            CREATE TABLE LiGlobals (modelId integer primary key, keyPath varchar, value varchar);
            INSERT INTO LiGlobals VALUES (1, 'libraryVersion', '2622');
            """,
            in: source
        )
        try FileManager.default.copyItem(
            at: source.appendingPathComponent("Database/apdb/Library.apdb"),
            to: folder.appendingPathComponent("database/photos.db")
        )
        let reason = try refusal(folder.path)
        #expect(reason.contains("library of Photos 2") && reason.contains("upgrades it"))
    }

    @Test(arguments: ["Library.apdb", "Properties.apdb", "Faces.db"])
    func damagedDatabaseIsOneFailedLine(_ name: String) throws {
        let file = source.appendingPathComponent("Database/apdb/" + name)
        let whole = try Data(contentsOf: file)
        for damage in 0..<3 {
            var bytes = whole
            switch damage {
            case 0: bytes = Data("no database".utf8)
            case 1: bytes.replaceSubrange(100..<140, with: repeatElement(0xFF, count: 40))
            default: bytes.removeLast(bytes.count / 2)
            }
            try bytes.write(to: file)
            let reason = try refusal(source.path)
            #expect(reason.contains("database"), "\(reason)")
        }
    }

    @Test func hostileDatabasesAreOneFailedLine() throws {
        let file = source.appendingPathComponent("Database/apdb/Library.apdb")
        let whole = try Data(contentsOf: file)
        let statements = [
            (
                "DROP TABLE RKMaster; CREATE VIEW RKMaster AS SELECT 1 AS uuid, 2 AS imagePath;",
                "no table RKMaster"
            ),
            ("DROP TABLE RKFolder;", "no table RKFolder"),
            ("ALTER TABLE RKVersion RENAME COLUMN masterUuid TO other;", "no column masterUuid"),
        ]
        for (sql, text) in statements {
            try whole.write(to: file)
            try library.execute(sql, in: source)
            let reason = try refusal(source.path)
            #expect(reason.contains(text), "\(reason)")
        }
        // A journal that only iPhoto can roll back.
        try whole.write(to: file)
        let journal = URL(fileURLWithPath: file.path + "-journal")
        let start: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
        try Data(start + [0, 0, 0, 1]).write(to: journal)
        #expect(try refusal(source.path).contains("not closed properly"))
        // One that was finished does not matter. Nor do cycles, and values of other types.
        try Data(count: 64).write(to: journal)
        try library.execute(
            """
            UPDATE RKFolder SET parentFolderUuid = uuid WHERE folderType = 1;
            UPDATE RKVersion SET imageDate = 'never', mainRating = x'00', exifLatitude = 1e300,
                imageTimeZoneName = '../../etc/passwd', name = 7, isHidden = 'x',
                rawMasterUuid = 5, versionNumber = 'x' WHERE versionNumber = 1;
            UPDATE RKMaster SET originalFileName = '../../x.jpg' WHERE modelId = 1;
            UPDATE RKMaster SET imagePath = '../../../etc/passwd' WHERE modelId = 2;
            UPDATE RKAlbumVersion SET versionId = -1;
            """,
            in: source
        )
        let lines = try world.objects(
            "import",
            "--json",
            source.path,
            "--volume",
            volumeOption,
            status: 1
        )
        #expect(lines.count { $0["outcome"] == "imported" } == library.assets - 1)
        #expect(lines.count { $0["outcome"] == "missing" } == 1)
        let verify = try world.run("verify", "--full")
        #expect(verify.errorText == "No problems found.\n")
    }

    @Test func libraryBelowAFolderIsNotEntered() throws {
        try world.photos(["plain.jpg"])
        try FileManager.default.moveItem(
            at: source,
            to: world.source.appendingPathComponent("iPhoto Library.photolibrary")
        )
        let output = try world.run("import", "--json", world.source.path)
        #expect(output.status == 0, "\(output.errorText)")
        #expect(output.lines.count == 1)
        #expect(output.errorText.contains("It is a library of iPhoto or Aperture"))
        #expect(output.errorText.contains("photos import PATH"))
    }
}
