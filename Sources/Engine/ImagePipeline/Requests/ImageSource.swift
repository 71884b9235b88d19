internal import GRDB
internal import LibraryService
internal import PhotoLibrary
internal import PhotoModel

/// The file from which a requested image is made.
struct ImageSource: Sendable {
    let assetUUID: String
    let contentVersion: Int
    let isMovie: Bool
    let resource: PictureSubject.File
    /// Indicates whether the asset's renditions are made from this file.
    let isCurrent: Bool
}

/// Finds the files from which images are made.
struct ImageSourceFinder: Sendable {
    let store: LibraryStore
    let resources: ResourceFetcher

    /// Finds the file from which a version of an asset's image is made.
    ///
    /// - Throws: `identifierNotFound`, or `missingResource` for an asset without an image file.
    func find(_ assetUUID: String, _ version: ImageRequest.Version) throws -> ImageSource {
        let subject = try subject(assetUUID)
        let (files, isMovie) = (subject.files, subject.isMovie)
        let unadjusted = Self.unadjusted(files, isMovie, prefersRAW: subject.prefersRAW)
        let edited: ResourceType = isMovie ? .fullSizeVideo : .fullSizePhoto
        let current =
            (subject.isEdited ? files.first { $0.type == edited } : nil) ?? unadjusted
        let found: PictureSubject.File? =
            switch version {
            case .current: current
            case .unadjusted: unadjusted
            case .original: Self.unadjusted(files, isMovie, prefersRAW: true)
            case .compressed: Self.unadjusted(files, isMovie, prefersRAW: false)
            case .adjustmentBase:
                files.first { $0.type == (isMovie ? .adjustmentBaseVideo : .adjustmentBasePhoto) }
                    ?? unadjusted
            }
        guard let resource = found else {
            throw LibraryError(
                .missingResource,
                "The asset \(subject.identifier) has no file with an image.",
                recovery: "Run photos verify.",
                identifiers: [subject.identifier]
            )
        }
        return ImageSource(
            assetUUID: assetUUID,
            contentVersion: subject.contentVersion,
            isMovie: isMovie,
            resource: resource,
            isCurrent: resource.uuid == current?.uuid
        )
    }

    /// Returns the files of an asset, if the program may see the asset.
    ///
    /// - Throws: `identifierNotFound`.
    func subject(_ assetUUID: String) throws -> PictureSubject {
        // The files of an asset that the program may not see are not found either.
        if let subject = try resources.subject(assetUUID) { return subject }
        let identifier = assetUUID + ObjectKind.asset.identifierSuffix
        throw LibraryError(
            .identifierNotFound,
            "The library has no asset with the identifier \(identifier).",
            recovery: "It has been deleted; fetch again.",
            identifiers: [identifier]
        )
    }

    /// Returns whether an asset exists neither in the library nor in Recently Deleted.
    func isGone(_ assetUUID: String) -> Bool {
        let isThere = try? store.read { database in
            try Bool.fetchOne(
                database.cachedStatement(
                    sql: "SELECT EXISTS (SELECT 1 FROM asset WHERE uuid = ?)"
                ),
                arguments: [assetUUID]
            )
        }
        return isThere == false
    }

    /// Chooses the file without edits.
    ///
    /// Of a RAW and JPEG pair, chooses the preferred file, even if that is the alternate.
    private static func unadjusted(
        _ files: [PictureSubject.File],
        _ isMovie: Bool,
        prefersRAW: Bool
    ) -> PictureSubject.File? {
        let types: [ResourceType] = isMovie ? [.video] : [.photo, .photoProxy, .alternatePhoto]
        let found = types.lazy.compactMap { type in files.first { $0.type == type } }
        let chosen = found.first { isMovie || $0.contentType.isRAWContentType == prefersRAW }
        return chosen ?? found.first
    }
}
