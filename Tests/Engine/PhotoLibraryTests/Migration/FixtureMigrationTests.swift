import Foundation
import GRDB
import LibraryService
import PhotoModel
import TestSupport
import Testing

@testable import PhotoLibrary

/// Real libraries of Photos, compared cell by cell with facts that plain SQL found in them.
@Suite(
    .timeLimit(.minutes(5)),
    .enabled(
        if: MigrationFixtures.isPresent,
        "There are no libraries at \(MigrationFixtures.folder.path)."
    )
)
struct FixtureMigrationTests {
    /// Cells that differ from the expected ones, with the reason.
    private static let exceptions: [String: String] = [:]

    private static func cell(_ value: Any?) -> String {
        switch value {
        case nil, is NSNull: ""
        case let list as [String]: list.joined(separator: " | ")
        case let number as NSNumber: number.stringValue
        case let text as String: text
        default: "?"
        }
    }

    private static func date(_ seconds: Double?) -> String {
        guard let seconds else { return "" }
        // As the tool that wrote the expectations: cut to milliseconds of whole microseconds.
        let microseconds = (seconds * 1e6).rounded()
        let whole = (microseconds / 1e6).rounded(.down)
        let milliseconds = Int(((microseconds - whole * 1e6) / 1e3).rounded(.down))
        let formatter = ISO8601DateFormatter()
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        let text = formatter.string(from: Date(timeIntervalSinceReferenceDate: whole))
        return text.dropLast() + "." + String(format: "%03d", milliseconds) + "Z"
    }

    @Test(arguments: MigrationFixtures.libraries) func factsAreThoseOfTheLibrary(_ name: String)
        throws
    {
        let world = try MigrationWorld()
        let path = try MigrationFixtures.library(name)
        let before = try MigrationWorld.tree(path)
        var options = MigrationOptions()
        options.includesShared = true
        let outcome = try world.migrate(path, options: options)
        #expect(try MigrationWorld.tree(path) == before, "the source was written to")
        #expect(outcome.totals.addsUp)
        #expect(try world.findings() == [])
        let expected = try MigrationFixtures.expected(name)
        let assets = try #require(expected["assets"] as? [[String: Any]])
        #expect(outcome.totals.assets == assets.count)
        let rows = try world.rows("SELECT * FROM asset")
        let byUUID = Dictionary(uniqueKeysWithValues: rows.map { ($0["uuid"] as String, $0) })
        var (equal, all) = (0, 0)
        var different: [String] = []
        for asset in assets {
            let short = try #require(asset["uuid"] as? String)
            let uuid = Self.canonical(short)
            let files = asset["files"] as? [String: Any] ?? [:]
            let line = try #require(outcome.leading[uuid], "\(uuid) has no line")
            guard files["original"] is String else {
                #expect(line.outcome == .missing, "\(uuid) \(line)")
                #expect(byUUID[uuid] == nil)
                continue
            }
            #expect(line.outcome == .imported, "\(uuid) \(line)")
            let row = try #require(byUUID[uuid], "\(uuid) is not in the library")
            let cells = try Self.cells(row, world)
            let wanted = Self.wanted(asset)
            for (column, value) in wanted.sorted(by: { $0.key < $1.key }) {
                let key = "\(name) \(uuid.prefix(8)) \(column)"
                if Self.exceptions[key] != nil { continue }
                all += 1
                if cells[column] == value {
                    equal += 1
                } else {
                    different.append("\(key): \(cells[column] ?? "–"), expected \(value)")
                }
            }
            // P14: each file keeps its bytes.
            let stored = try world.rows(
                "SELECT type, lower(hex(sha256)) AS sha FROM resource WHERE assetId = ?",
                [row["id"] as Int64]
            )
            let types: [String: [Int]] = [
                "original": [1, 2], "liveMovie": [9], "raw": [4], "render": [5, 6],
                "renderLiveMovie": [10], "adjustment": [7], "adjustmentBase": [8], "xmp": [1001],
            ]
            for (role, file) in files {
                guard let file = file as? String, let wanted = types[role] else { continue }
                let sha = try MigrationWorld.sha256(path + "/" + file)
                all += 1
                let isThere = stored.contains {
                    wanted.contains($0["type"]) && $0["sha"] as String == sha
                }
                if isThere { equal += 1 } else { different.append("\(name) \(uuid) \(role)") }
            }
        }
        print("\(name): \(equal) of \(all) facts equal")
        #expect(different == [])
        try Self.compareCollections(expected, world, outcome, name)
        // A second run imports nothing.
        let again = try world.migrate(path, options: options)
        #expect(again.totals.imported == 0 && again.totals.files == 0)
        #expect(again.totals.alreadyThere == outcome.totals.imported)
        #expect(again.totals.addsUp)
    }

