package import LibraryService
internal import PhotoLibrary
internal import PhotoModel

extension ImageLoader {
    /// Returns the stored JPEG of an asset's smallest rendition, without decoding it.
    ///
    /// Returns nil when there is no rendition, when it is partly transparent, and for an asset that
    /// is no larger than a rendition, whose file is shown instead.
    ///
    /// - Throws: `identifierNotFound` for an asset that the client may not see.
    package func thumbnail(_ request: ThumbnailRequest) throws -> ThumbnailReply? {
        let source = try finder.find(request.assetUUID, .current)
        let whole = source.resource.pixelSize
        guard max(whole.width, whole.height) > RenditionStore.firstSizeClass else { return nil }
        let found = renditions.rendition(
            of: source.assetUUID,
            contentVersion: source.contentVersion,
            covers: { _ in true },
            takesAny: true
        )
        guard let found, found.alpha == nil,
            max(found.size.width, found.size.height) <= RenditionStore.firstSizeClass
        else { return nil }
        return ThumbnailReply(
            jpeg: found.jpeg,
            contentVersion: source.contentVersion,
            isFinal: found.origin == .content
        )
    }
}
