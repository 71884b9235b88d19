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
}
