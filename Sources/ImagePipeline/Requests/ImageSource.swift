internal import GRDB
internal import LibraryService
internal import PhotoLibrary
internal import PhotoModel

/// The file that a request is answered from.
struct ImageSource: Sendable {
    let assetUUID: String
    let contentVersion: Int
    let isMovie: Bool
    let resource: ResourceRecord
    /// Whether it is what the asset's renditions are made of.
    let isCurrent: Bool
}

/// Finds the files that pictures are made of.
struct ImageSourceFinder: Sendable {
    let store: LibraryStore
    let resources: ResourceReader

    /// The file of a version of an asset's picture.
    ///
    /// - Throws: `identifierNotFound`, or `missingResource` for an asset without a picture.
    func find(_ assetUUID: String, _ version: ImageRequest.Version) throws -> ImageSource {
        let files = try resources.list(ResourceListRequest(assetUUID: assetUUID)).resources
        let row = try store.read { database in
            try Row.fetchOne(
                database.cachedStatement(
                    sql:
                        "SELECT contentVersion, mediaType, hasAdjustments FROM asset WHERE uuid = ?"
                ),
                arguments: [assetUUID]
            )
        }
        let identifier = assetUUID + ObjectKind.asset.identifierSuffix
        // An asset that the program may not see has no files either.
        guard let row, !files.isEmpty else {
            throw LibraryError(
                .identifierNotFound,
                "The library has no asset with the identifier \(identifier).",
                recovery: "It was deleted meanwhile; fetch again.",
                identifiers: [identifier]
            )
        }
        let isMovie = row["mediaType"] == MediaType.video.rawValue
        let isEdited: Bool = row["hasAdjustments"]
        let current = Self.current(files, isMovie: isMovie, isEdited: isEdited)
        guard let resource = Self.pick(version, of: files, current: current, isMovie: isMovie)
        else {
            throw LibraryError(
                .missingResource,
                "The asset \(identifier) has no file with a picture.",
                recovery: "Run photos verify.",
                identifiers: [identifier]
            )
        }
        return ImageSource(
            assetUUID: assetUUID,
            contentVersion: row["contentVersion"],
            isMovie: isMovie,
            resource: resource,
            isCurrent: resource.uuid == current?.uuid
        )
    }

    private static func current(
        _ files: [ResourceRecord],
        isMovie: Bool,
        isEdited: Bool
    ) -> ResourceRecord? {
        if isEdited {
            let edited: ResourceType = isMovie ? .fullSizeVideo : .fullSizePhoto
            if let file = files.first(where: { $0.type == edited }) { return file }
        }
        return unadjusted(files, isMovie: isMovie)
    }

    private static func unadjusted(_ files: [ResourceRecord], isMovie: Bool) -> ResourceRecord? {
        let types: [ResourceType] = isMovie ? [.video] : [.photo, .photoProxy, .alternatePhoto]
        return types.lazy.compactMap { type in files.first { $0.type == type } }.first
    }

    private static func pick(
        _ version: ImageRequest.Version,
        of files: [ResourceRecord],
        current: ResourceRecord?,
        isMovie: Bool
    ) -> ResourceRecord? {
        switch version {
        case .current: return current
        case .unadjusted: return unadjusted(files, isMovie: isMovie)
        case .original:
            let raw = files.first { $0.type == .alternatePhoto && isRAW($0.contentType) }
            return (isMovie ? nil : raw) ?? unadjusted(files, isMovie: isMovie)
        }
    }

    private static func isRAW(_ contentType: String) -> Bool {
        contentType.contains("raw-image")
    }
}
