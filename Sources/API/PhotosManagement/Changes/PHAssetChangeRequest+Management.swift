internal import LibraryService
internal import PhotoModel
public import Photos

extension PHAssetChangeRequest {
    /// Restores assets from Recently Deleted, including their positions in albums.
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

    /// The title of the asset; nil or an empty string removes it.
    ///
    /// PhotoKit has no such property.
    public var title: String? {
        get { assetTitle }
        set { assetTitle = newValue }
    }

    /// Indicates whether the asset is rejected, which is stored as a rating of -1.
    ///
    /// PhotoKit has no such property. Setting `true` replaces the star rating. Setting `false`, or
    /// a star rating, ends the rejection. Rejection never moves an asset to Recently Deleted.
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

    /// Indicates whether the asset is a user-picked frame of its burst.
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
    /// Returns a change request for the oldest album with the given title in the root folder, or
    /// for a new album if there is none.
    ///
    /// Call it inside a change block. Whether the album exists is determined at commit, so only one
    /// of several concurrent programs creates it. The placeholder can be used in the block; after
    /// the commit, ``committedLocalIdentifier`` identifies the album.
    public static func requestForAssetCollection(
        titled title: String
    ) -> PHAssetCollectionChangeRequest {
        request(
            titled: title,
            call: "PHAssetCollectionChangeRequest.requestForAssetCollection(titled:)"
        )
    }

    /// The album's local identifier after the commit; nil before the commit, and if the commit
    /// fails.
    public var committedLocalIdentifier: String? { committedIdentifier }
}
