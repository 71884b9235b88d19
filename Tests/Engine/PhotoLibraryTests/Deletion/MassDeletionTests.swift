import Foundation
import GRDB
import LibraryService
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

@testable import PhotoLibrary

/// Moves very many assets to Recently Deleted in another order than they were named in, which must
/// be the only difference.
@Suite(.timeLimit(.minutes(2))) struct MassDeletionTests {
    @Test(
        "Very many deleted assets come back as they were, with albums, bursts, counts and moments"
    )
    func deletedAndUndone() throws {
        let seed = TestSeed()
        var generator = seed.generator
        let world = try LibraryWorld()
        let records = (0..<1_600).map { index in
            var record = LibraryWorld.record("IMG_\(index).JPG")
            let time = Double.random(in: 600_000_000..<640_000_000, using: &generator)
            record.creationDate =
                index.isMultiple(of: 40) ? nil : Date(timeIntervalSinceReferenceDate: time)
            record.isFavorite = index.isMultiple(of: 3)
            record.isHidden = index.isMultiple(of: 11)
            if index % 8 < 3 {
                record.burstIdentifier = "burst\(index / 8)"
                record.representsBurst = index % 8 == 0
                record.burstSelectionTypes = index % 8 == 0 ? [.autoPick] : []
            }
            return record
        }
        let ids = try world.insert(records)
        _ = try world.album("Album", Array(ids.prefix(900)))
        let before = try Self.state(world)
        let wanted = Array(ids.shuffled(using: &generator).prefix(1_300))
        try world.store.write(author: "test") { try $0.trashAssets(wanted) }
        #expect(try world.findings() == [], seed.comment)
        let trashed = try world.store.read { database in
            try Set(
                Int64.fetchAll(database, sql: "SELECT id FROM asset WHERE trashedDate IS NOT NULL")
            )
        }
        #expect(trashed == Set(wanted), seed.comment)

        _ = try world.store.undo(UndoRequest(), author: "test")
        #expect(try Self.state(world) == before, seed.comment)
        #expect(try world.findings() == [], seed.comment)

        _ = try world.store.undo(UndoRequest(redoes: true), author: "test")
        try world.store.write(author: "test") { try $0.restoreAssets(wanted.reversed()) }
        #expect(try world.findings() == [], seed.comment)
        try world.store.write(author: "test") { try $0.trashAssets(wanted) }
        try world.store.write(author: "test") { try $0.purgeAssets(wanted) }
        #expect(try world.findings() == [], seed.comment)
        #expect(
            try world.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM asset") } == 300
        )
    }

    /// Returns all assets, albums and members.
    private static func state(_ world: LibraryWorld) throws -> [String] {
        try world.store.read { database in
            try [
                AssetRecord.map.selectSQL + " ORDER BY id",
                CollectionRecord.map.selectSQL + " ORDER BY id",
                "SELECT * FROM albumAsset ORDER BY albumId, position, assetId",
                "SELECT * FROM timeline ORDER BY 1, 2, 3, 4",
                """
                SELECT level, time, latitude, longitude, assetCount, startDate, endDate, placeCount,
                    x, y, z
                FROM moment ORDER BY 1, 2, 3, 4
                """,
                "SELECT * FROM assetFacet WHERE count > 0 ORDER BY 1, 2, 3, 4, 5, 6, 7",
            ].map { sql in
                try Row.fetchAll(database, sql: sql).map(\.description).joined(separator: "\n")
            }
        }
    }
}
