import Foundation
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

/// Exports of Google Takeout, imported by the command.
@Suite(.timeLimit(.minutes(10))) struct TakeoutImportTests {
    let world: CommandWorld

    init() throws { world = try CommandWorld() }

    /// The facts of a library that must be equal however an export was delivered.
    private func facts(_ world: CommandWorld) throws -> [String] {
        let assets = try world.objects("list", "--json").map { asset in
            let caption = asset["caption"] ?? ""
            let favorite = asset.flag("isFavorite") ?? false
            return "\(asset["originalFilename"] ?? "") \(asset["creationDate"] ?? "") \(caption)"
                + " \(favorite) \(asset.flag("hasAdjustments") ?? false)"
        }
        let albums = try world.objects("albums", "--json")
            .filter { $0["assetCollectionType"] == "album" }
            .map { "album \($0["localizedTitle"] ?? "") \($0.number("estimatedAssetCount") ?? -1)" }
        return assets.sorted() + albums.sorted()
    }

    /// The bytes and places of a library, and the members of albums in their order.
    private func content(_ world: CommandWorld) throws -> [String] {
        let output = try ProcessRunner.run(
            "sqlite3",
            [
                world.library.path + "/database/library.sqlite",
                """
                SELECT a.originalFilename, r.type, hex(r.sha256), a.latitude, a.longitude,
                    a.captureOffset
                FROM resource r JOIN asset a ON a.id = r.assetId WHERE r.type <> 7 ORDER BY 1, 2, 3;
                SELECT 'member', c.title, a.originalFilename FROM albumAsset j
                JOIN asset a ON a.id = j.assetId JOIN collection c ON c.id = j.albumId
                ORDER BY c.title, j.position, a.id;
                """,
            ]
        )
        #expect(output.status == 0, "\(output.errorText)")
        return output.lines
    }

    @Test func exportDeepInAFolderIsNamed() throws {
        let tree = try TakeoutTree(count: 4)
        try tree.write(to: try world.folder.folder("source/a/b"))
        let report = world.folder.file("report.jsonl")
        let output = try world.run(
            "import",
            "--json",
            world.source.path,
            "--report",
            report.path
        )
        #expect(output.status == 0)
        let takeout = world.source.path + "/a/b/Takeout"
        #expect(output.errorText.contains("photos import '\(takeout)'"), "\(output.errorText)")
        let text = try String(contentsOf: report, encoding: .utf8)
        #expect(text.split(separator: "\n").last?.contains("\"takeoutInFolder\"") == true)
        // The advice works, and is not given again.
        let again = try world.run("import", "--json", takeout)
        #expect(again.status == 0 && !again.errorText.contains("JSON files"))
        #expect(try facts(world).contains { $0.contains("Caption 3") })
        // Other JSON files are not meant.
        for name in ["a.json", "package.lock.json", "b.jpeg.txt", "c.tar.json"] {
            try world.folder.write(Data("{}".utf8), to: "other/\(name)")
        }
        let other = try world.run("import", "--json", world.folder.file("other").path)
        #expect(!other.errorText.contains("JSON files"), "\(other.errorText)")
    }

    @Test func albumDescriptionsAreInTheReport() throws {
        var tree = try TakeoutTree(count: 2)
        func album(_ folder: String, _ description: String) {
            let json = "{\"title\": \"\(folder)\", \"description\": \"\(description)\"}"
            tree.add("\(folder)/metadata.json", Data(json.utf8))
        }
        tree.add("Trip/IMG_1.jpg", try TakeoutTree.picture(seed: 9))
        var photo = TakeoutTree.Description(title: "IMG_1.jpg")
        photo.caption = "Two lines\\nof text"
        tree.add("Trip/IMG_1.jpg.json", photo.data)
        album("Trip", "Two weeks\\nby boat")
        album("Empty", "Nothing came of it")
        album("Plain", "")
        try tree.write(to: world.source)
        for arguments in [["--dry-run"], [], []] {
            let output = try world.run(["import", "--json"] + arguments + [world.source.path])
            #expect(output.status == 0, "\(output.errorText)")
            let lines = try output.lines.map(JSONLine.init)
            let notes = lines.reduce(into: [:] as [String: [String]]) { notes, line in
                let all = line.values["notes"] as? [[String: String]] ?? []
                let texts = all.filter { $0["code"] == "albumDescription" }.compactMap {
                    $0["text"]
                }
                guard let path = line["path"], !texts.isEmpty else { return }
                notes[URL(fileURLWithPath: path).deletingLastPathComponent().lastPathComponent] =
                    texts
            }
            #expect(Set(notes.keys) == ["Trip", "Empty"], "\(arguments)")
            #expect(notes["Trip"]?.first?.hasSuffix("Two weeks\nby boat") == true)
            #expect(notes["Empty"]?.first?.hasSuffix("Nothing came of it") == true)
        }
        let captions = try world.objects("list", "--json").map { $0["caption"] }
        #expect(captions.contains("Two lines\nof text"), "\(captions)")
    }

    @Test func folderAndArchivesGiveTheSameLibrary() throws {
        let tree = try TakeoutTree(count: 12)
        try tree.write(to: world.source)
        let lines = try world.objects("import", "--json", world.source.path)
        #expect(lines.count == tree.files.count)
        #expect(lines.count { $0["outcome"] == "imported" } == 12)
        #expect(lines.count { $0["outcome"] == "duplicate" } == 3)
        // Edited copies, and the JSON files of photos and albums.
        #expect(lines.count { $0["outcome"] == "paired" } == 4 + 15 + 1)
        try world.expectClean()
        let expected = try facts(world)
        #expect(expected.count { $0.hasPrefix("IMG") } == 12)
        #expect(expected.contains { $0.contains("Caption 3") })
        #expect(expected.contains { $0.hasPrefix("album Summer 2015: the best") })
        for kind in ["stored.zip", "deflated.zip", "tape.tgz"] {
            let other = try CommandWorld()
            let archive = other.source.appendingPathComponent(
                "takeout-20240131T101112Z-001-\(kind)"
            )
            if kind.hasSuffix("tgz") {
                try tree.writeTGZ(to: archive)
            } else {
                try tree.writeZIP(to: archive, isDeflated: kind == "deflated.zip")
            }
            let lines = try other.objects("import", "--json", archive.path)
            #expect(lines.count == tree.files.count, "\(kind)")
            #expect(lines.allSatisfy { $0["path"] == archive.path })
            try other.expectClean()
            #expect(try facts(other) == expected, "\(kind)")
            // Nothing is extracted beside the archive.
            let files = try FileManager.default.contentsOfDirectory(atPath: other.source.path)
            #expect(files == [archive.lastPathComponent])
        }
    }

    @Test func descriptionsMayBeInAnyPart() throws {
        var tree = try TakeoutTree(count: 3)
        // A second member of the album, with a place, before the first one in the archive.
        var description = TakeoutTree.Description(title: "late.jpg")
        (description.latitude, description.longitude) = (46.5, 8.25)
        for (name, data) in [
            ("late.jpg", try TakeoutTree.picture(seed: 8)), ("late.jpg.json", description.data),
        ] {
            tree.files.insert(
                TakeoutTree.File("Takeout/Google Photos/Summer/" + name, data),
                at: 0
            )
        }
        try tree.write(to: world.source)
        _ = try world.objects("import", "--json", world.source.path)
        let expected = try facts(world) + content(world)
        #expect(expected.contains { $0.hasPrefix("member|Summer") })
        // Some of these splits are between a file and its description, in both orders.
        for split in stride(from: 1, to: tree.files.count, by: 2) {
            let other = try CommandWorld()
            for (part, range) in [(1, 0..<split), (2, split..<tree.files.count)] {
                let name = "takeout-20240131T101112Z-00\(part).zip"
                try tree.writeZIP(to: other.source.appendingPathComponent(name), range)
            }
            // The folder of a download stands for its parts.
            let lines = try other.objects("import", "--json", other.source.path)
            #expect(lines.count == tree.files.count)
            #expect(try facts(other) + content(other) == expected, "split after \(split)")
        }
    }

    @Test func secondImportAddsOnlyWhatIsNew() throws {
        var tree = try TakeoutTree(count: 6)
        let archive = world.source.appendingPathComponent("takeout-1-001.zip")
        try tree.writeZIP(to: archive, isDeflated: true)
        _ = try world.objects("import", "--json", archive.path)
        let before = try facts(world)
        let second = try world.objects("import", "--json", archive.path)
        #expect(second.allSatisfy { ["duplicate", "paired"].contains($0["outcome"]) })
        #expect(try facts(world) == before)
        // A person changes one photo here; another, and the same one, change in Google Photos.
        let photos = second.filter { $0["outcome"] == "duplicate" }
        func id(_ name: String) throws -> String {
            let line = photos.first {
                $0.item
                    == "Takeout/Google Photos/" + name
            }
            return try #require(line?["localIdentifier"])
        }
        let mine = try id("Photos from 2016/IMG_1001.jpg")
        let theirs = try id("Photos from 2017/IMG_1002.jpg")
        #expect(try world.run("set", mine, "--caption", "Mine").status == 0)
        for index in tree.files.indices {
            let text = String(decoding: tree.files[index].data, as: UTF8.self)
            guard tree.files[index].path.hasSuffix(".json") else { continue }
            tree.files[index].data = Data(text.replacing("Caption", with: "Changed").utf8)
        }
        tree.add("Photos from 2016/new.jpg", try TakeoutTree.picture(seed: 9))
        try tree.writeZIP(to: archive)
        let third = try world.objects("import", "--json", archive.path)
        #expect(third.count { $0["outcome"] == "imported" } == 1)
        let captions = try Dictionary(
            world.objects("list", "--json").map { ($0["localIdentifier"] ?? "", $0["caption"]) },
            uniquingKeysWith: { first, _ in first }
        )
        #expect(captions[mine] == "Mine")
        #expect(captions[theirs] == "Changed 2")
        let notes = third.first { $0["localIdentifier"] == mine }?.values["notes"]
        #expect((notes as? [[String: Any]])?.first?["code"] as? String == "keptYours")
        try world.expectClean()
    }

    @Test func otherFormOfAnExportChangesNothing() throws {
        var tree = try TakeoutTree(count: 6)
        let archive = world.source.appendingPathComponent("takeout-1-001.zip")
        try tree.writeZIP(to: archive)
        let first = try world.objects("import", "--json", archive.path)
        func id(_ name: String) throws -> String {
            let line = first.first {
                $0.item
                    == "Takeout/Google Photos/" + name
            }
            return try #require(line?["localIdentifier"])
        }
        let changed = try id("Photos from 2015/IMG_1000.jpg")
        let purged = try id("Photos from 2018/IMG_1003.jpg")
        let set = ["set", changed, "--favorite", "false", "--caption", ""]
        #expect(try world.run(set).status == 0)
        let remove = try world.run("album", "remove", "Summer 2015: the best", changed)
        #expect(remove.status == 0, "\(remove.errorText)")
        #expect(try world.run("delete", purged).status == 0)
        #expect(try world.run("purge", purged, "--yes").status == 0)
        let before = try facts(world)
        #expect(before.count == 5 + 1)
        #expect(before.contains("album Summer 2015: the best 1.0"))
        let folder = try world.folder.folder("extracted")
        try tree.write(to: folder)
        for _ in 0..<2 {
            let lines = try world.objects("import", "--json", folder.path)
            #expect(lines.count == tree.files.count)
            #expect(lines.allSatisfy { ["duplicate", "paired"].contains($0["outcome"]) })
            #expect(try facts(world) == before)
        }
        // Other bytes under the same name are another photo.
        let index = try #require(
            tree.files.firstIndex { $0.path.hasSuffix("Photos from 2018/IMG_1003.jpg") }
        )
        tree.files[index].data += Data("changed".utf8)
        let other = try world.folder.folder("changed")
        try tree.write(to: other)
        let lines = try world.objects("import", "--json", other.path)
        #expect(lines.count { $0["outcome"] == "imported" } == 1)
        #expect(try facts(world).count == before.count + 1)
        try world.expectClean()
    }

    @Test func editedCopyIsRevertible() throws {
        let original = try TakeoutTree.picture(seed: 3)
        let edited = try TakeoutTree.picture(seed: 4)
        var tree = TakeoutTree()
        tree.add("Photos from 2020/A.jpg", original)
        tree.add("Photos from 2020/A.jpg.json", TakeoutTree.Description(title: "A.jpg").data)
        tree.add("Photos from 2020/A-edited.jpg", edited)
        try tree.write(to: world.source)
        let lines = try world.objects("import", "--json", world.source.path)
        let ids = Set(lines.compactMap { $0["localIdentifier"] })
        #expect(ids.count == 1)
        let id = try #require(ids.first)
        #expect(try world.objects("list", "--json").first?.flag("hasAdjustments") == true)
        let output = try world.folder.folder("out")
        #expect(try world.run("export", id, "-o", output.path, "--original").status == 0)
        let revert = try world.run("revert", id)
        #expect(revert.status == 0, "\(revert.errorText)")
        #expect(try world.objects("list", "--json").first?.flag("hasAdjustments") == false)
        let shown = try world.folder.folder("shown")
        #expect(try world.run("export", id, "-o", shown.path, "--current").status == 0)
        #expect(try Data(contentsOf: shown.appendingPathComponent("A.jpg")) == original)
        try world.expectClean()
    }

    @Test func missingFilesAndPartsFail() throws {
        var tree = TakeoutTree()
        tree.add("Photos from 2020/A.jpg", try TakeoutTree.picture(seed: 1))
        tree.add("Photos from 2020/lost.jpg.json", TakeoutTree.Description(title: "lost.jpg").data)
        let archive = world.source.appendingPathComponent("takeout-1-002.zip")
        try tree.writeZIP(to: archive)
        let lines = try world.objects("import", "--json", archive.path, status: 1)
        let missing = lines.filter { $0["outcome"] == "missing" }
        #expect(missing.count == 2)
        #expect(missing.contains { $0["reason"]?.contains("takeout-1-001.zip") == true })
        let photo = try #require(lines.first { $0["outcome"] == "imported" })
        let notes = photo.values["notes"] as? [[String: Any]]
        #expect(notes?.compactMap { $0["code"] as? String } == ["noMetadata"])
    }

    @Test func archivedAndTrashedAssetsAreKeptSo() throws {
        var tree = TakeoutTree()
        for (index, name) in ["archived", "trashed", "plain"].enumerated() {
            var description = TakeoutTree.Description(title: name + ".jpg")
            description.isArchived = name == "archived"
            description.isTrashed = name == "trashed"
            tree.add("P/\(name).jpg", try TakeoutTree.picture(seed: UInt64(index)))
            tree.add("P/\(name).jpg.json", description.data)
        }
        try tree.write(to: world.source)
        _ = try world.objects("import", "--json", world.source.path)
        let names = Set(try world.names())
        #expect(names == ["archived.jpg", "plain.jpg"])
        let albums = try world.objects("albums", "--json").compactMap { $0["localizedTitle"] }
        #expect(albums.contains("Archive"))
        try world.expectClean()
    }

    @Test func exportsAreNotMoved() throws {
        let tree = try TakeoutTree(count: 1)
        let archive = world.source.appendingPathComponent("takeout-1-001.zip")
        try tree.writeZIP(to: archive)
        let output = try world.run("import", "--move", archive.path)
        #expect(output.status == 2)
        #expect(output.errorText.contains("only"))
        #expect(FileManager.default.fileExists(atPath: archive.path))
    }

    @Test func otherFoldersAreNoExports() throws {
        try world.photo("a.jpg")
        try Data("{\"camera\": 1}".utf8).write(
            to: world.source.appendingPathComponent("a.jpg.json")
        )
        let lines = try world.objects("import", "--json", world.source.path)
        #expect(lines.outcomes == ["a.jpg": "imported", "a.jpg.json": "unsupported"])
        #expect(lines.allSatisfy { $0.values["source"] == nil })
    }

    @Test(
        .enabled(if: Namespace.canMount, "No file systems can be mounted."),
        arguments: ["zip", "tgz", "folder"]
    )
    func readOnlySourceIsEnough(_ kind: String) throws {
        let tree = try TakeoutTree(count: 6)
        let archive = world.source.appendingPathComponent("takeout-1-001.\(kind)")
        switch kind {
        case "zip": try tree.writeZIP(to: archive, isDeflated: true)
        case "tgz": try tree.writeTGZ(to: archive)
        default: try tree.write(to: world.source)
        }
        let path = kind == "folder" ? world.source.path : archive.path
        let output = try Namespace.run(
            ["import", "--json", path],
            readOnly: world.source,
            in: world
        )
        #expect(output.status == 0, "\(output.errorText)")
        let lines = try output.lines.map(JSONLine.init)
        #expect(lines.count { $0["outcome"] == "imported" } == 6)
        #expect(lines.count == tree.files.count)
        try world.expectClean()
    }

    // MARK: - Real exports

    private static let fixtures = SharedData.sharedFolder.appendingPathComponent("migration")

    @Test(
        .enabled(
            if: FileManager.default.fileExists(atPath: fixtures.path),
            "There are no migration fixtures."
        ),
        arguments: ["takeout-osxphotos-2022", "takeout-polish-2021", "takeout-old-names"]
    )
    func realExports(_ name: String) throws {
        let tree = Self.fixtures.appendingPathComponent("\(name)/tree")
        let output = try world.run("import", "--json", tree.path)
        let lines = try output.lines.map(JSONLine.init)
        let text = try String(
            contentsOf: Self.fixtures.appendingPathComponent("\(name)/expected.tsv"),
            encoding: .utf8
        )
        let assets = Dictionary(
            try world.objects("list", "--json").map { ($0["localIdentifier"] ?? "", $0) },
            uniquingKeysWith: { first, _ in first }
        )
        var rows = 0
        for row in text.split(separator: "\n").dropFirst() {
            let cells = row.split(separator: "\t", omittingEmptySubsequences: false).map(
                String.init
            )
            let path = tree.appendingPathComponent(cells[0]).appendingPathComponent(cells[1]).path
            let line = try #require(
                lines.first {
                    $0["path"].map { URL(fileURLWithPath: $0).standardized.path }
                        == URL(fileURLWithPath: path).standardized.path
                },
                "\(path)"
            )
            let asset = try #require(assets[line["localIdentifier"] ?? ""], "\(path)")
            rows += 1
            let codes =
                (line.values["notes"] as? [[String: Any]])?
                .compactMap { $0["code"] as? String } ?? []
            #expect(codes.contains("noMetadata") == cells[2].isEmpty, "\(path)")
            guard !cells[2].isEmpty else { continue }
            #expect((asset["caption"] ?? "") == cells[9].replacing("\\n", with: " "), "\(path)")
            #expect(asset.flag("isFavorite") == (cells[6] == "1"), "\(path)")
            // The camera's clock may differ by up to a minute.
            let date = try #require(asset["creationDate"])
            let instant = try Date(
                date,
                strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: date.contains("."))
            )
            let taken = try #require(Double(cells[5]))
            #expect(abs(instant.timeIntervalSince1970 - taken) <= 60, "\(path): \(date)")
        }
        #expect(rows > 3)
        for line in lines where line["outcome"] == "unsupported" {
            #expect(line.values["notes"] == nil, "\(line.text)")
        }
        // Equal bytes are one asset.
        let digests = try Set(
            lines.filter { ["imported", "duplicate"].contains($0["outcome"]) }
                .map { try CommandWorld.sha256(of: URL(fileURLWithPath: $0["path"] ?? "")) }
        )
        #expect(assets.count == digests.count)
        try world.expectClean()
        let second = try world.run("import", "--json", tree.path).lines.map(JSONLine.init)
        #expect(!second.contains { $0["outcome"] == "imported" })
    }
}
