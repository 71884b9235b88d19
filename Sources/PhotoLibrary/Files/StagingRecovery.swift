internal import GRDB

/// Clears what crashes left in staging.
///
/// Filled by the import.
enum StagingRecovery {
    static func clear(bundle: LibraryBundle, database: Database) throws {}
}
