public import Photos

extension PHPhotoLibrary {
    /// Fetches assets of this library, and throws when the fetch fails.
    ///
    /// `PHAsset.fetchAssets(with:)` omits assets for which this program has no permission, and
    /// returns an empty result for an unsupported predicate or sort key. This method throws in
    /// these cases. For a program with limited access, it returns the selected assets.
    ///
    /// - Parameter options: A predicate, a sort order, a limit; nil for all assets that are not
    ///   hidden.
    /// - Returns: The assets; for a program with limited access, its selected assets.
    /// - Throws: `PHPhotosError`: `accessUserDenied` or `accessRestricted` when this program may
    ///   see no assets, or requests hidden assets without permission; the reason when the library
    ///   cannot be read; and the name and position of an unsupported part of the options.
    public func fetchAssets(with options: PHFetchOptions?) throws -> PHFetchResult<PHAsset> {
        try PHPhotoLibrary.using(connection) {
            try PHAsset.fetchAssetsChecked(options: options)
        }
    }

    /// Fetches the assets of an album or a moment in this library, and throws when the fetch fails.
    ///
    /// - Parameters:
    ///   - collection: An album, a smart album or a moment.
    ///   - options: A predicate, a sort order, a limit; nil for all assets that are not hidden.
    /// - Returns: The assets.
    /// - Throws: The errors of ``fetchAssets(with:)``. A fetch from the hidden album counts as a
    ///   request for hidden assets.
    public func fetchAssets(
        in collection: PHAssetCollection,
        options: PHFetchOptions?
    ) throws -> PHFetchResult<PHAsset> {
        try PHPhotoLibrary.using(connection) {
            try PHAsset.fetchAssetsChecked(in: collection, options: options)
        }
    }
}
