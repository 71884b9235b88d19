package import LibraryService

extension PHFetchResult {
    /// The row ids of a result of assets, with the library that they are of; nil for what is no result of a
    /// fetch.
    package var assetRowIDs: (ids: RowIDBuffer, connection: LibraryConnection)? {
        (objects as? FetchedAssets)?.rowIDs
    }
}
