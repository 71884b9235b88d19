public import Photos

/// A group of photos with the same picture but different bytes: scaled, recompressed, converted to
/// another format, or slightly cropped.
///
/// Photos with identical bytes do not occur, since an import does not store them twice.
public struct DuplicatePhotos: Sendable {
    /// The photos of the group, at least two; the first is the one suggested for keeping.
    ///
    /// The photo with the most pixels comes first. Ties are resolved in favor of an edited photo, a
    /// favorite, the photo in the most albums, and the oldest photo, in this order.
    public let photos: [PHAsset]

    /// The photo suggested for keeping.
    public var suggested: PHAsset { photos[0] }

    /// Creates a group of photos that a search found, or the user selected, as duplicates.
    ///
    /// - Parameter photos: At least two photos, the suggested one first; nil is returned for fewer.
    public init?(_ photos: [PHAsset]) {
        guard photos.count > 1 else { return nil }
        self.photos = photos
    }
}
