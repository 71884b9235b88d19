internal import LibraryService
internal import PhotoModel
public import Photos

extension PHAssetChangeRequest {
    /// Takes assets out of Recently Deleted: they come back where they were, in albums, too.
    ///
    /// For use inside of a change block. Those that are not there are left alone.
    ///
    /// - Parameter assets: Assets; any collection of them.
    public static func restoreAssets(_ assets: any NSFastEnumeration) {
        record(assets, "PHAssetChangeRequest.restoreAssets(_:)") { .restoreAssets($0) }
    }

    /// Removes assets in Recently Deleted for good, with their files.
    ///
    /// For use inside of a change block. The change fails when one of them is not in Recently Deleted.
    /// What the library's owner has to be asked before is asked when the block has ended.
    ///
    /// - Parameter assets: Assets; any collection of them.
    public static func purgeAssets(_ assets: any NSFastEnumeration) {
        record(assets, "PHAssetChangeRequest.purgeAssets(_:)") { .purgeAssets($0) }
    }

    /// The title, for which PhotoKit has no name; nil or an empty text for none.
    public var title: String? {
        get { assetTitle }
        set { assetTitle = newValue }
    }

    /// Whether the asset is rejected (a rating of -1), for which PhotoKit has no name.
    ///
    /// Rejecting replaces the stars; stars, and `false`, end the rejection. A rejected asset stays where
    /// it is and is never moved to Recently Deleted for it.
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

    /// Whether the user picked the asset, of the frames of its burst: such frames show in fetches, and
    /// the best of them stands for the burst.
    ///
    /// PhotoKit shows picks in `burstSelectionTypes` and has no call to make one. The change fails for
    /// an asset that is no frame of a burst.
    public var isBurstPick: Bool {
        get { isPickedFrame }
        set { isPickedFrame = newValue }
    }
}

extension PHAssetCollectionChangeRequest {
    /// A request for the album with a title in the root folder: the oldest one, and a new one when
    /// there is none.
    ///
    /// For use inside of a change block. Which of the two it is is decided when the change is
    /// committed, so that of many programs only one makes the album. The placeholder can be used in
    /// the block; afterwards ``committedLocalIdentifier`` names the album.
    public static func requestForAssetCollection(
        titled title: String
    ) -> PHAssetCollectionChangeRequest {
        request(
            titled: title,
            call: "PHAssetCollectionChangeRequest.requestForAssetCollection(titled:)"
        )
    }

    /// The album's local identifier once the change was committed; nil before, and when it failed.
    public var committedLocalIdentifier: String? { committedIdentifier }
}
