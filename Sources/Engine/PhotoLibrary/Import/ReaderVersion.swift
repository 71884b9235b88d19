/// The version of what makes facts of files: the worker's parsers, `AssetDraft` and the policies that
/// it asks.
///
/// Each asset stores the version that it was read with. Raise `current` in the same change that makes
/// reading give other values for files that libraries may hold: then `photos status` counts the assets
/// of earlier readers, and `photos refresh` reads them again. It never goes down.
package enum ReaderVersion {
    /// The version of this reader.
    package static let current = 1
}
