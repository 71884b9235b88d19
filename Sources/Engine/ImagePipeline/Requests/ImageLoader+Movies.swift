package import LibraryService
internal import PhotoLibrary
internal import PhotoModel

extension ImageLoader {
    /// Opens the movie file of a video or a Live Photo for reading.
    ///
    /// - Throws: `identifierNotFound`; `notSupportedForAsset` when the asset has no movie.
    package func movieData(_ request: MovieDataRequest) throws -> (MovieDataReply, Descriptor) {
        let resource = try finder.findMovie(request.assetUUID, request.version)
        let (opened, file) = try resources.open(ResourceOpenRequest(resourceUUID: resource.uuid))
        let reply = MovieDataReply(
            resource: opened.resource,
            path: path(of: opened.resource.path)
        )
        return (reply, file)
    }

    /// Returns the identifier of the file that `movieData(_:)` opens for a version of an asset's
    /// movie.
    ///
    /// - Throws: As `movieData` does.
    package func movieFile(_ assetUUID: String, _ version: ImageRequest.Version) throws -> String {
        try finder.findMovie(assetUUID, version).uuid
    }
}

extension ImageSourceFinder {
    /// Finds the movie file for a version of an asset.
    fileprivate func findMovie(
        _ assetUUID: String,
        _ version: ImageRequest.Version
    ) throws -> PictureSubject.File {
        let subject = try subject(assetUUID)
        let hasBase = subject.files.contains { $0.type == .adjustmentBasePhoto }
        let hasEditedMovie = subject.files.contains { $0.type == .fullSizePairedVideo }
        let types: [ResourceType] =
            switch version {
            // A Live Photo whose edit, or whose edit's base, has no movie has become a still photo.
            case .current where subject.isEdited && !subject.isMovie: [.fullSizePairedVideo]
            // The edit of a still has no movie, so the base of this edit is that of a Live Photo.
            // Other programs, whose edits are migrated, store no movie of it.
            case .adjustmentBase where hasBase && hasEditedMovie:
                [.adjustmentBasePairedVideo, .pairedVideo]
            case .adjustmentBase where hasBase: [.adjustmentBasePairedVideo]
            case .current where subject.isEdited: [.fullSizeVideo, .video]
            case .adjustmentBase: [.adjustmentBaseVideo, .video, .pairedVideo]
            case .current, .unadjusted, .original, .compressed: [.video, .pairedVideo]
            }
        let found = types.lazy.compactMap { type in
            subject.files.first { $0.type == type }
        }
        guard let resource = found.first else {
            throw LibraryError(
                subject.isMovie ? .missingResource : .notSupportedForAsset,
                "The asset \(subject.identifier) has no movie.",
                reason: subject.isMovie ? nil : "It is a photo without a movie.",
                recovery: subject.isMovie
                    ? "Run photos verify." : "Request its image from PHImageManager.",
                identifiers: [subject.identifier]
            )
        }
        return resource
    }
}
