import Foundation
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

/// The reports of imports in the gallery.
@Suite(.timeLimit(.minutes(5))) struct ImportReportTests {
    /// Imports a folder of this machine, and waits until it ended.
    private func begin(_ folder: URL, isDryRun: Bool = false, _ world: GalleryWorld) throws
        -> String
    {
        let body = "{\"folder\":\"\(folder.path)\",\"dryRun\":\(isDryRun)}"
        let begun = try world.change("POST", "/api/imports", body)
        let session = try #require(begun.object["session"] as? String, "\(begun.text)")
        _ = try world.importEnd(session)
        return session
    }

    private func items(_ answer: RawAnswer) throws -> [[String: Any]] {
        try #require(answer.object["items"] as? [[String: Any]], "\(answer.text)")
    }

    private func unlock(_ world: GalleryWorld) throws -> String {
        let session = try world.enterElsewhere()
        let answer = try world.change("POST", "/api/hidden", "{\"unlock\":true}", cookie: session)
        let cookie = try #require(answer.headers["set-cookie"]?.split(separator: ";").first)
        return session + "; " + cookie
    }

    /// Writes a folder with a good file, a duplicate of a sample, a broken file and a text.
    private func mixedFolder(_ world: GalleryWorld) throws -> URL {
        let folder = try world.folder.folder("mixed")
        let photo = SamplePhoto(Picture(.hills, seed: 77), size: .init(width: 64, height: 48))
        try SampleFile.jpeg(photo).write(to: folder.appendingPathComponent("good.jpg"))
        let samples = world.folder.file("samples")
        let names = try FileManager.default.subpathsOfDirectory(atPath: samples.path)
        let name = try #require(names.sorted().first { $0.hasSuffix(".JPG") })
        try FileManager.default.copyItem(
            at: samples.appendingPathComponent(name),
            to: folder.appendingPathComponent("twin.jpg")
        )
        try Data().write(to: folder.appendingPathComponent("broken.jpg"))
        try Data("words".utf8).write(to: folder.appendingPathComponent("notes.txt"))
        return folder
    }

    @Test func theReportHasEveryFileOnce() throws {
        let world = try GalleryWorld()
        try world.enter()
        let folder = try mixedFolder(world)
        let session = try begin(folder, world)
        let all = try world.ask("GET", "/api/imports/\(session)/items")
        let found = Dictionary(
            uniqueKeysWithValues: try items(all).map { item in
                let path = item["path"] as? String ?? ""
                return ((path as NSString).lastPathComponent, item["outcome"] as? String ?? "")
            }
        )
        #expect(
            found == [
                "good.jpg": "imported", "twin.jpg": "duplicate", "broken.jpg": "failed",
                "notes.txt": "unsupported",
            ]
        )
        let counts = try #require(all.object["counts"] as? [String: Int])
        #expect(counts == ["imported": 1, "duplicate": 1, "failed": 1, "unsupported": 1])
        #expect(all.object["total"] as? Int == 4 && all.object["unlisted"] as? Int == 0)
        let failed = try #require(try items(all).first { $0["outcome"] as? String == "failed" })
        #expect((failed["reason"] as? String)?.isEmpty == false)
        // Filters and parts.
        let path = "/api/imports/\(session)/items"
        let filtered = try world.ask("GET", path + "?outcome=failed")
        #expect(try items(filtered).count == 1 && filtered.object["matching"] as? Int == 1)
        #expect(filtered.object["total"] as? Int == 4)
        let second = try world.ask("GET", path + "?from=1&count=2")
        #expect(try items(second).count == 2)
        #expect(try items(second)[0]["path"] as? String == items(all)[1]["path"] as? String)
        #expect(try items(world.ask("GET", path + "?from=100")).isEmpty)
        #expect(try items(world.ask("GET", path + "?outcome=nonsense")).isEmpty)
        for query in ["?from=-1", "?count=0", "?count=501", "?from=x"] {
            #expect(try world.ask("GET", path + query).status == 400, "\(query)")
        }
        #expect(try world.ask("GET", "/api/imports/none/items").status == 404)
        #expect(try world.ask("GET", "/api/imports/none/report").status == 404)
        // The file has the same items, and the totals at its end.
        let report = try world.ask("GET", "/api/imports/\(session)/report")
        #expect(report.headers["content-type"] == "application/jsonl; charset=utf-8")
        #expect(report.headers["content-disposition"]?.contains(".jsonl") == true)
        let lines = try report.text.split(separator: "\n").map { line in
            try #require(
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            )
        }
        #expect(lines.count == 6)
        #expect(
            lines.dropFirst().dropLast().map { $0["path"] as? String }
                == (try items(all)).map { $0["path"] as? String }
        )
        let totals = try #require(lines.last?["totals"] as? [String: Any])
        for (outcome, count) in counts { #expect(totals[outcome] as? Int == count, "\(outcome)") }
        #expect(totals["addsUp"] as? Bool == true)
        // The last import is the first in the list.
        let list = try world.ask("GET", "/api/imports").object["imports"] as? [[String: Any]]
        #expect(list?.first?["session"] as? String == session)
    }

    @Test func hiddenPhotosHaveNoNamesInReports() throws {
        let world = try GalleryWorld()
        try world.enter()
        let unlocked = try unlock(world)
        let source = try mixedFolder(world)
        let session = try begin(source, world)
        let path = "/api/imports/\(session)"
        let imported = try items(world.ask("GET", path + "/items?outcome=imported"))
        let id = try #require(imported.first?["id"] as? String)
        let output = try ProcessRunner.run(
            BuiltProducts.photos.path,
            ["set", "--hidden", "true", id],
            environment: world.environment
        )
        try #require(output.status == 0, "\(output.errorText)")
        for route in ["/items", "/report", ""] {
            let locked = try world.ask("GET", path + route).text
            #expect(!locked.contains(id) && !locked.contains("good.jpg"), "\(route): \(locked)")
            #expect(locked.contains("broken.jpg"), "\(route)")
            // Others do not learn what was imported, which may be the file of a hidden photo.
            let other = try world.enterElsewhere()
            let answer = try world.ask("GET", path + route, cookie: other).text
            #expect(!answer.contains("\"\(source.path)\""), "\(route)")
            let open = try world.ask("GET", path + route, cookie: unlocked).text
            #expect(open.contains(id) && open.contains("good.jpg"), "\(route): \(open)")
        }
        // It is counted, so the counts add up.
        let answer = try world.ask("GET", path + "/items")
        #expect(answer.object["total"] as? Int == 4)
        #expect(try items(answer).count == 4)
        #expect(try items(answer).contains { $0["isHidden"] as? Bool == true })
    }

    @Test func librariesOfApplePhotosAreImported() throws {
        let world = try GalleryWorld()
        try world.enter()
        var library = AppleLibrary()
        library.assets = 6
        let source = world.folder.file("Mac/A copied folder")
        try library.write(to: source)
        try FileManager.default.removeItem(atPath: source.path + "/" + library.original(3))
        let session = try begin(source, world)
        let answer = try world.ask("GET", "/api/imports/\(session)/items")
        #expect(answer.object["state"] as? String == "done", "\(answer.text)")
        let missing = try items(answer).filter { $0["outcome"] as? String == "missing" }
        #expect(missing.compactMap { $0["item"] as? String } == [library.uuid(3)])
        #expect((missing.first?["reason"] as? String)?.isEmpty == false)
        let counts = try #require(answer.object["counts"] as? [String: Int])
        #expect(counts["imported"] == 5)
        #expect(counts.values.reduce(0, +) == answer.object["total"] as? Int)
        let ids = Set(try world.assets().compactMap { $0["id"] as? String })
        #expect(ids.isSuperset(of: [0, 1, 2, 4, 5].map(library.uuid)))
        // Again: nothing is new.
        let again = try world.ask("GET", "/api/imports/\(try begin(source, world))/items")
        #expect((again.object["counts"] as? [String: Int])?["imported"] == nil)
    }

    /// The download and the file of `photos import --report` are the same.
    @Test func theDownloadIsTheReportOfTheCommand() throws {
        let world = try GalleryWorld()
        try world.enter()
        var library = AppleLibrary()
        library.assets = 6
        let apple = world.folder.file("Mac/A copied folder")
        try library.write(to: apple)
        try FileManager.default.removeItem(atPath: apple.path + "/" + library.original(3))
        try library.execute(
            """
            UPDATE ZASSET SET ZSAVEDASSETTYPE = 10, ZDIRECTORY = '/Volumes/Photo Disk/Pictures'
            WHERE ZUUID = '\(library.uuid(5))';
            """,
            in: apple
        )
        let takeout = try world.folder.folder("downloads")
        try TakeoutTree(count: 3, seed: 9)
            .writeZIP(to: takeout.appendingPathComponent("takeout-20240131T101112Z-001.zip"))
        let mixed = try mixedFolder(world)
        let early = world.folder.file("Early")
        try world.folder.write(Data("<plist/>".utf8), to: "Early/AlbumData.xml")
        let broken = world.folder.file("Broken")
        try world.folder.write(Data("none".utf8), to: "Broken/database/Photos.sqlite")
        for source in [apple, takeout, mixed, early, broken] {
            // A dry run gives no identifiers, and one after the import has all.
            for isDryRun in [true, false, true] {
                let name = "\(source.lastPathComponent), \(isDryRun)"
                let report = world.folder.file("report.jsonl")
                let twin = world.folder.file("twin.photolibrary")
                let path = try #require(world.environment["PHOTOS_LIBRARY"])
                try FileManager.default.copyItem(atPath: path, toPath: twin.path)
                let output = try ProcessRunner.run(
                    BuiltProducts.photos.path,
                    ["--library", twin.path, "import", source.path, "--report", report.path]
                        + (isDryRun ? ["--dry-run"] : [])
                )
                #expect(output.status < 2, "\(name): \(output.errorText)")
                let session = try begin(source, isDryRun: isDryRun, world)
                let answer = try world.ask("GET", "/api/imports/\(session)/report")
                let expected = try String(contentsOf: report, encoding: .utf8)
                #expect(try normalized(answer.text) == normalized(expected), "\(name)")
                try FileManager.default.removeItem(at: twin)
                try FileManager.default.removeItem(at: report)
            }
        }
    }

    /// The lines of a report without identifiers that each library invents, and without the order
    /// of files that are imported at once.
    private func normalized(_ report: String) throws -> [String] {
        let lines = report.split(separator: "\n").map(String.init)
        let identifier = #/"localIdentifier":"[^"]+"/#
        let items = lines.dropFirst().dropLast()
            .map { $0.replacing(identifier, with: "\"localIdentifier\":\"ID\"") }
        return [lines.first ?? ""] + items.sorted() + [lines.last ?? ""]
    }

    @Test func hiddenItemsOfALibraryAreNotNamed() throws {
        let world = try GalleryWorld()
        try world.enter()
        var library = AppleLibrary()
        library.assets = 6
        let source = world.folder.file("Mac/Photos Library.photoslibrary")
        try library.write(to: source)
        // Item 3 is hidden and missing, item 4 only missing, and item 2 only hidden.
        for index in [3, 4] {
            try FileManager.default.removeItem(atPath: source.path + "/" + library.original(index))
        }
        let hidden = [2, 3].map { "'\(library.uuid($0))'" }.joined(separator: ",")
        let sql = "UPDATE ZASSET SET ZHIDDEN = 1 WHERE ZUUID IN (\(hidden));"
        try library.execute(sql, in: source)
        let session = try begin(source, world)
        for route in ["items", "report", ""] {
            let path = "/api/imports/\(session)" + (route.isEmpty ? "" : "/\(route)")
            let text = try world.ask("GET", path).text
            #expect(text.contains(library.uuid(4)), "\(route)")
            for index in [2, 3] {
                #expect(!text.contains(library.uuid(index)), "\(route) \(index)")
                let name = (library.original(index) as NSString).lastPathComponent
                #expect(!text.contains(name), "\(route) \(index)")
            }
        }
    }

    @Test func takeoutArchivesAreImported() throws {
        let world = try GalleryWorld()
        try world.enter()
        let folder = try world.folder.folder("downloads")
        let tree = try TakeoutTree(count: 4, seed: 3)
        try tree.writeZIP(to: folder.appendingPathComponent("takeout-20240131T101112Z-001.zip"))
        let session = try begin(folder, world)
        let answer = try world.ask("GET", "/api/imports/\(session)/items")
        let counts = try #require(answer.object["counts"] as? [String: Int])
        #expect((counts["imported"] ?? 0) >= 4, "\(answer.text)")
        // All files of an archive have its path, and their own names.
        let names = try items(answer).compactMap { $0["item"] as? String }
        #expect(Set(names).count == names.count && names.count >= 4)
        #expect(try items(answer).count == answer.object["total"] as? Int)
    }
}
