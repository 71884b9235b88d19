import GRDB
import ImagePipeline
import PhotoModel
import RenditionFixture
import Testing

@testable import PhotoLibrary

/// Removed originals of photos whose renditions do not show the present picture.
@Suite(.timeLimit(.minutes(1))) struct LostPictureTests {
    private let world: RenditionWorld

    init() throws {
        world = try RenditionWorld()
        try world.addPhoto(1)
        try execute("UPDATE resource SET presence = 2")
    }

    private func execute(_ sql: String) throws {
        try world.store.alone { database in try database.execute(sql: sql) }
    }

    /// Adds an edit as one that another computer made.
    private func addEdit(_ type: ResourceType, presence: Int) throws {
        try execute(
            """
            INSERT INTO resource (uuid, assetId, type, originalFilename, contentType, path, size,
                sha256, pixelWidth, pixelHeight, presence)
            SELECT 'EDIT', assetId, \(type.rawValue), originalFilename, contentType,
                'edits/edit.jpg', 1, zeroblob(32), pixelWidth, pixelHeight, \(presence)
            FROM resource
            """
        )
        try execute("UPDATE asset SET hasAdjustments = 1, contentVersion = contentVersion + 1")
    }

    private func presences() throws -> [Int] {
        try world.store.read { database in
            try Int.fetchAll(database, sql: "SELECT presence FROM resource ORDER BY id")
        }
    }

    /// The picture is made from the file of the edit, which is here or is downloaded.
    @Test(arguments: [0, 1]) func anEditNeedsNoOriginal(presence: Int) throws {
        try addEdit(.fullSizePhoto, presence: presence)
        try world.builder.requestLostPictures()
        #expect(try presences() == [2, presence])
        // After a revert, the picture is made from the original.
        try execute("UPDATE asset SET hasAdjustments = 0, contentVersion = contentVersion + 1")
        try world.builder.requestLostPictures()
        #expect(try presences() == [1, presence])
    }

    /// An edit without a rendered picture, such as a Live Photo's of which only the movie arrived.
    @Test func anEditWithoutAPictureNeedsTheOriginal() throws {
        try addEdit(.fullSizePairedVideo, presence: 0)
        try world.builder.requestLostPictures()
        #expect(try presences() == [1, 0])
    }

    @Test func aRemovedFileOfAnEditIsNeeded() throws {
        try addEdit(.fullSizePhoto, presence: 2)
        try world.builder.requestLostPictures()
        #expect(try presences() == [1, 1])
    }
}
