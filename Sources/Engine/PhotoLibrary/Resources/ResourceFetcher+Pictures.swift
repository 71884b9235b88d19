internal import GRDB
internal import LibraryService
package import PhotoModel

/// What of an asset pictures and movies are made of.
package struct PictureSubject: Sendable {
    /// One of its files.
    package struct File: Sendable {
        package let uuid: String
        package let type: ResourceType
        package let originalFilename: String
        package let contentType: String
        /// Relative to the bundle.
        package let path: String
        package let pixelSize: PixelSize
    }

    package let identifier: String
    package let contentVersion: Int
    package let isMovie: Bool
    package let isEdited: Bool
    /// Whether of a RAW and a compressed original the RAW was chosen to count.
    package let prefersRAW: Bool
    /// In the order in which they came.
    package let files: [File]
}

extension ResourceFetcher {
    /// What there is of an asset; nil for one that has no files, or is not the client's to see.
    ///
    /// Every picture that is asked for begins here: one statement, of the columns that are needed.
    package func subject(_ assetUUID: String) throws -> PictureSubject? {
        let access = view.access.state.access
        guard access.permits(asset: assetUUID, isHidden: false) else { return nil }
        return try view.store.readOnce { database in
            let rows = try StatementReader(
                database,
                """
                SELECT asset.contentVersion, asset.mediaType, asset.hasAdjustments,
                    resource.uuid, resource.type, resource.originalFilename, resource.contentType,
                    resource.path, resource.pixelWidth, resource.pixelHeight, asset.isHidden,
                    asset.originalResourceChoice
                FROM asset JOIN resource ON resource.assetId = asset.id
                WHERE asset.uuid = ? ORDER BY resource.id
                """,
                [assetUUID]
            )
            guard try rows.step(),
                access.permits(asset: assetUUID, isHidden: rows.integer(10) != 0)
            else { return nil }
            let (contentVersion, mediaType) = (rows.integer(0), rows.integer(1))
            let isEdited = rows.integer(2) != 0
            let prefersRAW = rows.integer(11) == 1
            var files: [PictureSubject.File] = []
            repeat {
                guard let type = ResourceType(rawValue: rows.integer(4)) else { continue }
                files.append(
                    PictureSubject.File(
                        uuid: rows.text(3),
                        type: type,
                        originalFilename: rows.text(5),
                        contentType: rows.text(6),
                        path: rows.text(7),
                        pixelSize: PixelSize(width: rows.integer(8), height: rows.integer(9))
                    )
                )
            } while try rows.step()
            return PictureSubject(
                identifier: assetUUID + ObjectKind.asset.identifierSuffix,
                contentVersion: contentVersion,
                isMovie: mediaType == MediaType.video.rawValue,
                isEdited: isEdited,
                prefersRAW: prefersRAW,
                files: files
            )
        }
    }
}
