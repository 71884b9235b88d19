internal import PhotoModel

extension LibraryError {
    /// The journal does not reach back to a version.
    static func historyExpired(since version: Int64) -> LibraryError {
        LibraryError(
            .historyExpired,
            "What happened after version \(version) of the library is not known any more.",
            reason: "Its history was pruned since, or the version is of another library.",
            recovery: "Fetch everything again, and go on from the present change token."
        )
    }

    /// A version is not the one that it was.
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
