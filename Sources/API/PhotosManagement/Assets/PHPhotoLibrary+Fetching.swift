public import Photos

extension PHPhotoLibrary {
    /// Fetches assets of this library, and says why when it cannot.
    ///
    /// `PHAsset.fetchAssets(with:)` leaves out what this program may not see, and answers a predicate
    /// or sort key that cannot be answered with an empty result. Here both are errors.
    ///
    /// - Parameter options: A predicate, an order, a limit; nil for all assets that are not hidden.
    /// - Returns: The assets; of a program that was permitted some, those.
    /// - Throws: `PHPhotosError`: `accessUserDenied` or `accessRestricted` when this program may see
    ///   nothing, or asks for hidden assets and may not see those; why the library cannot be read; and
    ///   what in the options cannot be answered, by name and position.
    public func fetchAssets(with options: PHFetchOptions?) throws -> PHFetchResult<PHAsset> {
        try PHPhotoLibrary.using(connection) {
            try PHAsset.fetchAssetsChecked(options: options)
        }
    }

    /// Fetches the assets of an album or a moment of this library, and says why when it cannot.
    ///
    /// - Parameters:
    ///   - collection: An album, a smart album or a moment.
    ///   - options: A predicate, an order, a limit; nil for all assets that are not hidden.
    /// - Returns: The assets.
    /// - Throws: As ``fetchAssets(with:)`` does; asking for what is in the hidden album is asking for
    ///   hidden assets.
    public func fetchAssets(
        in collection: PHAssetCollection,
        options: PHFetchOptions?
    ) throws -> PHFetchResult<PHAsset> {
        try PHPhotoLibrary.using(connection) {
            try PHAsset.fetchAssetsChecked(in: collection, options: options)
        }
    }
}
