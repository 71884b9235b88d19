import Foundation
import GRDB
import LibraryService
import PhotoModel
import TestSupport
import Testing

@testable import PhotoLibrary

/// The members of albums of Photos' libraries that are imported in parts.
@Suite(.timeLimit(.minutes(5))) struct AlbumOrderMigrationTests {
    private let world: MigrationWorld
    private let library: AppleLibrary
    private let source: URL

    init() throws {
        world = try MigrationWorld()
        library = AppleLibrary()
        source = world.folder.file("Source.photoslibrary")
        try library.write(to: source)
    }

    private func members(_ album: Int) throws -> [Int] {
        let rows = try world.rows(
            """
            SELECT a.uuid FROM albumAsset j JOIN asset a ON a.id = j.assetId
            JOIN collection c ON c.id = j.albumId WHERE c.uuid = ? ORDER BY j.position, a.id
            """,
            [library.album(album)]
        )
        return rows.compactMap { row in
            (0..<library.assets).first { library.uuid($0) == row[0] as String }
        }
    }

    /// Changes an album here.
    private func change(_ edit: (LibraryTransaction, Int64, [Int64]) throws -> Void) throws {
        let store = try LibraryStore.open(at: world.libraryPath)
        defer { try? store.close() }
        try store.write(author: "tests") { transaction in
            let album = try #require(try transaction.collection(uuid: library.album(0)))
            try edit(transaction, album.id, transaction.memberIDs(of: album.id))
        }
    }

    /// As in the usual order of things: import, download the originals, import again.
    @Test func albumsThatComeInPartsHaveTheOrderOfOneRun() throws {
        let away = try world.folder.folder("away")
        let missing = [0, 4, 6, 9]
        for index in missing {
            try FileManager.default.moveItem(
                at: source.appendingPathComponent(library.original(index)),
                to: away.appendingPathComponent("\(index)")
            )
        }
        _ = try world.migrate(source.path)
        #expect(try members(0) == library.members(0).filter { !missing.contains($0) })
        for part in [[6, 9], [0, 4]] {
            for index in part {
                try FileManager.default.moveItem(
                    at: away.appendingPathComponent("\(index)"),
                    to: source.appendingPathComponent(library.original(index))
                )
            }
            _ = try world.migrate(source.path)
        }
        for album in 0..<library.albums {
            #expect(try members(album) == library.members(album), "album \(album)")
        }
        #expect(try world.findings() == [])
    }

    @Test func laterMembersJoinAndNothingThatWasChangedHereReturns() throws {
        // 10, 8, 6, 4, 2, 0.
        _ = try world.migrate(source.path)
        try change { transaction, album, members in
            try transaction.removeMembers([members[1]], from: album)
            try transaction.placeMembers([members[5]], in: album, after: nil)
        }
        #expect(try members(0) == [0, 10, 6, 4, 2])
        // 3 joins behind 4, and 5 is the first one, at the source.
        try library.execute(
            "INSERT INTO Z_30ASSETS VALUES (10, 4, 1600), (10, 6, -5);",
            in: source
        )
        for _ in 0..<2 {
            _ = try world.migrate(source.path)
            #expect(try members(0) == [5, 0, 10, 6, 4, 3, 2])
        }
        // A photo that joined there and was removed here stays out.
        try change { transaction, album, members in
            try transaction.removeMembers([members[5]], from: album)
        }
        _ = try world.migrate(source.path)
        #expect(try members(0) == [5, 0, 10, 6, 4, 2])
        #expect(try world.findings() == [])
    }
}
