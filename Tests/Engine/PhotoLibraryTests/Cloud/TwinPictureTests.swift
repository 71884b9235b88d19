import CloudSync
import Foundation
import GRDB
import ImagePipeline
import LibraryService
import PhotoModel
import RenditionFixture
import Testing

@testable import PhotoLibrary

/// The renditions of an asset in whose place a twin is shown.
@Suite(.timeLimit(.minutes(1))) struct TwinPictureTests {
    private let world: RenditionWorld
    private let shown: String
    private let absorbed: String
    /// The content version of the shown asset.
    private let version: Int

    init() throws {
        let world = try RenditionWorld()
        let shown = try world.addPhoto(1)
        absorbed = try world.addPhoto(2)
        let version = try world.store.read { database in
            try Int.fetchOne(
                database,
                sql: "SELECT contentVersion FROM asset WHERE uuid = ?",
                arguments: [shown]
            )
        }
        self.version = try #require(version)
        self.world = world
        self.shown = shown
    }

    private func store(_ text: String, _ asset: String, version: Int, sizeClass: Int = 2048) {
        world.renditions.store(
            .init(
                jpeg: Data(text.utf8),
                size: PixelSize(width: sizeClass, height: sizeClass),
                origin: .content
            ),
            for: .init(assetUUID: asset, contentVersion: version, sizeClass: sizeClass)
        )
    }

    private func picture(of asset: String) -> String? {
        world.renditions.rendition(
            of: asset,
            contentVersion: version,
            covers: { _ in false },
            takesAny: true
        ).map { String(decoding: $0.jpeg, as: UTF8.self) }
    }

    /// Changes the library as the union of the twins does, or the departure of the shown one.
    private func absorb(hasAlias: Bool = true) throws {
        try world.change(.deleteAssets([absorbed]))
        try world.change(.purgeAssets([absorbed]))
        let (absorbed, shown) = (absorbed, shown)
        try world.store.alone { database in
            guard hasAlias else {
                let twins = CloudTwinTable(database: database)
                _ = try twins.record(CloudID.of(absorbed), CloudID.of(shown))
                return
            }
            try database.execute(
                sql: "INSERT INTO cloudStamp (kind, uuid, stamps) VALUES (?, ?, ?)",
                arguments: [CloudStampTable.Kind.alias.rawValue, absorbed, Data(shown.utf8)]
            )
        }
    }

    private func presence() throws -> Int? {
        let shown = shown
        return try world.store.read { database in
            try Int.fetchOne(
                database,
                sql: """
                    SELECT presence FROM resource JOIN asset ON asset.id = assetId
                    WHERE asset.uuid = ?
                    """,
                arguments: [shown]
            )
        }
    }

    @Test(arguments: [false, true], [false, true])
    func theTwinGetsThem(isFull: Bool, hasAlias: Bool) throws {
        store("picture", absorbed, version: version)
        try world.sweeper.sweepAll()
        store("outdated", shown, version: version + 98)
        store("of another version", absorbed, version: version + 1, sizeClass: 256)
        try absorb(hasAlias: hasAlias)
        if isFull { try world.sweeper.sweepAll() } else { try world.sweeper.sweep() }
        #expect(picture(of: shown) == "picture")
        #expect(world.renditions.count() == 1)
    }

    @Test func theTwinKeepsItsOwn() throws {
        store("own", shown, version: version)
        store("other", absorbed, version: version)
        try absorb()
        try world.sweeper.sweepAll()
        #expect(picture(of: shown) == "own")
        #expect(world.renditions.count() == 1)
    }

    /// Without the renditions that stay in place of the original, it has to be downloaded.
    @Test(arguments: [0, 1]) func theOriginalOfTheTwinStaysRemoved(difference: Int) throws {
        store("picture", absorbed, version: version + difference)
        try absorb()
        let shown = shown
        try world.store.alone { database in
            try database.execute(
                sql: """
                    UPDATE resource SET presence = 2
                    WHERE assetId = (SELECT id FROM asset WHERE uuid = ?)
                    """,
                arguments: [shown]
            )
        }
        try world.builder.requestLostPictures()
        #expect(try presence() == (difference == 0 ? 2 : 1))
    }
}
