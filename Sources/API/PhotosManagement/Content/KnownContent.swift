internal import LibraryService

/// An asset that was found because one of its files has the same bytes as a given file, or has a
/// given SHA-256 digest.
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
