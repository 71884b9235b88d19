internal import LibraryService
package import PhotoModel

extension PHFetchResult {
    /// The row ids of the fetched assets and their library, or nil if the result does not come from
    /// a fetch of assets.
    package var assetRowIDs: (ids: RowIDBuffer, connection: LibraryConnection)? {
        (objects as? FetchedAssets)?.rowIDs
    }
}
