internal import PhotoModel

extension LibraryError {
    /// The database of a library is older than the last commit that was noted.
    static func changesMissing(upTo version: Int64, _ bundle: LibraryBundle) -> LibraryError {
        LibraryError(
            .readOnly,
            "Changes up to \(version) are missing: `library.sqlite-wal` was lost or the copy is"
                + " incomplete.",
            recovery: "Put the file back, or accept the older state with `photos verify --repair`.",
            path: bundle.log
        )
    }
}
