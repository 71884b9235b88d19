internal import GRDB
internal import LibraryService
internal import PhotoLibrary
internal import PhotoModel

/// The file that a request is answered from.
struct ImageSource: Sendable {
    let assetUUID: String
    let contentVersion: Int
    let isMovie: Bool
    let resource: PictureSubject.File
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
        let subject = try subject(assetUUID)
        let (files, isMovie) = (subject.files, subject.isMovie)
        let current = Self.current(files, isMovie: isMovie, isEdited: subject.isEdited)
        guard let resource = Self.pick(version, of: files, current: current, isMovie: isMovie)
        else {
            throw LibraryError(
                .missingResource,
                "The asset \(subject.identifier) has no file with a picture.",
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

    /// What an asset has, as far as the program may see it.
    ///
    /// - Throws: `identifierNotFound`.
    func subject(_ assetUUID: String) throws -> PictureSubject {
        // An asset that the program may not see has no files either.
        if let subject = try resources.subject(assetUUID) { return subject }
        let identifier = assetUUID + ObjectKind.asset.identifierSuffix
        throw LibraryError(
            .identifierNotFound,
            "The library has no asset with the identifier \(identifier).",
            recovery: "It was deleted meanwhile; fetch again.",
            identifiers: [identifier]
        )
    }

    /// Whether there is no such asset, not even in Recently Deleted.
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

    private static func current(
        _ files: [PictureSubject.File],
        isMovie: Bool,
        isEdited: Bool
    ) -> PictureSubject.File? {
        if isEdited {
            let edited: ResourceType = isMovie ? .fullSizeVideo : .fullSizePhoto
            if let file = files.first(where: { $0.type == edited }) { return file }
        }
        return unadjusted(files, isMovie: isMovie)
    }

    private static func unadjusted(_ files: [PictureSubject.File], isMovie: Bool) -> PictureSubject
        .File?
    {
        let types: [ResourceType] = isMovie ? [.video] : [.photo, .photoProxy, .alternatePhoto]
        let found = types.lazy.compactMap { type in files.first { $0.type == type } }
        // Of a RAW and JPEG pair the JPEG, whichever of the two is the alternate.
        return found.first { isMovie || !isRAW($0.contentType) } ?? found.first
    }

    private static func pick(
        _ version: ImageRequest.Version,
        of files: [PictureSubject.File],
        current: PictureSubject.File?,
        isMovie: Bool
    ) -> PictureSubject.File? {
        switch version {
        case .current: return current
        case .unadjusted: return unadjusted(files, isMovie: isMovie)
        case .original:
            let originals: [ResourceType] = [.photo, .alternatePhoto]
            let raw = files.first { originals.contains($0.type) && isRAW($0.contentType) }
            return (isMovie ? nil : raw) ?? unadjusted(files, isMovie: isMovie)
        case .adjustmentBase:
            let base: ResourceType = isMovie ? .adjustmentBaseVideo : .adjustmentBasePhoto
            return files.first { $0.type == base } ?? unadjusted(files, isMovie: isMovie)
        }
    }

    private static func isRAW(_ contentType: String) -> Bool {
        contentType.contains("raw-image")
    }
}