    private static func canonical(_ uuid: String) -> String {
        guard uuid.count == 22 else { return uuid }
        let text = uuid.replacingOccurrences(of: "%", with: "/") + "=="
        guard let data = Data(base64Encoded: text), data.count == 16 else { return uuid }
        let hexadecimal = data.map { String(format: "%02X", $0) }.joined()
        var result = ""
        for (index, digit) in hexadecimal.enumerated() {
            if [8, 12, 16, 20].contains(index) { result += "-" }
            result.append(digit)
        }
        return result
    }

    private static func wanted(_ asset: [String: Any]) -> [String: String] {
        var wanted: [String: String] = [:]
        for key in [
            "originalFilename", "kind", "dateUTC", "tzOffset", "added", "favorite", "hidden",
            "caption", "title", "keywords", "lat", "lon", "trashed", "trashedDate", "burst",
            "rawIsOriginal",
        ] { wanted[key] = cell(asset[key]) }
        let files = asset["files"] as? [String: Any] ?? [:]
        wanted["edited"] = files["render"] is String ? "1" : "0"
        wanted["live"] = cell(asset["live"])
        wanted["title"] = cell(asset["title"])
        return wanted
    }

    private static func cells(_ row: Row, _ world: MigrationWorld) throws -> [String: String] {
        let type: Int = row["mediaType"]
        let keywords = try JSONDecoder().decode(
            [String].self,
            from: Data((row["keywords"] as String).utf8)
        )
        func number(_ name: String) -> String {
            (row[name] as Double?).map { NSNumber(value: $0).stringValue } ?? ""
        }
        let wall: String? = row["captureWallTime"]
        #expect(wall != nil)
        return [
            "originalFilename": row["originalFilename"],
            "kind": type == 1 ? "photo" : "video",
            "dateUTC": date(row["creationDate"]),
            "tzOffset": (row["captureOffset"] as Int?).map(String.init) ?? "",
            "added": date(row["addedDate"]),
            "favorite": String(row["isFavorite"] as Int),
            "hidden": String(row["isHidden"] as Int),
            "title": row["title"] ?? "",
            "caption": row["caption"] ?? "",
            "keywords": keywords.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
                .joined(separator: " | "),
            "lat": number("latitude"), "lon": number("longitude"),
            "trashed": (row["trashedDate"] as Double?) == nil ? "0" : "1",
            "trashedDate": date(row["trashedDate"]),
            "burst": row["burstIdentifier"] ?? "",
            "rawIsOriginal": String(row["originalResourceChoice"] as Int),
            "edited": String(row["hasAdjustments"] as Int),
            "live": (row["mediaSubtypes"] as Int) & 8 != 0 ? "1" : "0",
        ]
    }

    /// P9: albums have exactly their members, in order.
    private static func compareCollections(
        _ expected: [String: Any],
        _ world: MigrationWorld,
        _ outcome: MigrationWorld.Outcome,
        _ name: String
    ) throws {
        let collections = try #require(expected["collections"] as? [[String: Any]])
        var albums = 0
        for collection in collections where cell(collection["trashed"]) == "0" {
            let uuid = canonical(cell(collection["uuid"]))
            let row = try #require(
                try world.rows("SELECT * FROM collection WHERE uuid = ?", [uuid]).first,
                "\(name) \(cell(collection["path"])) is missing"
            )
            let path = cell(collection["path"])
            let title: String = row["title"]
            #expect(path == title || path.hasSuffix("/" + title))
            guard cell(collection["kind"]) != "folder" else { continue }
            albums += 1
            let members = try world.rows(
                """
                SELECT a.uuid FROM albumAsset j JOIN asset a ON a.id = j.assetId
                WHERE j.albumId = ? ORDER BY j.position, a.id
                """,
                [row["id"] as Int64]
            ).map { $0["uuid"] as String }
            guard let wanted = (collection["members"] as? [String])?.map(canonical) else {
                continue
            }
            let imported = wanted.filter { outcome.leading[$0]?.outcome == .imported }
            #expect(Set(members) == Set(imported), "\(name) \(path)")
            let sort = (collection["sort"] as? [Int])?.first
            if sort == 0 { #expect(members == imported, "\(name) \(path)") }
        }
        #expect(outcome.totals.albums == albums)
    }

    // MARK: - Promises

