import Foundation
import TestSupport
import Testing

/// Imports in the gallery with the options of `photos import`: dry runs, shared albums, smaller
/// versions and volumes, and exports of Google Takeout that a browser uploads.
@Suite(.timeLimit(.minutes(5))) struct ImportChoicesTests {
    /// Requests an import, and waits until it ended.
    private func run(_ request: [String: Any], _ world: GalleryWorld) throws -> RawAnswer {
        let body = String(
            decoding: try JSONSerialization.data(withJSONObject: request),
            as: UTF8.self
        )
        let begun = try world.change("POST", "/api/imports", body)
        let session = try #require(begun.object["session"] as? String, "\(begun.text)")
        return try wait(session, world)
    }

    private func wait(_ session: String, _ world: GalleryWorld) throws -> RawAnswer {
        let state = try world.importEnd(session).object["state"] as? String
        try #require(state == "done")
        return try world.ask("GET", "/api/imports/\(session)/items")
    }

    private func counts(_ answer: RawAnswer) -> [String: Int] {
        answer.object["counts"] as? [String: Int] ?? [:]
    }

    private func items(_ answer: RawAnswer) throws -> [[String: Any]] {
        try #require(answer.object["items"] as? [[String: Any]], "\(answer.text)")
    }

    /// Writes a library of six photos: the original of one is missing, one is on a disk, and one
    /// belongs to a shared album.
    private func library(_ world: GalleryWorld) throws -> (source: URL, AppleLibrary) {
        var library = AppleLibrary()
        library.assets = 6
        let source = world.folder.file("Mac/Photos Library.photoslibrary")
        try library.write(to: source)
        let missing = source.path + "/" + library.original(4)
        let derivatives = source.appendingPathComponent("resources/derivatives/A")
        try FileManager.default.createDirectory(at: derivatives, withIntermediateDirectories: true)
        try FileManager.default.moveItem(
            atPath: missing,
            toPath: derivatives.path + "/\(library.uuid(4))_1_105_c.jpeg"
        )
        let disk = try world.folder.folder("disk/Pictures")
        let original = source.path + "/" + library.original(5)
        let name = URL(fileURLWithPath: original).lastPathComponent
        try FileManager.default.moveItem(atPath: original, toPath: disk.path + "/" + name)
        let shared = source.appendingPathComponent("scopes/cloudsharing/data/A")
        try FileManager.default.createDirectory(at: shared, withIntermediateDirectories: true)
        try FileManager.default.moveItem(
            atPath: source.path + "/" + library.original(3),
            toPath: shared.path + "/\(library.uuid(3)).jpeg"
        )
        try library.execute(
            """
            UPDATE ZASSET SET ZSAVEDASSETTYPE = 10, ZDIRECTORY = '/Volumes/Photo Disk/Pictures'
            WHERE ZUUID = '\(library.uuid(5))';
            UPDATE ZASSET SET ZCLOUDBATCHPUBLISHDATE = 700000000 WHERE ZUUID = '\(library.uuid(3))';
            """,
            in: source
        )
        return (source, library)
    }

    /// The files of a folder with their sizes and times.
    private func state(_ folder: String) throws -> [String] {
        try ProcessRunner.run("find", [folder, "-type", "f", "-printf", "%P %s %T@\\n"]).lines
            .sorted()
    }

    // MARK: - Libraries

    @Test func dryRunNamesWhatIsMissingAndChangesNothing() throws {
        let world = try GalleryWorld()
        try world.enter()
        let (source, library) = try library(world)
        let path = try #require(world.environment["PHOTOS_LIBRARY"])
        let (before, sourceBefore) = (try state(path), try state(source.path))
        let shown = try world.assets().count
        let plan = try run(["folder": source.path, "dryRun": true], world)
        #expect(plan.object["dryRun"] as? Bool == true)
        #expect(counts(plan)["imported"] == 3 && counts(plan)["missing"] == 2)
        let skipped = try items(plan).filter { $0["outcome"] as? String == "skipped" }
        #expect(skipped.contains { $0["item"] as? String == library.uuid(3) }, "\(plan.text)")
        let missing = try items(plan).filter { $0["outcome"] as? String == "missing" }
        let reasons = missing.compactMap { $0["reason"] as? String }.joined(separator: "\n")
        #expect(reasons.contains("IMG_0004.JPG") && reasons.contains("“Photo Disk”"))
        #expect(Set(missing.compactMap { $0["item"] as? String }) == [4, 5].mapSet(library.uuid))
        let volumes = missing.compactMap { $0["volume"] as? [String: String] }
        #expect(
            volumes == [["name": "Photo Disk", "path": "Pictures/\(library.uuid(5)).jpeg"]]
        )
        // New photos have no identifiers yet.
        #expect(try items(plan).allSatisfy { $0["id"] is NSNull })
        #expect(try state(path) == before && state(source.path) == sourceBefore)
        #expect(try world.assets().count == shown)
        // The gallery goes on importing, with the request that the report offers.
        var request = try #require(plan.object["request"] as? [String: Any])
        #expect(request["folder"] as? String == source.path)
        request["dryRun"] = false
        request["sharedAlbums"] = true
        request["proxies"] = true
        request["volumes"] = ["Photo Disk": world.folder.file("disk").path]
        let whole = try run(request, world)
        #expect(counts(whole)["imported"] == 6, "\(whole.text)")
        // The library does not list the photos of shared albums.
        let ids = Set(try world.assets().compactMap { $0["id"] as? String })
        #expect(ids.isSuperset(of: [0, 1, 2, 4, 5].map(library.uuid)))
        let shared = try items(whole).first { $0["item"] as? String == library.uuid(3) }
        #expect(shared?["outcome"] as? String == "imported", "\(whole.text)")
        #expect(shared?["id"] is String && shared?["isHidden"] as? Bool == false)
        #expect(try state(source.path) == sourceBefore)
        let verify = try ProcessRunner.run(
            BuiltProducts.photos.path,
            ["verify", "--full"],
            environment: world.environment
        )
        #expect(verify.errorText == "No problems found.\n")
    }

    @Test func dryRunOfFilesAndTakeoutsChangesNothing() throws {
        let world = try GalleryWorld()
        try world.enter()
        let folder = try world.folder.folder("export")
        try TakeoutTree(count: 3).write(to: folder)
        let path = try #require(world.environment["PHOTOS_LIBRARY"])
        let before = try state(path)
        let plan = try run(["folder": folder.path, "dryRun": true], world)
        #expect(counts(plan)["imported"] == 3, "\(plan.text)")
        let samples = try run(
            ["folder": world.folder.file("samples").path, "dryRun": true],
            world
        )
        #expect(counts(samples)["imported"] == nil && (counts(samples)["duplicate"] ?? 0) >= 6)
        #expect(try state(path) == before)
        // Nothing of the plans is left.
        let rest = try FileManager.default.contentsOfDirectory(
            atPath: world.folder.file("tmp").path
        )
        #expect(!rest.contains { $0.hasPrefix("photolibrary-") }, "\(rest)")
    }

    /// An export of another library of ours, which has an album.
    @Test func exportsOfLibrariesAreImported() throws {
        let world = try GalleryWorld(photos: 1)
        try world.enter()
        var library = AppleLibrary()
        library.assets = 4
        let source = world.folder.file("Mac.photoslibrary")
        try library.write(to: source)
        let other = world.folder.file("Other.photolibrary").path
        let out = world.folder.file("out").path
        for arguments in [["import", source.path], ["export", "--all", "-o", out]] {
            let output = try ProcessRunner.run(
                BuiltProducts.photos.path,
                ["--library", other] + arguments,
                environment: world.environment
            )
            try #require(output.status == 0, "\(output.errorText)")
        }
        let first = try run(["folder": out], world)
        #expect(counts(first)["imported"] == 4, "\(first.text)")
        #expect(try world.assets().count == 5)
        let second = try run(["folder": out], world)
        #expect(counts(second)["imported"] == nil && counts(second)["duplicate"] == 4)
    }

    @Test func requestOfAnImportIsForItsSessionOnly() throws {
        let world = try GalleryWorld()
        try world.enter()
        let plan = try run(["folder": world.folder.file("samples").path, "dryRun": true], world)
        let session = try #require(plan.object["session"] as? String)
        #expect(plan.object["request"] is [String: Any])
        let other = try world.enterElsewhere()
        let answer = try world.ask("GET", "/api/imports/\(session)/items", cookie: other)
        #expect(answer.object["request"] is NSNull)
        #expect(answer.object["dryRun"] as? Bool == true)
    }

    @Test func choicesAreChecked() throws {
        let world = try GalleryWorld(photos: 1)
        try world.enter()
        let (source, _) = try library(world)
        let library = "\"folder\":\"\(source.path)\""
        let samples = "\"folder\":\"\(world.folder.file("samples").path)\""
        let disk = world.folder.file("disk").path
        let file = world.folder.file("file").path
        try Data().write(to: URL(fileURLWithPath: file))
        let wrong: [(String, Int, String)] = [
            ("\"dryRun\":true", 400, "Name it as folder"),
            ("\"volumes\":{\"A\":\"\(disk)\"}", 400, "Name it as folder"),
            ("\(library),\"dryRun\":\"yes\"", 400, "dryRun"),
            ("\(library),\"volumes\":[\"A\"]", 400, "volumes"),
            ("\(library),\"volumes\":{\"A\":\"\(disk)/none\"}", 404, "for the volume A"),
            ("\(library),\"volumes\":{\"A\":\"disk\"}", 404, "for the volume A"),
            ("\(library),\"volumes\":{\"A\":\"\(file)\"}", 404, "for the volume A"),
            ("\(library),\"volumes\":{\"\":\"\(disk)\"}", 400, "has no name"),
            ("\(samples),\"sharedAlbums\":true", 400, "is none"),
            ("\(samples),\"proxies\":true", 400, "is none"),
            ("\"folder\":\"\(disk)/none\",\"dryRun\":true", 404, "no folder or file"),
            ("\"folder\":\"etc\",\"dryRun\":true", 404, "no folder or file"),
        ]
        for (body, status, text) in wrong {
            let answer = try world.change("POST", "/api/imports", "{\(body)}")
            #expect(answer.status == status, "\(body): \(answer.text)")
            #expect(answer.text.contains(text), "\(body): \(answer.text)")
        }
        let imports = try world.ask("GET", "/api/imports").object["imports"] as? [Any]
        #expect(imports?.isEmpty == true)
        // Choices that choose nothing fit everything.
        let plain = "\(samples),\"dryRun\":false,\"sharedAlbums\":false,\"volumes\":{}"
        #expect(try world.change("POST", "/api/imports", "{\(plain)}").status == 201)
    }

    @Test func foldersAreRecognized() throws {
        let world = try GalleryWorld(photos: 1)
        try world.enter()
        let (source, _) = try library(world)
        let takeout = try world.folder.folder("download")
        try TakeoutTree(count: 1)
            .writeZIP(to: takeout.appendingPathComponent("takeout-20240131T101112Z-001.zip"))
        try world.folder.write(Data(), to: "Old/Aperture.aplib/Library.apdb")
        let kinds = [
            source.path: "applePhotos", takeout.path: "takeout",
            world.folder.file("samples").path: "files",
            world.folder.file("Old").path: "unsupportedLibrary",
        ]
        for (path, kind) in kinds {
            let name = try #require(
                path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
            )
            let answer = try world.ask("GET", "/api/folders?path=\(name)")
            #expect(answer.object["kind"] as? String == kind, "\(answer.text)")
            #expect(answer.object["reason"] is String == (kind == "unsupportedLibrary"))
        }
    }

    // MARK: - Progress

    @Test(arguments: [true, false]) func progressReachesTheTotal(_ isLibrary: Bool) throws {
        let world = try GalleryWorld()
        try world.enter()
        var folder = world.folder.file("samples")
        if isLibrary { (folder, _) = try library(world) }
        let session = try run(["folder": folder.path], world).object["session"] as? String
        let state = try world.ask("GET", "/api/imports/\(try #require(session))").object
        #expect(state["unit"] as? String == (isLibrary ? "photos" : "files"))
        let total = try #require(state["total"] as? Int)
        #expect(isLibrary ? total == 6 : total >= 6)
        #expect(state["done"] as? Int == total)
        #expect(state["fraction"] as? Double == 1)
    }

    // MARK: - Uploads

    private func upload(_ files: [(String, Data)], _ world: GalleryWorld) throws -> String {
        let begun = try world.change("POST", "/api/imports", "{}")
        let session = try #require(begun.object["session"] as? String)
        for (number, (name, data)) in files.enumerated() {
            let file = "{\"path\":\"\(name)\",\"size\":\(data.count)}"
            _ = try world.change("POST", "/api/imports/\(session)/files", file)
            let sent = try world.ask(
                "PUT",
                "/api/imports/\(session)/files/\(number)?offset=0",
                headers: ["Origin": world.origin, "X-Photos-Gallery": "1"],
                body: data
            )
            try #require(sent.object["done"] as? Bool == true, "\(sent.text)")
        }
        let finished = try world.change("POST", "/api/imports/\(session)/finish", "{}")
        try #require(finished.status == 202, "\(finished.text)")
        return session
    }

    /// The parts of an export, and another file.
    private func parts(_ count: Int, _ world: GalleryWorld) throws -> [(String, Data)] {
        let tree = try TakeoutTree(count: count)
        let half = tree.files.count / 2
        var parts: [(String, Data)] = []
        for (number, range) in [0..<half, half..<tree.files.count].enumerated() {
            let name = "takeout-20240131T101112Z-00\(number + 1).zip"
            let file = world.folder.file(name)
            try tree.writeZIP(to: file, range)
            parts.append((name, try Data(contentsOf: file)))
        }
        return parts
    }

    @Test func uploadedArchivesAreImported() throws {
        let world = try GalleryWorld(photos: 1)
        try world.enter()
        var files = try parts(6, world)
        files.append(("notes.txt", Data("words".utf8)))
        let session = try upload(files, world)
        let report = try wait(session, world)
        #expect(counts(report)["imported"] == 6, "\(report.text)")
        #expect(counts(report)["missing"] == nil && counts(report)["failed"] == nil)
        // The paths are those that the browser sent, never those of the upload folder.
        let names = Set(try items(report).compactMap { $0["path"] as? String })
        #expect(names == Set(files.map(\.0)))
        #expect(!report.text.contains(world.folder.path))
        let state = try world.ask("GET", "/api/imports/\(session)").object
        let rows = try #require(state["files"] as? [[String: Any]])
        #expect(rows.map { $0["outcome"] as? String } == ["imported", "imported", "unsupported"])
        let contents = rows.compactMap { $0["contents"] as? [String: Int] }
        #expect(contents.count == 2)
        #expect(contents.reduce(0) { $0 + ($1["imported"] ?? 0) } == 6)
        // Dates and captions are those of the export, and nothing of the upload remains.
        let assets = try world.assets()
        #expect(assets.count == 7)
        #expect(assets.contains { ($0["date"] as? String)?.hasPrefix("2017-07-14") == true })
        let rest = try ProcessRunner.run("find", [world.folder.file("tmp").path, "-type", "f"])
        #expect(rest.text.isEmpty, "\(rest.text)")
    }

    @Test func killedImportOfAnUploadLosesNothing() throws {
        let world = try GalleryWorld(photos: 1)
        try world.enter()
        let files = try parts(120, world)
        let session = try upload(files, world)
        let deadline = ContinuousClock.now + .seconds(60)
        var done = 0
        while done == 0, ContinuousClock.now < deadline {
            done = try world.ask("GET", "/api/imports/\(session)").object["done"] as? Int ?? 0
        }
        world.end()
        let archives = try files.map { name, data in
            let file = world.folder.file(name)
            try data.write(to: file)
            return file.path
        }
        for arguments in [["verify", "--full"], ["import"] + archives, ["verify", "--full"]] {
            let output = try ProcessRunner.run(
                BuiltProducts.photos.path,
                arguments,
                environment: world.environment
            )
            #expect(output.status == 0, "\(arguments): \(output.text)\(output.errorText)")
        }
        let list = try ProcessRunner.run(
            BuiltProducts.photos.path,
            ["list", "--json"],
            environment: world.environment
        )
        #expect(list.lines.count == 121)
    }
}

extension Array {
    fileprivate func mapSet<Value: Hashable>(_ transform: (Element) -> Value) -> Set<Value> {
        Set(map(transform))
    }
}
