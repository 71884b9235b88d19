internal import LibraryService

/// An asset that was found by the content of one of its files.
public struct KnownContent: Sendable, Hashable {
    /// The asset's local identifier.
    public var localIdentifier: String
    /// Indicates whether the asset is in Recently Deleted; fetches do not return such assets.
    public var isInRecentlyDeleted: Bool

    init(_ match: ContentMatch) {
        localIdentifier = match.localIdentifier
        isInRecentlyDeleted = match.isTrashed
    }
}
