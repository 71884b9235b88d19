internal import LibraryService

/// An asset that has a file with certain bytes.
public struct KnownContent: Sendable, Hashable {
    /// The asset.
    public var localIdentifier: String
    /// Whether it is in Recently Deleted, where fetches do not see it.
    public var isInRecentlyDeleted: Bool

    init(_ match: ContentMatch) {
        localIdentifier = match.localIdentifier
        isInRecentlyDeleted = match.isTrashed
    }
}
