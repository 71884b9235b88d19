/// The version of the code that derives facts from files: the worker's parsers, `AssetDraft` and
/// the policies that it uses.
///
/// Each asset stores the version with which it was read. Increment `current` in the same change
/// that makes reading return other values for files that libraries may contain. `photos status`
/// then counts the assets read by earlier versions, and `photos refresh` reads them again. It never
/// decreases.
package enum ReaderVersion {
    /// The version of this reader.
    package static let current = 3
}
