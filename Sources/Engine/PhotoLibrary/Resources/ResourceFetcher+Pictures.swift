internal import GRDB
internal import LibraryService
package import PhotoModel

/// The properties and files of an asset that are needed to render its pictures and movies.
package struct PictureSubject: Sendable {
    /// A file of the asset.
    package struct File: Sendable {
        package let uuid: String
        package let type: ResourceType
        package let originalFilename: String
        package let contentType: String
        /// The path relative to the bundle.
        package let path: String
        package let pixelSize: PixelSize
        /// Indicates whether the file is only in the cloud.
        package let isInCloud: Bool
    }

    package let identifier: String
    package let contentVersion: Int
    package let isMovie: Bool
    package let isEdited: Bool
    /// Indicates whether rendering prefers the RAW over the compressed original.
    package let prefersRAW: Bool
    /// The files in the order of their import.
    package let files: [File]
}

extension ResourceFetcher {
    /// Returns the properties and files that are needed to render an asset; nil if it has no files
    /// or the client may not see it.
    ///
    /// Every request for a picture begins with this call, so it uses one statement with only the
    /// necessary columns.
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
                    asset.originalResourceChoice, resource.presence
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
                        pixelSize: PixelSize(width: rows.integer(8), height: rows.integer(9)),
                        isInCloud: rows.integer(12) != 0
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
