internal import LibraryService
package import PhotoModel

extension PHFetchResult {
    /// The row ids and the library of the fetched assets, or nil if the result does not come from
    /// an asset fetch.
    package var assetRowIDs: (ids: RowIDBuffer, connection: LibraryConnection)? {
        (objects as? FetchedAssets)?.rowIDs
    }
}
