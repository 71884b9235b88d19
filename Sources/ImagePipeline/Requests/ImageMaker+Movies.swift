package import LibraryService
internal import PhotoLibrary
internal import PhotoModel

extension ImageMaker {
    /// The file of an asset's movie, open for reading: of a video, or beside a Live Photo's still.
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
}

extension ImageSourceFinder {
    /// The file of a version of an asset's movie.
    fileprivate func findMovie(
        _ assetUUID: String,
        _ version: ImageRequest.Version
    ) throws -> PictureSubject.File {
        let subject = try subject(assetUUID)
        let edited: [ResourceType] =
            subject.isEdited && version == .current ? [.fullSizeVideo, .fullSizePairedVideo] : []
        let types = edited + [.video, .pairedVideo]
        let found = types.lazy.compactMap { type in
            subject.files.first { $0.type == type }
        }
        guard let resource = found.first else {
            throw LibraryError(
                subject.isMovie ? .missingResource : .notSupportedForAsset,
                "The asset \(subject.identifier) has no movie.",
                reason: subject.isMovie ? nil : "It is a photo, and no Live Photo.",
                recovery: subject.isMovie
                    ? "Run photos verify." : "Ask PHImageManager for its image.",
                identifiers: [subject.identifier]
            )
        }
        return resource
    }
}
