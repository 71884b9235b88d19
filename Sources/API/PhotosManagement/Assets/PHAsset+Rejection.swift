public import Photos

extension PHAsset {
    /// Whether somebody rejected the asset: a rating of -1, as Lightroom, darktable and digiKam have it.
    ///
    /// PhotoKit has no name for it: `rating` is `unset` then. In predicates it is `rating = -1`.
    public var isRejected: Bool { storedRating == -1 }
}
