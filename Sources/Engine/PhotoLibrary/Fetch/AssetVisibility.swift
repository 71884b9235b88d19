internal import LibraryService
internal import PhotoModel

/// Defines which assets are visible, for all fetches, counts, smart albums and checks.
///
/// Four conditions exclude an asset: it is in Recently Deleted, it is hidden, it is an unpicked
/// frame of a burst, or it is not from the user's own library. The same parts are expressed twice:
/// as SQL over the columns of `asset`, and as a function of values.
struct AssetVisibility: Hashable {
    /// Indicates whether only assets in Recently Deleted are visible.
    var isOfDeleted = false
    var includesHidden = false
    var includesAllBurstMembers = false
    /// The visible source types; empty for all.
    var sourceTypes: SourceTypes = .userLibrary

    /// The visibility in a fetch without special options.
    ///
    /// The column `isVisible` stores whether an asset is visible in such a fetch.
    static let usual = AssetVisibility()

    /// The SQL condition that defines `isVisible` in terms of the other columns.
    static let definition = usual.parts.joined(separator: " AND ")

    init() {}

    /// Creates the visibility for a fetch.
    init(_ request: AssetFetchRequest) {
        includesHidden = request.includesHidden
        includesAllBurstMembers = request.includesAllBurstMembers
        sourceTypes = request.sourceTypes
        switch request.scope {
        case .recentlyDeleted: isOfDeleted = true
        case .identifiers:
            // A fetch by identifier also finds hidden assets (behavior 52), but not deleted ones.
            includesHidden = true
            includesAllBurstMembers = true
        case .rowIDs: break
        case .moment: self = .usual
        case .library, .burst, .album:
            if let album = request.smartAlbum, Self(album).includesHidden { includesHidden = true }
            if sourceTypes.isEmpty { sourceTypes = .userLibrary }
        }
    }

    /// Creates the default visibility for a smart album.
    init(_ album: SmartAlbum) {
        // The only album that shows hidden assets by default.
        includesHidden = album == .allHidden
    }

    /// The conditions over columns of `asset`, to be combined with AND.
    var conditions: [String] {
        // Equivalent to all parts, and covered by indexes.
        self == .usual ? ["isVisible = 1"] : parts
    }

    private var parts: [String] {
        var parts = [isOfDeleted ? "trashedDate IS NOT NULL" : "trashedDate IS NULL"]
        if !includesHidden { parts.append("isHidden = 0") }
        if !includesAllBurstMembers { parts.append("isBurstHidden = 0") }
        if sourceTypes == .userLibrary {
            parts.append("sourceType = 1")
        } else if !sourceTypes.isEmpty {
            parts.append("sourceType & \(sourceTypes.rawValue) <> 0")
        }
        return parts
    }

    /// Returns whether an asset with these values is visible.
    func shows(
        isTrashed: Bool,
        isHidden: Bool,
        isBurstHidden: Bool,
        sourceType: SourceTypes
    ) -> Bool {
        guard isTrashed == isOfDeleted, includesHidden || !isHidden,
            includesAllBurstMembers || !isBurstHidden
        else { return false }
        return sourceTypes == .userLibrary
            ? sourceType == .userLibrary
            : sourceTypes.isEmpty || !sourceType.isDisjoint(with: sourceTypes)
    }
}
