internal import Foundation
internal import LibraryService
internal import PhotoModel
public import Photos

extension PhotoLibraryBundle {
    /// The `PHPhotoLibrary` object of this library, for changing and observing it.
    public var photoLibrary: PHPhotoLibrary { using { PHPhotoLibrary.shared() } }

    /// Performs a change block, as `performChangesAndWait(_:)` does, and returns the history entry
    /// of the change.
    ///
    /// - Parameter changeBlock: Creates change requests. It runs once, on the calling thread.
    /// - Returns: The objects that the transaction changed; nil when the library already was in the
    ///   requested state. In that case no transaction exists, and ``undo(ifVersionIs:)`` would undo
    ///   the change before it.
    /// - Throws: `PHPhotosError`. Nothing was changed unless the code is
    ///   `persistentChangeTokenExpired`: then the change is durable, but its description could not
    ///   be read.
    @discardableResult
    public func performChanges(_ changeBlock: @escaping () -> Void) throws -> HistoryEntry? {
        guard let version = try commitChanges(changeBlock) else { return nil }
        let library = try historyToken.libraryIdentifier
        let request = HistoryRequest(since: version - 1, limit: 1)
        return try edge { () throws(LibraryError) in try service.history(request) }.versions.first
            .map { HistoryEntry($0, libraryIdentifier: library) }
    }

    /// Performs a change block, as `performChangesAndWait(_:)` does, and returns the library
    /// version that the change created.
    ///
    /// Unlike ``version`` read afterwards, the result is never the version of another program's
    /// change.
    ///
    /// - Parameter changeBlock: Creates change requests. It runs once, on the calling thread.
    /// - Returns: The version; nil when the library already was in the requested state.
    /// - Throws: `PHPhotosError`; then nothing was changed.
    @discardableResult
    public func commitChanges(_ changeBlock: @escaping () -> Void) throws -> Int64? {
        try photoLibrary.commit(changeBlock)
    }

    // MARK: - Recently Deleted

    /// Fetches the assets in Recently Deleted, including hidden assets and all burst frames.
    ///
    /// - Parameter options: A predicate, a sort order, a limit; nil for all, in the library's
    ///   order.
    /// - Returns: Assets that can be restored or purged, and not changed otherwise.
    /// - Throws: `PHPhotosError` when the library cannot be read or the options are not supported.
    public func recentlyDeletedAssets(
        with options: PHFetchOptions? = nil
    ) throws -> PHFetchResult<PHAsset> {
        let options = (options?.copy() as? PHFetchOptions) ?? PHFetchOptions()
        options.includeHiddenAssets = true
        options.includeAllBurstAssets = true
        return try using { try PHAsset.fetchAssetsChecked(.recentlyDeleted, options: options) }
    }

    /// Restores assets from Recently Deleted, and returns when the change is durable.
    ///
    /// - Throws: `PHPhotosError`; then nothing was changed.
    public func restore(_ assets: [PHAsset]) throws {
        try photoLibrary.performChangesAndWait { PHAssetChangeRequest.restoreAssets(assets) }
    }

    /// Permanently deletes assets in Recently Deleted with their files; returns when the deletion
    /// is durable.
    ///
    /// - Throws: `PHPhotosError`; then nothing was changed. The code is `userCancelled` when the
    ///   user declined the confirmation.
    public func purge(_ assets: [PHAsset]) throws {
        try photoLibrary.performChangesAndWait { PHAssetChangeRequest.purgeAssets(assets) }
    }

    // MARK: - Albums

    /// Returns the oldest album with the given title in the root folder; creates the album if there
    /// is none.
    ///
    /// When several programs request the same title concurrently, exactly one creates the album.
    ///
    /// - Throws: `PHPhotosError` when the library cannot be written or read.
    public func album(titled title: String) throws -> PHAssetCollection {
        let made = Made()
        try photoLibrary.performChangesAndWait {
            made.request = PHAssetCollectionChangeRequest.requestForAssetCollection(titled: title)
        }
        let identifier = made.request?.committedLocalIdentifier ?? ""
        let album = using {
            PHAssetCollection.fetchAssetCollections(
                withLocalIdentifiers: [identifier],
                options: nil
            ).firstObject
        }
        guard let album else {
            return try edge { () throws(LibraryError) in
                throw LibraryError(
                    .identifierNotFound,
                    "The album “\(title)” was deleted immediately after its creation.",
                    reason: "Another program is deleting albums.",
                    recovery: "Create it again.",
                    identifiers: [identifier]
                )
            }
        }
        return album
    }

    /// A reference to the request that a change block creates, for use after the block.
    private final class Made {
        var request: PHAssetCollectionChangeRequest?
    }

    /// Fetches the assets in an album, and throws when the fetch fails.
    ///
    /// `PHAsset.fetchAssets(in:options:)` returns an empty result for an unsupported predicate or
    /// sort key. This method throws an error that names the key and its position.
    ///
    /// - Throws: `PHPhotosError`, also when the library cannot be read.
    public func fetchAssets(
        in album: PHAssetCollection,
        with options: PHFetchOptions?
    ) throws -> PHFetchResult<PHAsset> {
        guard let identifier = LocalIdentifier(album.localIdentifier),
            identifier.kind == .album || identifier.kind == .moment
        else {
            return try edge { () throws(LibraryError) in
                throw LibraryError(
                    .identifierNotFound,
                    "\(album) is not an album of a library.",
                    recovery: "Pass a fetched album."
                )
            }
        }
        return try using {
            try PHAsset.fetchAssetsChecked(
                identifier.kind == .moment
                    ? .moment(identifier.uuid) : .album(identifier.uuid),
                options: options
            )
        }
    }
}
