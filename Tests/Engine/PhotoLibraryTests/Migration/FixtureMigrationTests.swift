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
        var facts = try FixtureFacts(name)
        #expect(outcome.totals.assets == facts.assets.count && !facts.assets.isEmpty)
        let rows = try world.rows("SELECT * FROM asset")
        let byUUID = Dictionary(uniqueKeysWithValues: rows.map { ($0["uuid"] as String, $0) })
        var checks = SourceChecks()
        for asset in facts.assets {
            let uuid = EarlierIdentifier.canonical(try #require(asset["uuid"] as? String))
            let files = asset["files"] as? [String: Any] ?? [:]
            let line = try #require(outcome.leading[uuid], "\(uuid) has no line")
            guard let original = files["original"] as? String else {
                #expect(line.outcome == .missing, "\(uuid) \(line)")
                #expect(byUUID[uuid] == nil)
                continue
            }
            #expect(line.outcome == .imported, "\(uuid) \(line)")
            let row = try #require(byUUID[uuid], "\(uuid) is not in the library")
            try facts.compare(asset, uuid, row, in: world)
            try facts.compareFiles(of: asset, uuid, row, source: path, in: world)
            let check = try checks.add(asset, file: path + "/" + original)
            if check != .notVerifiable {
                // The fingerprint is either equal, or the report says that the file was changed.
                let isNoted = line.notes.contains { $0.code == "changedSinceImport" }
                facts.compare(
                    uuid,
                    "fingerprint",
                    isNoted ? "changed" : "equal",
                    with: check.rawValue
                )
            }
            #expect(!line.notes.contains { $0.code == "damaged" })
        }
        #expect(outcome.totals.verified == checks.verified)
        #expect(outcome.totals.notVerifiable == checks.notVerifiable)
        let changed = outcome.lines.filter { $0.notes.contains { $0.code == "changedSinceImport" } }
        #expect(changed.count == checks.changed)
        print(facts.table + "\n\(name) verified \(checks.verified) of \(checks.verified)")
        #expect(facts.different == [])
        // The table in the documentation has these figures.
        let documented = try FixtureFacts.documented(name)
        for column in FixtureFacts.columns + FixtureFacts.roles.map(\.role) {
            let figure = (facts.counts[column] ?? FixtureFacts.Count()).text
            #expect(documented[column] == figure, "\(name) \(column) in Docs/apple-photos.md")
        }
        #expect(documented["verified"] == "\(outcome.totals.verified) of \(checks.verified)")
        try Self.compareCollections(facts, world, outcome)
        // A second run imports nothing.
        let again = try world.migrate(path, options: options)
        #expect(again.totals.imported == 0 && again.totals.files == 0)
        #expect(again.totals.alreadyThere == outcome.totals.imported)
        #expect(again.totals.addsUp)
    }

    /// Originals compared with Apple's fingerprints by coreutils.
    private struct SourceChecks {
        enum Check: String { case equal, changed, notVerifiable }

        private(set) var verified = 0
        private(set) var changed = 0
        private(set) var notVerifiable = 0

        /// Compares an original with what the database states.
        mutating func add(_ asset: [String: Any], file: String) throws -> Check {
            // 01 and SHA-1 of a prefix with the file's bytes, in base64.
            let script = """
                { printf 'com.apple.XattrObjectSalt\\0com.apple.DataObjectSalt\\0'; cat "$1"; } \
                | sha1sum | cut -c1-40
                """
            let output = try ProcessRunner.run("sh", ["-c", script, "sh", file])
            let digits = try #require(output.lines.first)
            try #require(digits.count == 40, "\(output.errorText)")
            let bytes = stride(from: 0, to: 40, by: 2).compactMap { place in
                UInt8(digits.dropFirst(place).prefix(2), radix: 16)
            }
            let found = Data([1] + bytes).base64EncodedString()
            let size = (asset["originalSize"] as? NSNumber)?.intValue ?? 0
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            let isOfSize = size == 0 || size == attributes[.size] as? Int
            switch asset["fingerprint"] as? String {
            case found:
                verified += 1
                return .equal
            case nil where isOfSize:
                notVerifiable += 1
                return .notVerifiable
            default:
                changed += 1
                return .changed
            }
        }
    }

    /// P9: albums have exactly their members, in the order shown.
    private static func compareCollections(
        _ facts: FixtureFacts,
        _ world: MigrationWorld,
        _ outcome: MigrationWorld.Outcome
    ) throws {
        let name = facts.name
        var values: [String: (date: String, title: String)] = [:]
        for asset in facts.assets {
            let uuid = EarlierIdentifier.canonical(FixtureFacts.cell(asset["uuid"]))
            values[uuid] = (FixtureFacts.cell(asset["dateUTC"]), FixtureFacts.cell(asset["title"]))
        }
        var albums = 0
        for collection in facts.collections where FixtureFacts.cell(collection["trashed"]) == "0" {
            let uuid = EarlierIdentifier.canonical(FixtureFacts.cell(collection["uuid"]))
            let row = try #require(
                try world.rows("SELECT * FROM collection WHERE uuid = ?", [uuid]).first,
                "\(name) \(FixtureFacts.cell(collection["path"])) is missing"
            )
            let path = FixtureFacts.cell(collection["path"])
            let title: String = row["title"]
            #expect(path == title || path.hasSuffix("/" + title))
            guard FixtureFacts.cell(collection["kind"]) != "folder" else { continue }
            albums += 1
            let members = try world.rows(
                """
                SELECT a.uuid FROM albumAsset j JOIN asset a ON a.id = j.assetId
                WHERE j.albumId = ? ORDER BY j.position, a.id
                """,
                [row["id"] as Int64]
            ).map { $0["uuid"] as String }
            guard
                let wanted = (collection["members"] as? [String])?.map(EarlierIdentifier.canonical)
            else {
                continue
            }
            let imported = wanted.filter { outcome.leading[$0]?.outcome == .imported }
            let sort = collection["sort"] as? [Int] ?? []
            let shown =
                switch sort.first {
                case 1:
                    // By date, the newest first if it descends; equal ones in the stored order.
                    stable(imported) { first, second in
                        let first = values[first]?.date ?? ""
                        let second = values[second]?.date ?? ""
                        return sort.last == 0 ? first > second : first < second
                    }
                case 5: stable(imported) { values[$0]?.title ?? "" < values[$1]?.title ?? "" }
                default: imported
                }
            #expect(members == shown, "\(name) \(path)")
        }
        #expect(outcome.totals.albums == albums)
    }

    private static func stable(
        _ items: [String],
        by isBefore: (String, String) -> Bool
    ) -> [String] {
        items.enumerated().sorted { first, second in
            if isBefore(first.element, second.element) { return true }
            if isBefore(second.element, first.element) { return false }
            return first.offset < second.offset
        }.map(\.element)
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
        let absent = assets.filter { FixtureFacts.cell($0["originalPresent"]) == "0" }
            .map { FixtureFacts.cell($0["uuid"]) }
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
        _ = try world.service.commit(CommitRequest(changes: change))
        let rows = try world.rows("SELECT hasAdjustments, mediaSubtypes FROM asset")
        #expect(rows.first?["hasAdjustments"] == 0)
        #expect((rows.first?["mediaSubtypes"] as Int? ?? 0) & 8 == 8)
        #expect(try world.findings() == [])
    }
}
