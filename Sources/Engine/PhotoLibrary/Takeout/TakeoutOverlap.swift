internal import WorkerProtocol

/// The files that two exports have under the same names, from which it follows whether they may be
/// of one account.
struct TakeoutOverlap: Hashable, Sendable {
    /// The number of files that both have.
    var equal = 0
    /// The number of names under which both have another file.
    var different = 0
    /// The number of files in the folders that both have, of the one that has fewer.
    var size = 0
    /// Indicates whether both have an album in a folder of the same name.
    var sharesAlbum = false

    /// Indicates whether most of what both may have in common is equal.
    ///
    /// Accounts of a family have some photos in common, but not under all of their names.
    var isOfOneAccount: Bool { equal > different && equal * 4 >= size }

    /// Indicates whether they have no name in common, as the parts of an export.
    var isDisjoint: Bool { equal == 0 && different == 0 }

    /// Adds what the same files have in common with another export.
    mutating func add(_ other: TakeoutOverlap) {
        equal += other.equal
        different += other.different
        size = max(size, other.size)
        sharesAlbum = sharesAlbum || other.sharesAlbum
    }
}

extension TakeoutFile {
    /// Indicates whether the file says something about the account: photos, movies and descriptions
    /// do, pages such as `archive_browser.html` are in any export.
    var isEvidence: Bool {
        guard commonPath.contains("/") else { return false }
        switch reading {
        case .facts(let facts): return facts.kind == .asset && !facts.isFromPartner
        case .failed: return false
        case nil:
            let name = TakeoutMediaName(commonPath)
            return name.isPicture || name.isMovie
        }
    }

    /// Returns whether a file of another export is the same; nil if only the content can say.
    func isSame(as other: TakeoutFile) -> Bool? {
        if reading != nil || other.reading != nil { return reading == other.reading }
        guard mayEqual(other.fingerprint) else { return false }
        return fingerprint == other.fingerprint ? true : nil
    }
}
