import Foundation
import GRDB
import PhotoModel
import Photos
import PhotosManagement
import SamplePhotos

extension SyntheticLibrary {
    /// The size of every rendition.
    static let renditionSize = PixelSize(width: 256, height: 192)

    /// Adds a rendition of 256 pixels to assets, and to all assets the row of an original without
    /// its file.
    ///
    /// - Parameter newest: The number of visible assets, the newest first, that get a rendition;
    ///   nil for all assets.
    /// - Throws: When the library's databases cannot be written.
    func addRenditions(newest: Int? = nil) throws {
        let rows = try DatabaseQueue(path: database)
        try rows.write { database in
            try database.execute(
                sql: """
                    INSERT INTO resource (uuid, assetId, type, originalFilename, contentType, path,
                        size, sha256, pixelWidth, pixelHeight)
                    SELECT printf('%012X', id), id, mediaType, originalFilename, contentType,
                        printf('originals/%02x/%s.jpg', id % 256, uuid), 3000000, randomblob(32), 4032,
                        3024
                    FROM asset
                    """
            )
        }
        try rows.close()
        try makeRenditionFile()
        try addRenditions(of: Self.renditionSize, newest: newest)
    }

    private func addRenditions(of size: PixelSize, newest: Int?) throws {
        let pictures = try (0..<16).map { index in
            let kind: SceneKind = index.isMultiple(of: 2) ? .hills : .flowers
            let drawn = Picture(kind, seed: UInt64(index)).drawn(size: size, grain: 0.01)
            return try SampleFile.jpeg(drawn, metadata: SampleMetadata(), quality: 85)
        }
        let renditions = try DatabaseQueue(path: renditionFile)
        try renditions.writeWithoutTransaction { connection in
            try connection.execute(sql: "ATTACH ? AS library", arguments: [database])
            try connection.execute(
                sql: "CREATE TEMP TABLE picture (id INTEGER PRIMARY KEY, jpeg BLOB)"
            )
            for (index, picture) in pictures.enumerated() {
                try connection.execute(
                    sql: "INSERT INTO picture VALUES (?, ?)",
                    arguments: [index, picture]
                )
            }
            try connection.execute(
                sql: """
                    INSERT INTO rendition
                        (assetUUID, sizeClass, contentVersion, origin, width, height, jpeg)
                    SELECT asset.uuid, ?, asset.contentVersion, 2, ?, ?, picture.jpeg
                    FROM library.asset JOIN picture ON picture.id = asset.id % 16
                    WHERE ? IS NULL OR asset.id IN (
                        SELECT id FROM library.asset WHERE isVisible = 1
                        ORDER BY creationDate DESC LIMIT coalesce(?, 0))
                    """,
                arguments: [size.width, size.width, size.height, newest, newest]
            )
        }
        try renditions.close()
    }

    /// Removes the renditions that the import created from the files' previews.
    func dropRenditions() throws {
        // Without a rendition there is no file, and opening one would create an empty database.
        guard FileManager.default.fileExists(atPath: renditionFile) else { return }
        let queue = try DatabaseQueue(path: renditionFile)
        try queue.write { try $0.execute(sql: "DELETE FROM rendition") }
        try queue.close()
    }

    /// Returns JPEGs of renditions, as they are stored.
    func renditions(count: Int) throws -> [Data] {
        let queue = try DatabaseQueue(path: renditionFile)
        return try queue.read { database in
            try Data.fetchAll(
                database,
                sql: "SELECT jpeg FROM rendition LIMIT ?",
                arguments: [count]
            )
        }
    }

    private var renditionFile: String { url.path + "/database/renditions.sqlite" }

    /// Makes the library create its rendition file, which happens when it first looks for a
    /// rendition.
    private func makeRenditionFile() throws {
        let bundle = try PhotoLibraryBundle.open(at: url)
        let options = PHImageRequestOptions()
        options.isSynchronous = true
        let asset = try bundle.fetchAssets(with: nil).object(at: 0)
        PHImageManager.default().requestImage(
            for: asset,
            targetSize: CGSize(width: 16, height: 16),
            contentMode: .aspectFit,
            options: options
        ) { _, _ in }
    }
}
