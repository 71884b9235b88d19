internal import WorkerProtocol

/// The result of comparing the files that have the same name in two exports.
///
/// It determines whether the exports may be of the same Google account.
struct TakeoutOverlap: Hashable, Sendable {
    /// The number of file names for which both exports have the same file.
    var equal = 0
    /// The number of file names for which the exports have different files.
    var different = 0
    /// The number of files in the folders that both exports contain, counted in the export with
    /// fewer such files.
    var size = 0
    /// Indicates whether both exports have an album in a folder of the same name.
    var sharesAlbum = false

    /// Indicates whether both exports are probably of the same account.
    ///
    /// More files of the same name must be equal than different, and they must be at least a
    /// quarter of the files in common folders. Accounts of a family have some photos in common, but
    /// not under all of their names.
    var isOfOneAccount: Bool { equal > different && equal * 4 >= size }

    /// Indicates whether the exports have no file name in common, as is usual for the parts of one
    /// export.
    var isDisjoint: Bool { equal == 0 && different == 0 }

    /// Combines this result with the result of comparing the same export with a further export.
    mutating func add(_ other: TakeoutOverlap) {
        equal += other.equal
        different += other.different
        size = max(size, other.size)
        sharesAlbum = sharesAlbum || other.sharesAlbum
    }
}

extension TakeoutFile {
    /// Indicates whether the file helps to identify the export's account.
    ///
    /// Photos, movies and their descriptions do; pages such as `archive_browser.html` are in every
    /// export.
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

    /// Returns whether this file is the same as a file of another export; nil if only a comparison
    /// of their contents can show this.
    func isSame(as other: TakeoutFile) -> Bool? {
        if reading != nil || other.reading != nil { return reading == other.reading }
        guard mayEqual(other.fingerprint) else { return false }
        return fingerprint == other.fingerprint ? true : nil
    }
}
