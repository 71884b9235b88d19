internal import LibraryService

/// An asset that has a file with given content.
public struct KnownContent: Sendable, Hashable {
    /// The asset's local identifier.
    public var localIdentifier: String
    /// Indicates whether the asset is in Recently Deleted, which fetches omit.
    public var isInRecentlyDeleted: Bool

    init(_ match: ContentMatch) {
        localIdentifier = match.localIdentifier
        isInRecentlyDeleted = match.isTrashed
    }
}
