public import Photos

/// Photos that show the same picture in other bytes: scaled, compressed anew, in another format, or cut
/// a little.
///
/// Photos with the same bytes there are not: an import does not store them twice.
public struct DuplicatePhotos: Sendable {
    /// All of them, two at least; the one that is suggested to be kept comes first, then what would be
    /// suggested without it.
    ///
    /// Suggested is the one with the most pixels; among those, one that was edited, a favourite, one
    /// that is in more albums, and the oldest.
    public let photos: [PHAsset]

    /// The one that is suggested to be kept.
    public var suggested: PHAsset { photos[0] }

    /// A group that a person put together.
    ///
    /// - Parameter photos: Two at least, else nil; the first is the one that is suggested.
    public init?(_ photos: [PHAsset]) {
        guard photos.count > 1 else { return nil }
        self.photos = photos
    }
}
