internal import LibraryService
internal import PhotoModel

/// Which assets show: the one place that decides it, for fetches, counts, smart albums and checks.
///
/// Four things keep an asset from showing: it is in Recently Deleted, it is hidden, it is a frame of a
/// burst that nobody picked, or it is not of the user's own library. Said twice, as SQL over columns of
/// `asset` and of values, from the same parts.
struct AssetVisibility: Hashable {
    /// Whether it is what is in Recently Deleted that shows, and nothing else.
    var isOfDeleted = false
    var includesHidden = false
    var includesAllBurstMembers = false
    /// Empty: all.
    var sourceTypes: SourceTypes = .userLibrary

    /// What shows when nothing special is asked for: the column `isVisible`.
    static let usual = AssetVisibility()

    /// What `isVisible` says, by the other columns.
    static let definition = usual.parts.joined(separator: " AND ")

    init() {}

    /// What shows in a fetch.
    init(_ request: AssetFetchRequest) {
        includesHidden = request.includesHidden
        includesAllBurstMembers = request.includesAllBurstMembers
        sourceTypes = request.sourceTypes
        switch request.scope {
        case .recentlyDeleted: isOfDeleted = true
        case .identifiers:
            // Whoever knows an identifier gets its asset (behaviour 52), unless it is deleted.
            includesHidden = true
            includesAllBurstMembers = true
        case .rowIDs: break
        case .moment: self = .usual
        case .library, .burst, .album:
            if let album = request.smartAlbum, Self(album).includesHidden { includesHidden = true }
            if sourceTypes.isEmpty { sourceTypes = .userLibrary }
        }
    }

    /// What shows in a smart album when nothing special is asked for.
    init(_ album: SmartAlbum) {
        // The one album that shows what is hidden without asking.
        includesHidden = album == .allHidden
    }

    /// The conditions over columns of `asset`; all have to hold.
    var conditions: [String] {
        // Stands for all of its parts, and has indexes.
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

    /// Whether an asset with these values shows.
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
