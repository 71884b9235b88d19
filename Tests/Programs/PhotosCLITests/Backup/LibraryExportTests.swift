import Foundation
import Glibc
import SamplePhotos
import TestSupport
import Testing

/// The export of a whole library, read back by other programs.
@Suite(.timeLimit(.minutes(5))) struct LibraryExportTests {
    let made: BackupWorld
    let out: URL
    var world: CommandWorld { made.world }

    init() throws {
        made = try BackupWorld()
        out = made.world.folder.file("out")
    }

    @discardableResult
    private func export(_ arguments: String..., status: Int32 = 0) throws -> [JSONLine] {
        let output = try world.run(["export", "--all", "-o", out.path, "--json"] + arguments)
        try #require(output.status == status, "\(output.text)\(output.errorText)")
        return try output.lines.map(JSONLine.init)
    }

    private func manifest() throws -> [JSONLine] {
        let text = try String(
            contentsOf: out.appendingPathComponent("library.jsonl"),
            encoding: .utf8
        )
        return try text.split(separator: "\n").map { try JSONLine(String($0)) }
    }

    /// Returns the content of the export, with the targets of links.
    private func tree() throws -> String {
        let script = """
            find . -type f -not -path './.photos-export/*' | LC_ALL=C sort | xargs -d '\\n' sha256sum
            find . -type l -printf '%p -> %l\\n' | LC_ALL=C sort
            """
        return try ProcessRunner.run("sh", ["-c", script], folder: out).text
    }

    @Test func everyFileOfTheLibraryIsThere() throws {
        let lines = try export("--hidden", "--deleted")
        #expect(Set(lines.compactMap { $0["outcome"] }) == ["exported"])
        let manifest = try manifest()
        #expect(manifest.first?["kind"] == "library")
        let assets = manifest.filter { $0["kind"] == "asset" }
        #expect(manifest.first?.number("assets") == Double(assets.count))
        // The rows and bytes of the library, by other programs.
        let database = world.library.appendingPathComponent("database/library.sqlite").path
        let rows = try ProcessRunner.run(
            "sqlite3",
            ["-readonly", database, "SELECT lower(hex(sha256)) FROM resource ORDER BY 1"]
        ).lines
        let files = assets.flatMap { $0.values["files"] as? [[String: Any]] ?? [] }
        #expect(files.compactMap { $0["sha256"] as? String }.sorted() == rows)
        let sums = try files.map { file in
            let path = try #require(file["path"] as? String)
            return try CommandWorld.sha256(of: out.appendingPathComponent(path))
        }
        #expect(sums.sorted() == rows)
        // Facts of each asset, against the columns of its row.
        for asset in assets {
            let uuid = try #require(asset["uuid"])
            let sql = """
                SELECT originalFilename || '|' || coalesce(title, '') || '|' || rating || '|' ||
                    isFavorite || '|' || isHidden || '|' || (trashedDate IS NOT NULL)
                FROM asset WHERE uuid = '\(uuid)'
                """
            let row = try ProcessRunner.run("sqlite3", ["-readonly", database, sql]).lines.first
            let facts = [
                asset["originalFilename"] ?? "", asset["title"] ?? "",
                "\(Int(asset.number("rating") ?? 0))", asset.flag("isFavorite") == true ? "1" : "0",
                asset.flag("isHidden") == true ? "1" : "0",
                asset["trashedDate"] == nil ? "0" : "1",
            ].joined(separator: "|")
            #expect(row == facts)
        }
        let hidden = try #require(assets.first { $0.flag("isHidden") == true })
        let deleted = try #require(assets.first { $0["trashedDate"] != nil })
        #expect(hidden["xmp"]?.hasPrefix("Hidden/") == true)
        #expect(deleted["xmp"]?.hasPrefix("Recently Deleted/") == true)
    }

    @Test func hiddenAndDeletedAreExportedOnRequest() throws {
        let output = try world.run("export", "--all", "-o", out.path)
        #expect(output.status == 0)
        #expect(output.errorText.contains("1 hidden photos were not exported"))
        #expect(output.errorText.contains("1 photos in Recently Deleted were not exported"))
        let manager = FileManager.default
        #expect(!manager.fileExists(atPath: out.path + "/Hidden"))
        #expect(!manager.fileExists(atPath: out.path + "/Recently Deleted"))
        let header = try #require(try manifest().first)
        #expect(header.number("hidden") == 1 && header.number("deleted") == 1)
        #expect(!(try manifest()).contains { $0.flag("isHidden") == true })
        // Who imports the export is told what it lacks.
        let report = world.folder.file("report.jsonl")
        let plan = try world.run([
            "import", "--dry-run", "--report", report.path, out.path, "--library",
            world.folder.file("Other.photolibrary").path,
        ])
        #expect(plan.status == 0, "\(plan.errorText)")
        let notes = try notes(ofReport: report)["notExported"]?.sorted()
        #expect(
            notes == [
                "1 hidden photos of the library are not in the export.",
                "1 photos in Recently Deleted of the library are not in the export.",
            ]
        )
    }

    @Test func hiddenPhotosInRecentlyDeletedAreCounted() throws {
        _ = try world.objects("set", made.ids[5], "--hidden", "true", "--json")
        _ = try world.objects("delete", made.ids[5], "--json")
        let output = try world.run("export", "--all", "--deleted", "-o", out.path)
        #expect(output.status == 0)
        #expect(output.errorText.contains("2 hidden photos were not exported"))
        #expect(!output.errorText.contains("in Recently Deleted were not exported"))
        let header = try #require(try manifest().first)
        #expect(header.number("hidden") == 2 && header.number("deleted") == 2)
        let report = world.folder.file("report.jsonl")
        let plan = try world.run([
            "import", "--dry-run", "--report", report.path, out.path, "--library",
            world.folder.file("Other.photolibrary").path,
        ])
        #expect(plan.status == 0, "\(plan.errorText)")
        let notes = try notes(ofReport: report)["notExported"]
        #expect(notes == ["2 hidden photos of the library are not in the export."])
        // With all options, nothing is missing.
        let whole = try world.run("export", "--all", "--deleted", "--hidden", "-o", out.path)
        #expect(whole.status == 0 && !whole.errorText.contains("not exported"))
    }

    @Test func theSecondExportWritesOnlyChanges() throws {
        try export()
        let before = try tree()
        #expect(Set(try export().compactMap { $0["outcome"] }) == ["unchanged"])
        #expect(try tree() == before)
        _ = try world.objects("set", made.ids[5], "--title", "Later", "--json")
        _ = try world.objects("album", "remove", "Summer", made.ids[3], "--json")
        _ = try world.objects("delete", made.ids[3], "--json")
        let lines = try export()
        let changed = lines.filter { $0["outcome"] == "exported" }
        #expect(changed.map { $0["localIdentifier"] } == [made.ids[5]])
        #expect(changed.allSatisfy { $0["path"]?.hasSuffix(".xmp") == true })
        // Files of the deleted photo are listed and stay.
        let stale = lines.filter { $0["outcome"] == "stale" }.compactMap { $0["path"] }
        #expect(stale.count == 2)
        #expect(stale.allSatisfy { access($0, F_OK) == 0 })
    }

    @Test func albumsAreFoldersOfLinksInOrder() throws {
        try export()
        let folder = out.appendingPathComponent("Albums/Summer")
        let text = try String(
            contentsOf: folder.appendingPathComponent(".album.json"),
            encoding: .utf8
        )
        let album = try JSONLine(text)
        let members = try #require(album.values["members"] as? [[String: String]])
        #expect(members.compactMap { $0["localIdentifier"] } == [1, 3, 0].map { made.ids[$0] })
        for member in members {
            let link = folder.appendingPathComponent(try #require(member["name"])).path
            let target = try FileManager.default.destinationOfSymbolicLink(atPath: link)
            #expect(target.hasPrefix("../../Photos/"))
            #expect(access(link, R_OK) == 0)
        }
        // The first member was edited, so the link shows the edit.
        #expect(members[0]["name"]?.contains("-edited") == true)
        #expect(access(out.path + "/Albums/Trips/Inner/.album.json", F_OK) == 0)
        let inner = try manifest().first { $0["title"] == "Inner" }
        let trips = try manifest().first { $0["title"] == "Trips" }
        #expect(inner?["parent"] == trips?["uuid"] && trips?["kind"] == "folder")
        // A removed member loses its link.
        _ = try world.objects("album", "remove", "Summer", made.ids[3], "--json")
        try export()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.count == 3)
        // Copies and no folders at all.
        for form in ["copies", "none"] {
            let other = world.folder.file("out-" + form)
            let output = try world.run("export", "--all", "-o", other.path, "--albums", form)
            #expect(output.status == 0)
            let script = "find Albums -type f -not -name .album.json | wc -l"
            let count = try ProcessRunner.run("sh", ["-c", script], folder: other).text
            #expect(count.contains(form == "copies" ? "2" : "0"))
        }
    }

    @Test func fileSystemsWithoutLinksGetTheListsOfAlbums() throws {
        let variables: [String: String?] = ["LD_PRELOAD": try world.preload(Self.withoutLinks)]
        func export(_ form: String) throws -> [JSONLine] {
            let output = try world.run(
                ["export", "--all", "-o", out.path, "--json", "--albums", form],
                variables: variables
            )
            #expect(output.status == 0, "\(output.text)\(output.errorText)")
            return try output.lines.map(JSONLine.init)
        }
        let folder = out.appendingPathComponent("Albums/Summer")
        for outcome in ["exported", "unchanged"] {
            let albums = try export("links").filter { $0.name == ".album.json" }
            #expect(albums.map { $0["path"] } == [folder.path + "/.album.json"])
            #expect(albums.first?["outcome"] == outcome)
            #expect(albums.first?["reason"]?.contains("--albums copies") == true)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(names == [".album.json"])
        }
        // The export is complete.
        let summer = try manifest().first { $0["title"] == "Summer" }
        #expect(summer?.list("members")?.count == 3)
        #expect(try export("copies").allSatisfy { $0["reason"] == nil })
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 4)
    }

    /// The calls of FAT and exFAT.
    private static let withoutLinks = """
        #include <errno.h>
        #include <unistd.h>
        int symlink(const char *target, const char *path) { errno = EPERM; return -1; }
        """

    @Test(arguments: [
        "A <title> & \"more\" 'yes' ]]> &amp; <!-- x -->", "línea\nzwei\ttab", "a\u{1}b\u{FFFF}c",
        "日本語 👩‍👩‍👧 e\u{301}", "</rdf:li></rdf:Alt><x>",
    ])
    func metadataIsReadBackByExiftool(text: String) throws {
        let id = made.ids[5]
        let set = try world.run([
            "set", id, "--title", text, "--caption", text + " caption", "--add-keyword", text,
            "--add-keyword", "plain", "--add-keyword", "a/b", "--add-keyword", "c|d", "--rating",
            "4", "--location", "-33.8568,151.2153", "--favorite", "true",
        ])
        #expect(set.status == 0, "\(set.errorText)")
        let line = try #require(
            try export().first {
                $0["localIdentifier"] == id && $0["path"]?.hasSuffix(".xmp") == true
            }
        )
        let file = URL(fileURLWithPath: try #require(line["path"]))
        let lint = try ProcessRunner.run(
            "python3",
            ["-c", "import sys, xml.dom.minidom as m; m.parse(sys.argv[1])", file.path]
        )
        #expect(lint.status == 0, "\(lint.errorText)")
        let output = try ProcessRunner.run(
            "exiftool",
            ["-j", "-n", "-G1", "-struct", "-charset", "UTF8", file.path]
        )
        let objects = try JSONSerialization.jsonObject(with: output.standardOutput)
        let tags = try #require((objects as? [[String: Any]])?.first)
        let expected = text.replacing("\u{1}", with: "\u{FFFD}")
            .replacing("\u{FFFF}", with: "\u{FFFD}")
        #expect(tags["XMP-dc:Title"] as? String == expected)
        #expect(tags["XMP-dc:Description"] as? String == expected + " caption")
        let subject = tags["XMP-dc:Subject"] as? [String] ?? []
        #expect(Set(subject).isSuperset(of: [expected, "plain", "a/b", "c|d"]))
        let paths = tags["XMP-lr:HierarchicalSubject"] as? [String] ?? []
        #expect(paths.contains("a/b") && !paths.contains("c|d"))
        let list = tags["XMP-digiKam:TagsList"] as? [String] ?? []
        #expect(list.contains("c|d") && !list.contains("a/b"))
        #expect(tags["XMP-xmp:Rating"] as? Int == 4)
        #expect(tags["XMP-exif:DateTimeOriginal"] as? String == "2020:01:06 12:00:00+05:30")
        #expect(tags["XMP-photoshop:DateCreated"] as? String == "2020:01:06 12:00:00+05:30")
        let latitude = try #require(tags["XMP-exif:GPSLatitude"] as? Double)
        let longitude = try #require(tags["XMP-exif:GPSLongitude"] as? Double)
        #expect(abs(latitude + 33.8568) < 1e-9 && abs(longitude - 151.2153) < 1e-9)
        #expect(try ExifTool.complaints(about: file).isEmpty)
        #expect(try String(contentsOf: file, encoding: .utf8).contains("favorite>True<"))
    }

    /// Files and sidecars alone restore what other programs can read, too.
    @Test func importingTheFilesRestoresTheirFacts() throws {
        try export("--hidden", "--albums", "none")
        let other = world.folder.file("Imported.photolibrary")
        let output = try world.run(
            "import",
            "--library",
            other.path,
            out.appendingPathComponent("Photos").path,
            out.appendingPathComponent("Hidden").path
        )
        #expect(output.status == 0, "\(output.errorText)")
        // Photos with edits and sidecars of their own have more files; those without a date have
        // the time of their file.
        let sql = """
            SELECT originalFilename, title, caption, keywords, rating, captureWallTime,
                captureOffset, round(latitude, 6), round(longitude, 6),
                (SELECT count(*) FROM resource WHERE assetId = asset.id AND type IN (4, 9))
            FROM asset WHERE trashedDate IS NULL AND hasAdjustments = 0
                AND originalFilename LIKE 'IMG%' AND captureOffset IS NOT NULL
            ORDER BY originalFilename, captureWallTime
            """
        let rows = try [world.library, other].map { library in
            let database = library.appendingPathComponent("database/library.sqlite").path
            return try ProcessRunner.run("sqlite3", ["-readonly", database, sql]).lines
        }
        #expect(rows[0].count > 10)
        // An edit, exported beside its original, is a file of its own name.
        #expect(Set(rows[1]).isSuperset(of: rows[0]))
    }

    @Test func namesAreFreeAndPlain() throws {
        for (index, name) in ["IMG_77.JPG", "b/IMG_77.JPG", "c/img_77.jpg"].enumerated() {
            try world.photo(
                name,
                seed: UInt64(900 + index),
                metadata: .init(date: .init(text: "2015:05:05 12:00:00", offset: "+00:00"))
            )
        }
        _ = try world.objects("import", "--json", world.source.path)
        _ = try world.objects("album", "create", "a/b", "--json")
        _ = try world.objects("album", "create", "a/b", "--json")
        _ = try world.objects("album", "create", "..", "--json")
        _ = try world.objects("album", "create", "a:b*c?\"d<e>f|g\\h", "--json")
        // Names whose only other character does not fit into a name: dots or nothing would be left.
        let long = "a" + String(repeating: "\u{334}", count: 130)
        for title in ["..", ".", ""].map({ $0 + long }) {
            _ = try world.objects("album", "create", title, "--json")
        }
        try export()
        let month = out.appendingPathComponent("Photos/2015/2015-05")
        let names = Set(try FileManager.default.contentsOfDirectory(atPath: month.path))
        #expect(names.count == 6)
        #expect(Set(names.map { $0.lowercased() }).count == 6)
        #expect(names.contains { $0.contains(" (2).") } && names.contains { $0.contains(" (3).") })
        let albums = try FileManager.default.contentsOfDirectory(atPath: out.path + "/Albums")
        #expect(Set(albums).isSuperset(of: ["a\u{2215}b", "a\u{2215}b (2)", "a_b_c__d_e_f_g_h"]))
        let untitled = ["Untitled", "Untitled (2)", "Untitled (3)", "Untitled (4)"]
        #expect(Set(albums).isSuperset(of: untitled))
        // Nothing was written outside of the folders of albums.
        #expect(access(out.path + "/.album.json", F_OK) != 0)
        #expect(access(out.path + "/Albums/.album.json", F_OK) != 0)
    }

    @Test func damagedAndMissingFilesAreReported() throws {
        let damaged = try #require(try made.files(of: made.ids[5], in: world.library).first)
        let missing = try #require(try made.files(of: made.ids[3], in: world.library).first)
        try BackupWorld.damage(damaged)
        try FileManager.default.removeItem(at: missing)
        // A link is not opened, also by root.
        let link = try #require(try made.files(of: made.ids[6], in: world.library).first)
        try FileManager.default.removeItem(at: link)
        try FileManager.default.createSymbolicLink(
            atPath: link.path,
            withDestinationPath: damaged.path
        )
        let lines = try export(status: 1)
        let failed = lines.filter { $0["outcome"] == "failed" }
        #expect(Set(failed.compactMap { $0["localIdentifier"] }) == [made.ids[5], made.ids[6]])
        #expect(failed.contains { $0["reason"]?.contains("SHA-256") == true })
        let absent = lines.filter { $0["outcome"] == "missing" }
        #expect(absent.map { $0["localIdentifier"] } == [made.ids[3]])
        #expect(try manifest().contains { $0["uuid"] == String(made.ids[5].prefix(36)) })
    }

    @Test func unsuitableFoldersAreRefused() throws {
        let others = try world.folder.folder("others")
        try Data("mine".utf8).write(to: others.appendingPathComponent("mine.txt"))
        for (path, reason) in [
            (world.library.appendingPathComponent("out").path, "in a photo library"),
            (others.path, "contains other files"),
        ] {
            let output = try world.run("export", "--all", "-o", path)
            #expect(output.status == 1, "\(path)")
            #expect(output.errorText.contains(reason), "\(output.errorText)")
        }
        try export()
        let foreign = world.folder.file("Foreign.photolibrary").path
        _ = try world.run("create", "--library", foreign)
        let output = try world.run("export", "--all", "-o", out.path, "--library", foreign)
        #expect(output.errorText.contains("export of another library"))
        for arguments in [
            ["--all", "A"], ["--hidden", "A"], ["--all", "--current"], ["--albums", "no", "--all"],
            [],
        ] {
            #expect(try world.run(["export", "-o", "x"] + arguments).status == 2)
        }
    }

    @Test func aKilledExportContinues() throws {
        try world.photos((0..<40).map { "more/IMG_\($0).JPG" }, padding: 100_000)
        _ = try world.objects("import", "--json", world.source.path)
        let whole = world.folder.file("whole")
        #expect(try world.run("export", "--all", "-o", whole.path).status == 0)
        let seed = TestSeed()
        var random = seed.generator
        for _ in 0..<KillTests.kills {
            let process = try world.start("export", "--all", "-o", out.path, "--json")
            _ = process.read(atMost: .milliseconds(Int.random(in: 0...600, using: &random)))
            process.kill(SIGKILL)
            process.read()
            _ = process.wait()
            for line in try process.lines.map(JSONLine.init) where line["outcome"] == "exported" {
                #expect(access(try #require(line["path"]), F_OK) == 0, "\(seed)")
            }
        }
        try export()
        let compared = try ProcessRunner.run(
            "diff",
            ["-r", "--exclude=.photos-export", whole.path, out.path]
        )
        #expect(compared.status == 0, "\(seed): \(compared.text)")
        let parts = out.path + "/.photos-export/parts"
        #expect(try FileManager.default.contentsOfDirectory(atPath: parts).isEmpty)
    }
}
