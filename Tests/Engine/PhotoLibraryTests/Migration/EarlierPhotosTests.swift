import Foundation
import GRDB
import LibraryService
import TestSupport
import Testing

@testable import PhotoLibrary

/// Libraries of Photos 3 and 4: the originals of pairs and the order of collections.
@Suite(.timeLimit(.minutes(5))) struct EarlierPhotosTests {
    private let world: MigrationWorld
    private let source: URL

    init() throws {
        world = try MigrationWorld()
        source = world.folder.file("Source.photoslibrary")
    }

    /// Writes the generated library, changes its database and imports it.
    private func migrate(_ changes: () throws -> String) throws -> MigrationWorld.Outcome {
        let volume = world.folder.file("volume")
        try EarlierAppleLibrary().write(to: source, volume: volume)
        try ProcessRunner.sqlite(
            try changes(),
            in: source.appendingPathComponent("database/photos.db")
        )
        return try world.migrate(
            source.path,
            volumes: [EarlierAppleLibrary.volume: volume.path]
        )
    }

    /// Returns the SQL statement that states the size and fingerprint of an original.
    private func statement(_ master: String, _ name: String) throws -> String {
        let file = source.appendingPathComponent("Masters/2016/03/" + name)
        let data = try Data(contentsOf: file)
        let fingerprint = SourceFingerprint()
        fingerprint.start()
        data.withUnsafeBytes(fingerprint.update)
        let text = try #require(fingerprint.finish())
        return """
            UPDATE RKMaster SET originalFileSize = \(data.count), fingerprint = '\(text)'
            WHERE uuid = '\(master)';

            """
    }

    /// The master of a pair whose RAW is shown is the RAW; the original here is the JPEG.
    @Test func pairShownAsRAWIsVerifiedByItsJPEG() throws {
        let pair = EarlierAppleLibrary.Item.pair.rawValue
        let uuid = EarlierAppleLibrary.uuid(1, pair)
        let outcome = try migrate {
            let raw = try statement("raw", "pair.DNG")
            let picture = try statement("master \(pair)", "pair.JPG")
            return raw + picture
                + "UPDATE RKVersion SET masterUuid = 'raw' WHERE modelId = \(pair);"
        }
        #expect(outcome.totals.addsUp && outcome.totals.damaged == 0)
        #expect(outcome.totals.verified == 1)
        #expect(outcome.leading[uuid]?.outcome == .imported)
        #expect(outcome.leading[uuid]?.notes.map(\.code) == [])
        let choices = try world.rows(
            "SELECT originalFilename, originalResourceChoice FROM asset WHERE uuid = ?",
            [uuid]
        )
        #expect(choices.map { $0["originalFilename"] as String } == ["pair.JPG"])
        #expect(choices.map { $0["originalResourceChoice"] as Int } == [1])
        #expect(try world.findings() == [])
    }

    // MARK: - Order of collections

    /// The generated folder of albums.
    private static let trips = EarlierAppleLibrary.short(3, 1)
    /// The SQL statement that adds a folder to the folder of albums.
    private static let nested = """
        INSERT INTO RKFolder VALUES
            (5, '\(EarlierAppleLibrary.short(3, 3))', 'Nested', 1, '\(trips)', 0, 0, NULL);

        """

    /// Returns the titles of the albums and folders in the folder of albums, in their order.
    private func titles() throws -> [String] {
        try world.rows(
            """
            SELECT c.title FROM collection c JOIN collection p ON p.id = c.parentId
            WHERE p.uuid = ? ORDER BY c.position
            """,
            [EarlierAppleLibrary.uuid(3, 1)]
        ).map { $0[0] as String }
    }

    @Test func foldersAndAlbumsHaveTheOrderByHand() throws {
        typealias Album = EarlierAppleLibrary.Album
        let order = [
            EarlierAppleLibrary.short(2, Album.byTitle.rawValue),
            EarlierAppleLibrary.short(3, 3),
            EarlierAppleLibrary.short(2, Album.custom.rawValue),
        ]
        _ = try migrate {
            order.enumerated().reduce(Self.nested) { sql, element in
                sql + """
                    INSERT INTO RKCustomSortOrder (containerUuid, objectUuid, orderNumber)
                    VALUES ('\(Self.trips)', '\(element.element)', \(element.offset * 256 + 1024));

                    """
            }
        }
        // Those without a number follow.
        #expect(
            try titles() == [
                "byTitle", "Nested", "custom", "Book", "Slideshow", "newestFirst",
                "byTitleDescending",
            ]
        )
        #expect(try world.findings() == [])
    }

    @Test(arguments: [true, false]) func folderSortedByNameStaysSo(_ isAscending: Bool) throws {
        _ = try migrate {
            Self.nested + """
                ALTER TABLE RKFolder ADD COLUMN sortKeyPath VARCHAR;
                ALTER TABLE RKFolder ADD COLUMN sortAscending INTEGER;
                UPDATE RKFolder SET sortKeyPath = 'basicProperties.AlbumName',
                    sortAscending = \(isAscending ? 1 : 0);
                """
        }
        let names = [
            "Book", "byTitle", "byTitleDescending", "custom", "Nested", "newestFirst", "Slideshow",
        ]
        #expect(try titles() == (isAscending ? names : names.reversed()))
    }

    @Test(.enabled(if: MigrationFixtures.isPresent)) func albumsOfARealLibraryHaveTheirOrder()
        throws
    {
        _ = try world.migrate(try MigrationFixtures.library("photos4-edited-10.14.6"))
        let albums = try world.rows("SELECT title FROM collection WHERE kind = 2 ORDER BY position")
        #expect(
            albums.map { $0["title"] as String }
                == ["Test Album (1)", "Test Album", "Pumpkin Farm"]
        )
    }
}
