import Foundation
import LibraryService
import PhotoModel
import TestSupport
import Testing

@testable import PhotoLibrary

/// Damaged albums and folders are detected and named, and totals are corrected.
@Suite(.timeLimit(.minutes(2))) struct CollectionCheckTests {
    let world: LibraryWorld

    /// Creates folder 1 with folder 2 in it, and album 3 with two assets.
    init() throws {
        world = try LibraryWorld()
        let ids = try world.insert(LibraryWorld.record("1"), LibraryWorld.record("2"))
        try world.store.write(author: "test") { transaction in
            let folder = try transaction.insertCollection(LibraryWorld.collection(.folder, "F"))
            try transaction.insertCollection(LibraryWorld.collection(.folder, "G", in: folder))
            let album = try transaction.insertCollection(LibraryWorld.collection(.album, "A"))
            try transaction.appendMembers(ids, to: album)
        }
    }

    @Test func soundCollectionsHaveNoFindings() throws {
        #expect(try world.findings() == [])
    }

    @Test(arguments: [
        ("UPDATE collection SET parentId = 2 WHERE id = 1", "folderCycle"),
        ("UPDATE collection SET parentId = 3 WHERE id = 1", "wrongContainer"),
        ("UPDATE albumAsset SET albumId = 1 WHERE assetId = 1", "wrongContainer"),
        ("UPDATE albumAsset SET albumId = 9 WHERE assetId = 1", "danglingReference"),
        ("UPDATE albumAsset SET assetId = 9 WHERE assetId = 1", "danglingReference"),
        ("UPDATE albumAsset SET position = 5 WHERE assetId = 1", "journalMismatch"),
        ("DELETE FROM albumAsset WHERE assetId = 1", "journalMismatch"),
        ("UPDATE collection SET title = 'x' WHERE id = 2", "journalMismatch"),
        ("UPDATE collection SET assetCount = 7 WHERE id = 3", "wrongTotals"),
        ("UPDATE collection SET endDate = NULL WHERE id = 3", "wrongTotals"),
        (
            "UPDATE journalEntry SET members = '{\"inserted\":[[1]]}' WHERE members > ''",
            "journalMismatch"
        ),
    ])
    func brokenRowsAreFound(sql: String, kind: String) throws {
        try world.tamper(sql)
        #expect(try world.findings().contains(kind))
    }

    @Test func findingNamesTheAlbum() throws {
        try world.tamper("UPDATE collection SET title = 'x' WHERE id IN (2, 3)")
        let findings = try (0..<4).flatMap { part in
            try JournalCheck(store: world.store).slice(from: Int64(part) << 48).findings
        }
        #expect(
            findings.compactMap(\.localIdentifier).map { $0.suffix(7) } == ["/L0/040", "/L0/020"]
        )
    }

    /// Damage to the row, and totals in entries of earlier versions, which do not count.
    @Test(arguments: [
        "UPDATE collection SET assetCount = 7 WHERE id = 3",
        """
        UPDATE journalEntry SET newValues = replace(newValues, '{"', '{"assetCount":7,"')
        WHERE kind = 2; UPDATE collection SET assetCount = 5 WHERE id = 3
        """,
        """
        UPDATE journalEntry SET newValues = replace(newValues, '{"', '{"assetCount":7,"')
        WHERE kind = 2; UPDATE collection SET assetCount = 7 WHERE id = 3
        """,
    ])
    func repairSetsTotalsRight(sql: String) throws {
        try world.tamper(sql)
        #expect(try world.findings().contains("wrongTotals"))
        #expect(try world.findings(repairs: true) == ["wrongTotals"])
        #expect(try world.findings() == [])
    }

    @Test(arguments: [
        "UPDATE assetFacet SET count = count + 1", "DELETE FROM assetFacet",
        "INSERT INTO assetFacet VALUES (0, 0, 0, 1, 2, 0, 31, 4)",
        "UPDATE addedDay SET count = 0", "INSERT INTO addedDay VALUES (1, 1)",
        "UPDATE asset SET hasRAW = 1 WHERE id = 1",
    ])
    func smartAlbumsAreCountedAnew(sql: String) throws {
        try world.tamper(sql)
        #expect(try world.findings() == ["wrongSmartAlbums"])
        #expect(try world.findings(repairs: true) == ["wrongSmartAlbums"])
        #expect(try world.findings() == [])
    }
}
