import Foundation
import GRDB
import LibraryService
import TestSupport
import Testing

@testable import PhotoLibrary

/// Assets with properties that no real library at hand has with its files: facts and codes of the
/// report, one table for each generation of Photos.
@Suite(.timeLimit(.minutes(5))) struct SpecialMigrationTests {
    private let world: MigrationWorld
    private let source: URL

    init() throws {
        world = try MigrationWorld()
        source = world.folder.file("Source.photoslibrary")
    }

    /// What is expected of an asset.
    private struct Expectation {
        /// The types of its files, in order.
        var types = [1]
        var columns: [String: DatabaseValue] = [:]
        var notes: [String] = []
        /// Elements of the migration's sidecar with their text.
        var kept: [String: String] = [:]

        init(
            _ types: [Int] = [1],
            _ columns: [String: any DatabaseValueConvertible] = [:],
            notes: [String] = [],
            kept: [String: String] = [:]
        ) {
            self.types = types
            self.columns = columns.mapValues(\.databaseValue)
            self.notes = notes
            self.kept = kept
        }
    }

    /// Compares assets by their identifiers.
    private func expect(
        _ expectations: [String: (name: String, expectation: Expectation)],
        _ outcome: MigrationWorld.Outcome
    ) throws {
        for (uuid, (name, expectation)) in expectations {
            let row = try #require(
                try world.rows("SELECT * FROM asset WHERE uuid = ?", [uuid]).first,
                "\(name) is not in the library: \(String(describing: outcome.leading[uuid]))"
            )
            let types = try world.rows(
                "SELECT type FROM resource WHERE assetId = ? ORDER BY type",
                [row["id"] as Int64]
            ).map { $0[0] as Int }
            #expect(types == expectation.types, "\(name)")
            for (column, value) in expectation.columns {
                let found: DatabaseValue = row[column]
                #expect(found == value, "\(name) \(column)")
            }
            let codes = Set(outcome.leading[uuid]?.notes.map(\.code) ?? [])
            #expect(codes == Set(expectation.notes), "\(name)")
            let sidecar = try FixtureFacts.sidecar(of: row, in: world)
            #expect((sidecar != nil) == expectation.notes.contains("keptNotShown"), "\(name)")
            for (element, text) in expectation.kept {
                let isList = element.hasSuffix("s") || element.hasSuffix("PersonInImage")
                let found = isList ? sidecar?.list(element) : nil
                #expect((found ?? sidecar?.value(element)) == text, "\(name) \(element)")
            }
        }
    }

    private func members(of uuid: String) throws -> [String] {
        try world.rows(
            """
            SELECT a.uuid FROM albumAsset j JOIN asset a ON a.id = j.assetId
            JOIN collection c ON c.id = j.albumId WHERE c.uuid = ? ORDER BY j.position, a.id
            """,
            [uuid]
        ).map { $0[0] as String }
    }

    // MARK: - Photos 5 and later

    private static func expectation(_ special: AppleLibrary.Special) -> Expectation {
        let none = DatabaseValue.null
        return switch special {
        case .burstKey:
            Expectation(
                [1],
                [
                    "burstIdentifier": AppleLibrary.burst, "burstSelectionTypes": 1,
                    "representsBurst": 1, "isBurstHidden": 0,
                ]
            )
        case .burstPick:
            Expectation(
                [1],
                [
                    "burstIdentifier": AppleLibrary.burst, "burstSelectionTypes": 2,
                    "representsBurst": 0, "isBurstHidden": 0,
                ]
            )
        case .burstRest:
            Expectation(
                [1],
                [
                    "burstIdentifier": AppleLibrary.burst, "burstSelectionTypes": 0,
                    "representsBurst": 0, "isBurstHidden": 1,
                ]
            )
        case .rawShown: Expectation([1, 4], ["originalResourceChoice": 1])
        case .rawBeside: Expectation([1, 4], ["originalResourceChoice": 0])
        case .altitude: Expectation([1], ["latitude": 46.5, "altitude": 431.5])
        case .altitudeByHand, .altitudeOfZero, .altitudeUncertain:
            Expectation([1], ["latitude": 46.5, "altitude": none])
        case .placeNames:
            Expectation(
                [1, 1001],
                notes: ["keptNotShown"],
                kept: [
                    "migration:PlaceNames": AppleLibrary.placeNames.sorted()
                        .joined(separator: " | "),
                    "migration:TimeZoneName": "Europe/Zurich",
                ]
            )
        case .comments:
            Expectation(
                [1, 1001],
                notes: ["keptNotShown"],
                kept: ["migration:Comments": AppleLibrary.comment]
            )
        case .cameraAdjustments: Expectation([1, 7], ["hasAdjustments": 0])
        case .cameraAdjustmentsBesideEdit:
            Expectation(
                [1, 5, 7, 1001],
                ["hasAdjustments": 1, "adjustmentTimestamp": 720_000_050.0],
                notes: ["keptNotShown"]
            )
        case .slowMotion:
            Expectation([2, 7], ["hasAdjustments": 0, "mediaSubtypes": 1 << 17, "mediaType": 2])
        case .timelapse: Expectation([2], ["mediaSubtypes": 1 << 18])
        case .screenRecording: Expectation([2], ["mediaSubtypes": 1 << 19])
        case .cinematic: Expectation([2], ["mediaSubtypes": 1 << 21])
        case .spatial: Expectation([1], ["mediaSubtypes": 1 << 10])
        case .panorama: Expectation([1], ["mediaSubtypes": 1])
        case .screenshot: Expectation([1], ["mediaSubtypes": 1 << 2])
        case .zoneFirst: Expectation([1], ["captureOffset": 7200])
        case .zoneInferred: Expectation([1], ["captureOffset": 3600])
        case .zoneExtended: Expectation([1], ["captureOffset": -25_200])
        case .zoneOfExif: Expectation([1], ["captureOffset": 20_700])
        case .zoneUnknown: Expectation([1], ["captureOffset": none])
        case .sharedLibrary, .sharedWithYou: Expectation([1], notes: ["unverifiedScope"])
        case .shared: Expectation([1], ["sourceType": 2])
        case .sharedMovie: Expectation([2], ["sourceType": 2])
        case .adjustmentsMissing:
            Expectation(
                [1, 5, 7],
                ["hasAdjustments": 1, "adjustmentFormatIdentifier": "com.apple.photo"],
                notes: ["adjustmentsMissing"]
            )
        case .impossibleDate: Expectation([1], notes: ["dateRejected"])
        }
    }

    @Test func specialAssetsOfPhotos5ComeOver() throws {
        var library = AppleLibrary()
        library.assets = 3
        library.isRich = true
        library.model = 20_001
        try library.write(to: source)
        var options = MigrationOptions()
        options.includesShared = true
        let before = try MigrationWorld.tree(source.path)
        let outcome = try world.migrate(source.path, options: options)
        #expect(try MigrationWorld.tree(source.path) == before)
        let specials = AppleLibrary.Special.allCases
        #expect(outcome.totals.addsUp && outcome.totals.imported == 3 + specials.count)
        #expect(try world.findings() == [])
        try expect(
            Dictionary(
                uniqueKeysWithValues: specials.map {
                    (library.uuid($0), ("\($0)", Self.expectation($0)))
                }
            ),
            outcome
        )
        #expect(!outcome.lines.contains { $0.outcome == .missing }, "\(outcome.lines)")
        // The rejected date is the file's own.
        let date =
            try world.rows(
                "SELECT creationDate FROM asset WHERE uuid = ?",
                [library.uuid(.impossibleDate)]
            ).first?[0] as Double?
        #expect(abs((date ?? 0) - Date.now.timeIntervalSinceReferenceDate) < 3600)
        // The camera's adjustments lie in the sidecar, byte for byte.
        let row = try #require(
            try world.rows(
                "SELECT * FROM asset WHERE uuid = ?",
                [library.uuid(.cameraAdjustmentsBesideEdit)]
            ).first
        )
        let camera = try Data(
            contentsOf: source.appendingPathComponent(
                library.beside(.cameraAdjustmentsBesideEdit, "_5.aae")
            )
        )
        let kept = try FixtureFacts.sidecar(of: row, in: world)?
            .value("migration:CameraAdjustments")
        #expect(kept.flatMap { Data(base64Encoded: $0) } == camera)
        // Files in scopes that nothing names are reported, those of shared albums are not.
        let orphans = outcome.lines.filter { $0.notes.contains { $0.code == "orphanFile" } }
        #expect(orphans.map(\.path) == ["scopes/syndication/orphan.jpg"])
        let codes = (outcome.begun.notes + outcome.totals.notes).map(\.code)
        #expect(codes.contains("unknownVersion"))
        try expectCollections(library, outcome, codes)
    }

    private func expectCollections(
        _ library: AppleLibrary,
        _ outcome: MigrationWorld.Outcome,
        _ codes: [String]
    ) throws {
        typealias Collection = AppleLibrary.SpecialCollection
        let byDate = Collection.byDate.members.sorted { $0.date > $1.date }
        #expect(try members(of: library.uuid(.byDate)) == byDate.map { library.uuid($0) })
        let byTitle = Collection.byTitle.members.sorted { $0.title < $1.title }
        #expect(byTitle != byDate && byTitle != Collection.byTitle.members)
        #expect(try members(of: library.uuid(.byTitle)) == byTitle.map { library.uuid($0) })
        #expect(
            try members(of: library.uuid(.byTitleDescending))
                == byTitle.reversed().map { library.uuid($0) }
        )
        for collection in [Collection.project, .sharedAlbum] {
            let members = try members(of: library.uuid(collection))
            #expect(members == collection.members.map { library.uuid($0) }, "\(collection)")
        }
        #expect(codes.count { $0 == "sortRuleNotKept" } == 3)
        #expect(codes.count { $0 == "coverNotKept" } == 1)
        #expect(outcome.totals.albums == library.albums + 5)
        #expect(
            outcome.totals.collectionsSkipped == [
                "deleted": 1, "importSession": 1, "smartAlbum": 1,
            ]
        )
        let parents = try world.rows(
            """
            SELECT p.title FROM collection c JOIN collection p ON p.id = c.parentId
            WHERE c.uuid = ?
            """,
            [library.uuid(.sharedAlbum)]
        ).map { $0[0] as String }
        #expect(parents == ["Shared Albums"])
    }

    @Test func identifierOfOtherBytesIsTaken() throws {
        var library = AppleLibrary()
        library.assets = 3
        (library.liveEvery, library.editedEvery) = (0, 0)
        try library.write(to: source)
        _ = try world.migrate(source.path)
        // An asset from elsewhere has the identifier of a photo with other bytes.
        let forgotten = try ProcessRunner.run(
            "sqlite3",
            [
                "-cmd", ".timeout 20000", world.libraryPath + "/database/library.sqlite",
                "DELETE FROM migratedItem",
            ]
        )
        try #require(forgotten.status == 0, "\(forgotten.errorText)")
        let original = source.appendingPathComponent(library.original(1))
        try (Data(contentsOf: original) + Data([7])).write(to: original)
        let outcome = try world.migrate(source.path)
        #expect(outcome.totals.imported == 1 && outcome.totals.alreadyThere == 2)
        let line = outcome.leading[library.uuid(1)]
        #expect(line?.notes.map(\.code) == ["identifierTaken"])
        #expect(line?.localIdentifier?.hasPrefix(library.uuid(1)) == false)
        #expect(try world.rows("SELECT uuid FROM asset").count == 4)
        #expect(try world.findings() == [])
    }

    /// Two photos of one library with the same bytes stay two; bytes from elsewhere are one.
    @Test func equalOriginalsOfOneLibraryStayTwo() throws {
        var library = AppleLibrary()
        library.assets = 6
        (library.liveEvery, library.editedEvery) = (0, 0)
        try library.write(to: source)
        let manager = FileManager.default
        let (first, second) = (library.original(0), library.original(2))
        try manager.removeItem(atPath: source.path + "/" + second)
        try manager.copyItem(
            atPath: source.path + "/" + first,
            toPath: source.path + "/" + second
        )
        for round in 0..<2 {
            let outcome = try world.migrate(source.path)
            #expect(outcome.totals.imported == (round == 0 ? 6 : 0) && outcome.totals.addsUp)
            #expect(outcome.totals.alreadyThere == (round == 0 ? 0 : 6))
            let sha = try MigrationWorld.sha256(source.path + "/" + first).uppercased()
            let twins = try world.rows(
                """
                SELECT a.uuid, a.title FROM asset a JOIN resource r ON r.assetId = a.id
                WHERE r.type = 1 AND hex(r.sha256) = ? ORDER BY a.uuid
                """,
                [sha]
            )
            #expect(twins.map { $0["uuid"] as String } == [library.uuid(0), library.uuid(2)])
            #expect(twins.map { $0["title"] as String? } == ["Title 0", "Title 2"])
            for album in 0..<library.albums {
                let wanted = library.members(album).map { library.uuid($0) }
                #expect(try members(of: library.album(album)) == wanted)
            }
        }
        // Another library has the same bytes under other identifiers.
        var other = library
        other.seed = 2
        let copy = world.folder.file("Other.photoslibrary")
        try other.write(to: copy)
        for index in 0..<6 {
            try manager.removeItem(atPath: copy.path + "/" + other.original(index))
            try manager.copyItem(
                atPath: source.path + "/" + library.original(index),
                toPath: copy.path + "/" + other.original(index)
            )
        }
        let outcome = try world.migrate(copy.path)
        #expect(outcome.totals.imported == 0 && outcome.totals.alreadyThere == 6)
        #expect(try world.rows("SELECT uuid FROM asset").count == 6)
        #expect(try world.findings() == [])
    }

    // MARK: - Photos 3 and 4

    private static func expectation(_ item: EarlierAppleLibrary.Item) -> Expectation {
        switch item {
        case .plain:
            Expectation(
                [1, 1001],
                [
                    "title": "It's plain", "caption": "A caption", "rating": 4, "isFavorite": 1,
                    "keywords": "[\"Sea\",\"Zürich\"]", "captureOffset": -14_400,
                    "latitude": 41.25, "longitude": -95.5, "addedDate": 500_000_000.5,
                    "creationDate": item.date,
                ],
                notes: ["keptNotShown"],
                kept: [
                    "migration:Flagged": "True", "Iptc4xmpExt:PersonInImage": "Bo",
                    "migration:PlaceNames": "Omaha | United States",
                    "migration:TimeZoneName": "GMT-0400",
                ]
            )
        case .live: Expectation([1, 9], ["mediaSubtypes": 8])
        case .pair:
            Expectation([1, 4], ["originalResourceChoice": 1, "originalFilename": "pair.JPG"])
        case .edited:
            Expectation(
                [1, 5, 7],
                ["hasAdjustments": 1, "adjustmentFormatIdentifier": "com.apple.photo"]
            )
        case .editedLive: Expectation([1, 5, 7, 9, 10], ["hasAdjustments": 1, "mediaSubtypes": 8])
        case .movie: Expectation([2], ["mediaType": 2, "mediaSubtypes": 1 << 17])
        case .hidden: Expectation([1], ["isHidden": 1])
        case .trashed: Expectation([1], ["trashedDate": 600_000_000.0])
        case .burstKey:
            Expectation(
                [1],
                ["burstIdentifier": "RK-BURST", "burstSelectionTypes": 1, "representsBurst": 1]
            )
        case .burstRest:
            Expectation([1], ["burstIdentifier": "RK-BURST", "burstSelectionTypes": 0])
        case .referenced: Expectation([1])
        case .impossibleDate: Expectation([1], notes: ["dateRejected"])
        }
    }

    @Test(arguments: [3301, 4025, 4999]) func specialAssetsOfPhotos3And4ComeOver(
        _ version: Int
    ) throws {
        var library = EarlierAppleLibrary()
        library.version = version
        let volume = world.folder.file("volume")
        try library.write(to: source, volume: volume)
        let before = try MigrationWorld.tree(source.path)
        let outcome = try world.migrate(
            source.path,
            volumes: [EarlierAppleLibrary.volume: volume.path]
        )
        #expect(try MigrationWorld.tree(source.path) == before)
        let items = EarlierAppleLibrary.Item.allCases
        #expect(outcome.totals.addsUp && outcome.totals.imported == items.count)
        #expect(!outcome.lines.contains { $0.outcome == .missing }, "\(outcome.lines)")
        #expect(try world.findings() == [])
        try expect(
            Dictionary(
                uniqueKeysWithValues: items.map {
                    (EarlierAppleLibrary.uuid(1, $0.rawValue), ("\($0)", Self.expectation($0)))
                }
            ),
            outcome
        )
        let codes = (outcome.begun.notes + outcome.totals.notes).map(\.code)
        #expect(codes.contains("unknownVersion") == (version == 4999))
        // Albums by their own order, with their folder; slideshows and projects are albums.
        let albums = try world.rows(
            """
            SELECT c.uuid, c.title, p.title AS parent FROM collection c
            LEFT JOIN collection p ON p.id = c.parentId AND p.kind = c.kind + 1 WHERE c.kind = 2
            ORDER BY c.id
            """
        )
        typealias Album = EarlierAppleLibrary.Album
        let ordered = Album.allCases.map { "\($0)" }
        #expect(
            albums.map { $0["title"] as String }
                == [ordered[0], "Book", "Slideshow"] + ordered.dropFirst()
        )
        // As Photos shows them; photos without a title are first, or last in a descending order.
        let orders: [Album: [EarlierAppleLibrary.Item]] = [
            .custom: [.movie, .plain, .edited], .newestFirst: [.movie, .edited, .plain],
            .byTitle: [.movie, .edited, .plain], .byTitleDescending: [.plain, .movie, .edited],
        ]
        for (album, items) in orders {
            let members = try members(of: EarlierAppleLibrary.uuid(2, album.rawValue))
            let wanted = items.map { EarlierAppleLibrary.uuid(1, $0.rawValue) }
            #expect(members == wanted, "\(album)")
        }
        #expect(codes.count { $0 == "sortRuleNotKept" } == 3)
        #expect(outcome.totals.folders == 1)
        #expect(
            outcome.totals.collectionsSkipped == [
                "deleted": 1, "importSession": 1, "smartAlbum": 1,
            ]
        )
    }
}
