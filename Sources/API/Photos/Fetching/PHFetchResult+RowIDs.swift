internal import LibraryService
package import PhotoModel

extension PHFetchResult {
    /// The row ids of a fetched asset result and their library, or nil for a result without a
    /// fetch.
    package var assetRowIDs: (ids: RowIDBuffer, connection: LibraryConnection)? {
        (objects as? FetchedAssets)?.rowIDs
    }
}
