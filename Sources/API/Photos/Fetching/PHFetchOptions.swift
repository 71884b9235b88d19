public import Foundation

/// How a fetch filters, sorts and limits.
///
/// Copied into the fetch: later changes do not reach it.
open class PHFetchOptions: NSObject, NSCopying {
    /// What has to be true of the objects; nil for all.
    ///
    /// Every public property is a valid key. A predicate that cannot be answered gives an empty
    /// result and a logged reason.
    open var predicate: NSPredicate?

    /// The order, the weightiest first.
    ///
    /// Ties end in the order of import.
    ///
    /// Nil for the library's own order: oldest first.
    open var sortDescriptors: [NSSortDescriptor]?

    /// Whether hidden assets are fetched too.
    open var includeHiddenAssets = false

    /// Whether all frames of bursts are fetched, and not only those that stand for them or were picked.
    open var includeAllBurstAssets = false

    /// Which sources are fetched from; empty for what suits the kind of fetch.
    open var includeAssetSourceTypes: PHAssetSourceType = []

    /// How many objects at most, after filtering and sorting; 0 for no limit.
    open var fetchLimit = 0

    /// Whether changes to the result are wanted in detail.
    open var wantsIncrementalChangeDetails = true

    /// Whether extended metadata are loaded with the assets.
    ///
    /// Here they always are.
    open var prefetchAssetExtendedMetadata = false

    /// Options that ask for nothing in particular.
    public override init() {
        super.init()
    }

    /// A copy with the same values.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = PHFetchOptions()
        // Predicates and descriptors are shared: Foundation's copy of a compound predicate is not one.
        copy.predicate = predicate
        copy.sortDescriptors = sortDescriptors
        copy.includeHiddenAssets = includeHiddenAssets
        copy.includeAllBurstAssets = includeAllBurstAssets
        copy.includeAssetSourceTypes = includeAssetSourceTypes
        copy.fetchLimit = fetchLimit
        copy.wantsIncrementalChangeDetails = wantsIncrementalChangeDetails
        copy.prefetchAssetExtendedMetadata = prefetchAssetExtendedMetadata
        return copy
    }

    /// A copy with the same values.
    open override func copy() -> Any { copy(with: nil) }
}
