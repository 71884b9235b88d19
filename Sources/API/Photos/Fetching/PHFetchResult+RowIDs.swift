internal import LibraryService
package import PhotoModel

extension PHFetchResult {
    /// The row ids of the fetched assets and their library, or nil for a result that no fetch
    /// produced.
    package var assetRowIDs: (ids: RowIDBuffer, connection: LibraryConnection)? {
        (objects as? FetchedAssets)?.rowIDs
    }
}
