public import Photos

extension PHAsset {
    /// Indicates whether the asset is rejected: a rating of -1, as in Lightroom, darktable and
    /// digiKam.
    ///
    /// PhotoKit has no equivalent; `rating` is `unset` for a rejected asset. In predicates, use
    /// `rating = -1`.
    public var isRejected: Bool { storedRating == -1 }
}
