internal import LibraryService
internal import PhotoModel
public import Photos

extension PHAssetChangeRequest {
    /// Restores assets from Recently Deleted, including their places in albums.
    ///
    /// Call it inside a change block. Assets that are not in Recently Deleted are ignored.
    ///
    /// - Parameter assets: A collection of assets.
    public static func restoreAssets(_ assets: any NSFastEnumeration) {
        record(assets, "PHAssetChangeRequest.restoreAssets(_:)") { .restoreAssets($0) }
    }

    /// Permanently deletes assets in Recently Deleted, with their files.
    ///
    /// Call it inside a change block. The change fails when one of the assets is not in Recently
    /// Deleted. Any required ``DeletionConfirmation`` is requested after the block ends.
    ///
    /// - Parameter assets: A collection of assets.
    public static func purgeAssets(_ assets: any NSFastEnumeration) {
        record(assets, "PHAssetChangeRequest.purgeAssets(_:)") { .purgeAssets($0) }
    }

    /// The title, for which PhotoKit has no name; nil or an empty string for none.
    public var title: String? {
        get { assetTitle }
        set { assetTitle = newValue }
    }

    /// Marks the asset as rejected (a rating of -1), for which PhotoKit has no name.
    ///
    /// Setting `true` replaces the star rating. Setting `false`, or a star rating, ends the
    /// rejection. A rejected asset stays where it is; rejection never moves it to Recently Deleted.
    public var isRejected: Bool {
        get { storedRating == -1 }
        set {
            if newValue {
                storedRating = -1
            } else if storedRating == -1 {
                storedRating = 0
            }
        }
    }

    /// Marks the asset as a user-picked frame of its burst.
    ///
    /// Picked frames appear in fetches, and the best of them represents the burst. PhotoKit exposes
    /// picks in `burstSelectionTypes` and has no way to set one. The change fails for an asset that
    /// is not a burst frame.
    public var isBurstPick: Bool {
        get { isPickedFrame }
        set { isPickedFrame = newValue }
    }
}

extension PHAssetCollectionChangeRequest {
    /// Returns a request for the oldest album with a title in the root folder, or creates that
    /// album.
    ///
    /// Call it inside a change block. Whether the album exists is decided at commit, so of several
    /// concurrent programs only one creates it. The placeholder can be used in the block; after the
    /// commit, ``committedLocalIdentifier`` names the album.
    public static func requestForAssetCollection(
        titled title: String
    ) -> PHAssetCollectionChangeRequest {
        request(
            titled: title,
            call: "PHAssetCollectionChangeRequest.requestForAssetCollection(titled:)"
        )
    }

    /// The album's local identifier after the commit; nil before it, and when it failed.
    public var committedLocalIdentifier: String? { committedIdentifier }
}
