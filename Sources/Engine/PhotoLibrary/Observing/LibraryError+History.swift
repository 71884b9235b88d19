internal import PhotoModel

extension LibraryError {
    /// Returns the error for a version before the start of the journal.
    static func historyExpired(since version: Int64) -> LibraryError {
        LibraryError(
            .historyExpired,
            "The changes after version \(version) of the library are no longer known.",
            reason: "The history has been pruned since, or the version is from another library.",
            recovery: "Fetch everything again, and continue from the current change token."
        )
    }

    /// Returns the error for a version that was replaced by another with the same number.
    static func historyReplaced(since version: Int64) -> LibraryError {
        LibraryError(
            .historyExpired,
            "The changes after version \(version) of the library are unknown.",
            reason:
                "The library has been restored to an older state since, so this version is a different one now.",
            recovery: "Fetch everything again, and continue from the current change token."
        )
    }
}
