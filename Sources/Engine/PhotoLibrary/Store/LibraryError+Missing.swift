internal import PhotoModel

extension LibraryError {
    /// Returns the error for a database that lacks changes up to a version, although the library
    /// has recorded them as committed.
    static func changesMissing(upTo version: Int64, _ bundle: LibraryBundle) -> LibraryError {
        LibraryError(
            .readOnly,
            "Changes up to \(version) are missing: `library.sqlite-wal` was lost or the copy is"
                + " incomplete.",
            recovery: "Restore the file, or accept the older state with `photos verify --repair`.",
            path: bundle.log
        )
    }
}