    @Test func absentOriginalsAreCountedBeforeAnythingIsCopied() throws {
        let world = try MigrationWorld()
        let path = try MigrationFixtures.library("photos10-15.4.1")
        var options = MigrationOptions()
        options.isDryRun = true
        let outcome = try world.migrate(path, options: options)
        let assets =
            try MigrationFixtures.expected("photos10-15.4.1")["assets"] as? [[String: Any]] ?? []
        let absent = assets.filter { Self.cell($0["originalPresent"]) == "0" }
            .map { Self.cell($0["uuid"]) }
        #expect(outcome.begun.missing == absent.count)
        let missing = outcome.leading.filter { $0.value.outcome == .missing }
        #expect(Set(missing.keys) == Set(absent))
        #expect(missing.allSatisfy { $0.value.reason?.isEmpty == false })
        #expect(outcome.totals.addsUp && outcome.totals.imported == 6)
        #expect(try world.rows("SELECT * FROM asset").isEmpty)
        #expect(try world.rows("SELECT * FROM migratedItem").isEmpty)
    }

    @Test func sharedAlbumsAreLeftOutAndCounted() throws {
        let world = try MigrationWorld()
        let path = try MigrationFixtures.library("photos5-shared-10.15.1")
        let outcome = try world.migrate(path)
        #expect(outcome.totals.sharedSkipped == 2 && outcome.totals.imported == 1)
        #expect(outcome.totals.collectionsSkipped["sharedAlbum"] == 1)
        var options = MigrationOptions()
        options.includesShared = true
        let more = try world.migrate(path, options: options)
        #expect(more.totals.imported == 2 && more.totals.alreadyThere == 1)
        let shared = try world.rows("SELECT uuid FROM asset WHERE sourceType = 2")
        #expect(shared.count == 2)
        let folder = try world.rows("SELECT * FROM collection WHERE title = 'Shared Albums'")
        #expect(folder.count == 1)
    }

    @Test func referencedOriginalsAreFoundOnTheirVolume() throws {
        let world = try MigrationWorld()
        let path = try MigrationFixtures.library("photos5-10.15.1")
        let item = "A1DD1F98-2ECD-431F-9AC9-5AFEFE2D3A5C"
        let without = try world.migrate(path)
        #expect(without.leading[item]?.outcome == .missing)
        #expect(without.leading[item]?.reason?.contains("--volume \"MacBook Mojave=") == true)
        // Any picture stands for the original, which is not in the fixture.
        let stand = path + "/originals/F/F12384F6-CD17-4151-ACBA-AE0E3688539E.jpeg"
        var bytes = try Data(contentsOf: URL(fileURLWithPath: stand))
        bytes.append(0)
        try world.folder.write(bytes, to: "volume/Users/Shared/Pumpkins4.jpg")
        let with = try world.migrate(
            path,
            volumes: ["MacBook Mojave": world.folder.file("volume").path]
        )
        #expect(with.leading[item]?.outcome == .imported)
        #expect(with.leading[item]?.localIdentifier == item + "/L0/001")
        // Albums get the member that came later.
        let albums = try world.rows(
            """
            SELECT count(*) FROM albumAsset j JOIN asset a ON a.id = j.assetId WHERE a.uuid = ?
            """,
            [item]
        )
        let expected = try MigrationFixtures.expected("photos5-10.15.1")
        let collections = expected["collections"] as? [[String: Any]] ?? []
        let wanted = collections.filter { ($0["members"] as? [String] ?? []).contains(item) }
        #expect(albums.first?[0] == wanted.count)
    }

    @Test func liveEditStaysWholeAndCanBeReverted() throws {
        let world = try MigrationWorld()
        let outcome = try world.migrate(
            MigrationFixtures.library("photos10-media-types-15.7.2")
        )
        #expect(outcome.totals.imported == 1)
        let types = try world.rows("SELECT type FROM resource ORDER BY type")
            .map { $0["type"] as Int }
        #expect(types.filter { $0 != 1001 } == [1, 5, 7, 9, 10])
        let uuid = "B60C31AC-BE86-42C5-A383-A0A5710B18AE"
        let change = ChangeSet(operations: [
            ChangeOperation(request: "revert", action: .revertContent(uuid: uuid, choice: nil))
        ])
        _ = try world.service.commit(CommitRequest(author: "tests", changes: change), files: [])
        let rows = try world.rows("SELECT hasAdjustments, mediaSubtypes FROM asset")
        #expect(rows.first?["hasAdjustments"] == 0)
        #expect((rows.first?["mediaSubtypes"] as Int? ?? 0) & 8 == 8)
        #expect(try world.findings() == [])
    }
}
