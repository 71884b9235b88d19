internal import PhotoModel

extension LibraryError {
    /// Returns the error for a version before the start of the journal.
    static func historyExpired(since version: Int64) -> LibraryError {
        LibraryError(
            .historyExpired,
            "What happened after version \(version) of the library is not known any more.",
            reason: "Its history was pruned since, or the version is of another library.",
            recovery: "Fetch everything again, and go on from the present change token."
        )
    }

    /// Returns the error for a version that was replaced by another with the same number.
    static func historyReplaced(since version: Int64) -> LibraryError {
        LibraryError(
            .historyExpired,
            "What happened after version \(version) of the library is not known.",
            reason:
                "The library was put back to an older state since, and that version is another now.",
            recovery: "Fetch everything again, and go on from the present change token."
        )
    }
}
