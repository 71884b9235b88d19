internal import Foundation
internal import LibraryService
internal import PhotoModel
public import Photos

extension PhotoLibraryBundle {
    /// PhotoKit's object for this library, to change and to observe it.
    public var photoLibrary: PHPhotoLibrary { using { PHPhotoLibrary.shared() } }

    /// Changes the library as `performChangesAndWait(_:)` does, and returns the transaction.
    ///
    /// - Parameter changeBlock: Makes change requests. Runs once, on the calling thread.
    /// - Returns: What the transaction changed, object by object; nil when the library already was as
    ///   the block asks for. Then there is no transaction, and ``undo(ifVersionIs:)`` undoes the change before.
    /// - Throws: `PHPhotosError`. Nothing was changed unless the code is `persistentChangeTokenExpired`,
    ///   with which the change is durable and its description could not be read.
    @discardableResult
    public func performChanges(_ changeBlock: @escaping () -> Void) throws -> HistoryEntry? {
        guard let version = try commitChanges(changeBlock) else { return nil }
        let library = try historyToken.libraryIdentifier
        let request = HistoryRequest(since: version - 1, limit: 1)
        return try edge { () throws(LibraryError) in try service.history(request) }.versions.first
            .map { HistoryEntry($0, libraryIdentifier: library) }
    }

    /// Changes the library as `performChangesAndWait(_:)` does, and returns the version that holds the change.
    ///
    /// Unlike a look at ``version`` afterwards, it never is the version of another program's change.
    ///
    /// - Parameter changeBlock: Makes change requests. Runs once, on the calling thread.
    /// - Returns: Nil when the library already was as the block asks for.
    /// - Throws: `PHPhotosError`; then nothing was changed.
    @discardableResult
    public func commitChanges(_ changeBlock: @escaping () -> Void) throws -> Int64? {
        try photoLibrary.commit(changeBlock)
    }

    // MARK: - Recently Deleted

    /// The assets in Recently Deleted, hidden ones and all burst frames, too.
    ///
    /// - Parameter options: A predicate, an order, a limit; nil for all, in the library's order.
    /// - Returns: Assets, which can be restored and purged, and not be changed otherwise.
    /// - Throws: `PHPhotosError` when the library cannot be read or the options cannot be answered.
    public func recentlyDeletedAssets(
        with options: PHFetchOptions? = nil
    ) throws -> PHFetchResult<PHAsset> {
        let options = (options?.copy() as? PHFetchOptions) ?? PHFetchOptions()
        options.includeHiddenAssets = true
        options.includeAllBurstAssets = true
        return try using { try PHAsset.fetchAssetsChecked(.recentlyDeleted, options: options) }
    }

    /// Takes assets out of Recently Deleted, and waits until that is durable.
    ///
    /// - Throws: `PHPhotosError`; then nothing was changed.
    public func restore(_ assets: [PHAsset]) throws {
        try photoLibrary.performChangesAndWait { PHAssetChangeRequest.restoreAssets(assets) }
    }

    /// Removes assets in Recently Deleted for good, with their files, and waits until that is durable.
    ///
    /// - Throws: `PHPhotosError`; then nothing was changed. With code `userCancelled` when the person
    ///   who was asked said no.
    public func purge(_ assets: [PHAsset]) throws {
        try photoLibrary.performChangesAndWait { PHAssetChangeRequest.purgeAssets(assets) }
    }

    // MARK: - Undoing

    /// Takes the last change back that was not taken back yet, whoever made it, as a change of its own.
    ///
    /// What an import made at once is taken back at once. Calling it again goes further back.
    ///
    /// In a view that hidden assets are kept from (``withoutHidden()``) a change that concerns one is refused.
    ///
    /// - Parameter version: The library's ``version`` that the caller has seen: when another is present,
    ///   nothing is done. Nil for any.
    /// - Returns: What was taken back, the latest first.
    /// - Throws: `PHPhotosError` when there is nothing to take back, when it cannot be (assets that were
    ///   removed for good), when something was changed since `version`, or the library cannot be written.
    @discardableResult
    public func undo(ifVersionIs version: Int64? = nil) throws -> [HistoryEntry] {
        try undoOrRedo(redoes: false, expectedVersion: version)
    }

    /// Returns what ``undo(ifVersionIs:)`` would undo, and changes nothing.
    ///
    /// The undo is tried in a transaction that is rolled back, so what would fail fails here, too.
    ///
    /// - Returns: The transactions, the latest first.
    /// - Throws: `PHPhotosError` as ``undo(ifVersionIs:)`` does.
    public func undoPreview() throws -> [HistoryEntry] {
        try undoOrRedo(redoes: false, isTrial: true)
    }

    /// Takes the last undoing back, whoever undid, so that what was undone is there again, as a change of
    /// its own.
    ///
    /// Calling it again goes further, up to the change that was undone first. ``undo(ifVersionIs:)`` takes it back.
    ///
    /// - Parameter version: The library's ``version`` that the caller has seen: when another is present,
    ///   nothing is done. Nil for any.
    /// - Returns: What is there again, the latest first.
    /// - Throws: `PHPhotosError` when nothing was undone, something was changed since, it cannot be done
    ///   again, or the library cannot be written.
    @discardableResult
    public func redo(ifVersionIs version: Int64? = nil) throws -> [HistoryEntry] {
        try undoOrRedo(redoes: true, expectedVersion: version)
    }

    /// Returns what ``redo(ifVersionIs:)`` would redo, and changes nothing.
    ///
    /// - Returns: The transactions, the latest first.
    /// - Throws: `PHPhotosError` as ``redo(ifVersionIs:)`` does.
    public func redoPreview() throws -> [HistoryEntry] {
        try undoOrRedo(redoes: true, isTrial: true)
    }

    private func undoOrRedo(
        redoes: Bool,
        isTrial: Bool = false,
        expectedVersion: Int64? = nil
    ) throws -> [HistoryEntry] {
        let library = try historyToken.libraryIdentifier
        let author = ProcessInfo.processInfo.processName
        let request = UndoRequest(
            author: author,
            redoes: redoes,
            isTrial: isTrial,
            expectedVersion: expectedVersion
        )
        return try edge { () throws(LibraryError) in try service.undo(request) }.undone
            .map { HistoryEntry($0, libraryIdentifier: library) }
    }

    // MARK: - Albums

    /// The album with a title in the root folder: the oldest one, and a new one when there is none.
    ///
    /// However many programs ask for one title at once, one of them makes it and the others find it.
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
                    "The album “\(title)” was deleted as soon as it was there.",
                    reason: "Another program deletes albums.",
                    recovery: "Make it again.",
                    identifiers: [identifier]
                )
            }
        }
        return album
    }

    /// What a block made, for the code around it.
    private final class Made {
        var request: PHAssetCollectionChangeRequest?
    }

    /// Fetches the assets in an album, and says why when it cannot.
    ///
    /// `PHAsset.fetchAssets(in:options:)` answers a predicate or sort key that cannot be answered with
    /// an empty result; here that is an error that names the key and where it stands.
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
                    "\(album) is no album of a library.",
                    recovery: "Pass an album that was fetched."
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
