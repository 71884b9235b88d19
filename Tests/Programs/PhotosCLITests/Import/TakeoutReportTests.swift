import Foundation
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

/// What the report says about exports of Google Takeout, and the facts of real ones.
@Suite(.timeLimit(.minutes(5))) struct TakeoutReportTests {
    let world: CommandWorld

    init() throws { world = try CommandWorld() }

    private func item(_ line: JSONLine) -> String {
        (line.item ?? "").replacing("Takeout/Google Photos/", with: "")
    }

    @Test func reportNamesEachDecision() throws {
        var tree = TakeoutTree()
        func add(_ name: String, _ data: Data, _ change: (inout TakeoutTree.Description) -> Void) {
            var description = TakeoutTree.Description(title: name)
            change(&description)
            tree.add("Photos from 2020/" + name, data)
            tree.add("Photos from 2020/" + name + ".json", description.data)
        }
        let date = SampleDate(text: "2020:05:01 12:00:00", offset: "+02:00")
        // 2020-05-01 10:00:00 UTC.
        let taken = 1_588_327_200
        add("camera.jpg", try TakeoutTree.picture(seed: 1, date: date)) { $0.taken = taken }
        add("moved.jpg", try TakeoutTree.picture(seed: 2, date: date)) {
            $0.taken = taken - 86_400 * 400
        }
        add("estimated.jpg", try TakeoutTree.picture(seed: 3)) {
            ($0.latitude, $0.longitude) = (46.5, 8.25)
        }
        let place = Location(latitude: 47.25, longitude: 9.5, altitude: nil)
        add("placed.jpg", try TakeoutTree.picture(seed: 4, location: place)) { _ in }
        let base = try TakeoutTree.picture(seed: 5, date: date, camera: "One")
        add("base.jpg", base) { $0.taken = taken }
        tree.add("Photos from 2020/base-bewerkt.jpg", try TakeoutTree.picture(seed: 6))
        let guessed = try TakeoutTree.picture(seed: 7, date: date, camera: "One")
        tree.add("Photos from 2020/base-something.jpg", guessed)
        // Albums of which nothing is there, and without a title.
        let lost = TakeoutTree.Description(title: "lost.jpg")
        tree.add("Lost/lost.jpg.json", lost.data)
        tree.add("Lost/metadata.json", Data("{\"title\": \"Lost\"}".utf8))
        tree.add("Nameless/other.jpg", try TakeoutTree.picture(seed: 8))
        tree.add("Nameless/metadata.json", Data("{\"title\": \"\", \"date\": {}}".utf8))
        let archive = world.source.appendingPathComponent("takeout-20240131T101112Z-002.zip")
        try tree.writeZIP(to: archive)
        let lines = try world.objects("import", "--json", archive.path, status: 1)
        let found = Dictionary(lines.map { (item($0), $0.codes) }, uniquingKeysWith: +)
        let wanted = [
            "Photos from 2020/camera.jpg": [], "Photos from 2020/placed.jpg": [],
            "Photos from 2020/moved.jpg": ["dateChangedByPerson"],
            "Photos from 2020/estimated.jpg": ["placeEstimated"],
            "Photos from 2020/base-bewerkt.jpg": [],
            "Photos from 2020/base-something.jpg": ["guessedMatch"],
            "Lost/metadata.json": ["emptyAlbum"],
            "Nameless/other.jpg": ["noMetadata"],
            "Nameless/metadata.json": ["untitledAlbum"],
        ]
        for (name, codes) in wanted {
            let own = found[name]?.filter { $0 != "keptNotShown" }
            #expect(own == codes, "\(name)")
        }
        // A missing part is an error, and names itself.
        let part = try #require(lines.first { $0.codes == ["partMissing"] })
        #expect(part["outcome"] == "missing")
        #expect((part.values["notes"] as? [[String: Any]])?.first?["level"] as? String == "error")
        #expect(part["reason"]?.contains("takeout-20240131T101112Z-001.zip") == true)
        // What the notes say is so.
        let assets = try Dictionary(
            world.objects("list", "--json").map { ($0["originalFilename"] ?? "", $0) },
            uniquingKeysWith: { first, _ in first }
        )
        #expect(assets["camera.jpg"]?["creationDate"]?.hasPrefix("2020-05-01T10:00:00") == true)
        #expect(assets["moved.jpg"]?["creationDate"]?.hasPrefix("2019-03-28T10:00:00") == true)
        let albums = try world.objects("albums", "--json").compactMap { $0["localizedTitle"] }
        #expect(!albums.contains("Lost"))
        try world.expectClean()
        try expectOriginInAnExport()
    }

    /// Where Google had a photo from stays in a file beside it, also in an export.
    private func expectOriginInAnExport() throws {
        let out = world.folder.file("out")
        let exported = try world.run("export", "--all", "-o", out.path)
        #expect(exported.status == 0, "\(exported.errorText)")
        let output = try ProcessRunner.run(
            "exiftool",
            ["-r", "-j", "-U", "-G1", "-ext", "xmp", out.path]
        )
        let files = try JSONSerialization.jsonObject(with: output.standardOutput)
        let origins = try #require(files as? [[String: Any]])
            .compactMap { $0["XMP-photos:GooglePhotosOrigin"] as? String }
        // Of each photo with a description.
        #expect(origins == Array(repeating: "mobileUpload.deviceType=ANDROID_PHONE", count: 5))
    }

    // MARK: - Real exports

    /// The rows of the library by SQL, separated by bars.
    private func rows(_ sql: String, of world: CommandWorld) throws -> [[String]] {
        let database = world.library.appendingPathComponent("database/library.sqlite").path
        let output = try ProcessRunner.run(
            "sqlite3",
            ["-separator", "|", "-cmd", ".timeout 20000", database, sql]
        )
        try #require(output.status == 0, "\(output.errorText)")
        return output.lines.map {
            $0.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        }
    }

    @Test(
        .enabled(if: MigrationSources.isPresent, "There are no migration fixtures."),
        arguments: MigrationSources.exports
    )
    func factsOfRealExportsAreEqual(_ name: String) throws {
        let tree = try MigrationSources.source(name)
        let world = try MigrationSources.imported(name).world
        var digests: [String: String] = [:]
        let expected = try MigrationSources.rows(name)
        for row in expected {
            let path = [row["folder"], row["media"]].compactMap(\.self).filter { !$0.isEmpty }
                .joined(separator: "/")
            let file = tree.appendingPathComponent(path)
            digests[path] = try CommandWorld.sha256(of: file)
        }
        // P11: one asset for each distinct content.
        let assets = try rows(
            """
            SELECT lower(hex(r.sha256)), a.latitude, a.longitude, a.isFavorite, a.isHidden,
                a.trashedDate IS NOT NULL, coalesce(a.caption, '')
            FROM asset a JOIN resource r ON r.assetId = a.id AND r.type IN (1, 2)
            """,
            of: world
        )
        #expect(assets.count == Set(digests.values).count)
        let byDigest = Dictionary(
            assets.map { ($0[0], $0) },
            uniquingKeysWith: { first, _ in first }
        )
        #expect(Set(byDigest.keys) == Set(digests.values))
        let places = try places(tree)
        var equal = 0
        for row in expected where row["json"] != "" {
            let path = [row["folder"], row["media"]].compactMap(\.self).filter { !$0.isEmpty }
                .joined(separator: "/")
            let asset = try #require(byDigest[digests[path] ?? ""], "\(path)")
            // A place that a person moved counts most, then the file's own, as exiftool reads it.
            let file = tree.appendingPathComponent(path)
            let own = places[file.resolvingSymlinksInPath().path] ?? []
            let stated = [row["lat"], row["lon"]].compactMap { $0.flatMap(Double.init) }
            let description = try Data(
                contentsOf: file.deletingLastPathComponent()
                    .appendingPathComponent(row["json"] ?? "")
            )
            let values = try JSONSerialization.jsonObject(with: description) as? [String: Any]
            let geoData = ["geoData", "geoDataExif"].map { key in
                let value = values?[key] as? [String: Any]
                return ["latitude", "longitude"].map { (value?[$0] as? NSNumber)?.doubleValue ?? 0 }
            }
            let isMoved = geoData[0] != [0, 0] && geoData[1] != [0, 0] && geoData[0] != geoData[1]
            let place = own.count == 2 && !isMoved ? own : stated
            let found = [asset[1], asset[2]].compactMap(Double.init)
            try #require(found.count == place.count, "\(path): \(found), \(place)")
            for (one, other) in zip(found, place) { #expect(abs(one - other) < 1e-4, "\(path)") }
            #expect(asset[3] == (row["favourite"] == "1" ? "1" : "0"), "\(path)")
            #expect(asset[5] == (row["trashed"] == "1" ? "1" : "0"), "\(path)")
            #expect(asset[4] == "0")
            equal += 1
        }
        #expect(equal > 3)
        try expectAlbums(world, tree, expected, digests)
    }

    /// Returns the places in the files of a tree, as exiftool reads them.
    private func places(_ tree: URL) throws -> [String: [Double]] {
        let output = try ProcessRunner.run(
            "exiftool",
            [
                "-r", "-j", "-n", "-Composite:GPSLatitude", "-Composite:GPSLongitude",
                tree.resolvingSymlinksInPath().path,
            ]
        )
        let files = try JSONSerialization.jsonObject(with: output.standardOutput)
        return try #require(files as? [[String: Any]]).reduce(into: [:]) { places, file in
            guard let path = file["SourceFile"] as? String else { return }
            places[path] = [file["GPSLatitude"], file["GPSLongitude"]]
                .compactMap { ($0 as? NSNumber)?.doubleValue }
        }
    }

    /// P9: each album has the distinct contents of its folder.
    private func expectAlbums(
        _ world: CommandWorld,
        _ tree: URL,
        _ expected: [[String: String]],
        _ digests: [String: String]
    ) throws {
        var wanted: [String: Set<String>] = [:]
        for folder in Set(expected.compactMap { $0["folder"] }) where !folder.isEmpty {
            let description = tree.appendingPathComponent(folder + "/metadata.json")
            guard let data = try? Data(contentsOf: description) else { continue }
            let values = try JSONSerialization.jsonObject(with: data) as? [String: Any]
            let isYear = folder.contains(/Photos from [0-9]{4}$/)
            guard let title = values?["title"] as? String, !title.isEmpty, !isYear else {
                continue
            }
            let files = digests.filter { $0.key.hasPrefix(folder + "/") }
            wanted[title, default: []].formUnion(files.values)
        }
        let archived = expected.filter { $0["archived"] == "1" }
        let members = try rows(
            """
            SELECT c.title, lower(hex(r.sha256)) FROM albumAsset j
            JOIN collection c ON c.id = j.albumId
            JOIN resource r ON r.assetId = j.assetId AND r.type IN (1, 2)
            """,
            of: world
        )
        var found = Dictionary(grouping: members) { $0[0] }.mapValues { Set($0.map { $0[1] }) }
        #expect(found.removeValue(forKey: "Archive")?.count ?? 0 == archived.count)
        #expect(found == wanted)
    }
}
