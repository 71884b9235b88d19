public import Foundation

/// Options that filter, sort and limit a fetch.
///
/// A fetch copies its options, so later changes to them have no effect on it.
open class PHFetchOptions: NSObject, NSCopying {
    /// The predicate that objects must match, or nil to match all objects.
    ///
    /// Every public property is a valid key. A predicate that the library cannot evaluate gives an
    /// empty result and logs the reason.
    open var predicate: NSPredicate?

    /// The sort descriptors, in order of precedence.
    ///
    /// Objects that compare equal are sorted in the order of import. Nil selects the library's
    /// default order, which is oldest first.
    open var sortDescriptors: [NSSortDescriptor]?

    /// Indicates whether the result includes hidden assets.
    open var includeHiddenAssets = false

    /// Indicates whether the result includes all frames of a burst, not only representative and
    /// picked ones.
    open var includeAllBurstAssets = false

    /// The sources of the assets to fetch; an empty set selects the default sources for the kind of
    /// fetch.
    open var includeAssetSourceTypes: PHAssetSourceType = []

    /// The maximum number of objects, applied after filtering and sorting; 0 means no limit.
    open var fetchLimit = 0

    /// Indicates whether changes to the result are reported with incremental details.
    open var wantsIncrementalChangeDetails = true

    /// Indicates whether extended metadata is loaded together with the assets.
    ///
    /// This implementation always loads it, whatever the value.
    open var prefetchAssetExtendedMetadata = false

    /// Creates options with default values.
    public override init() {
        super.init()
    }

    /// Returns a copy with the same values.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = PHFetchOptions()
        // Predicates and descriptors are shared, because Foundation's copy of a compound predicate
        // is not a true copy.
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

    /// Returns a copy with the same values.
    open override func copy() -> Any { copy(with: nil) }
}
