internal import Glibc
internal import PhotoModel

/// Checks that enough space is free to migrate a library's database to the current schema.
///
/// A migration that runs out of space rolls back, but until then it fills the volume for all
/// programs that write there. The space is therefore checked before the migration starts.
struct MigrationSpace {
    /// Returns the bytes available to unprivileged users on the volume of a path; nil if unknown.
    var free: (String) -> Int64? = { VolumeSpace(at: $0)?.free }

    /// Returns the number of bytes that the write-ahead log and new indexes may need during the
    /// migration of a database of a given size.
    ///
    /// All migrations together rewrite every asset's row, which is about a fifth of the database,
    /// and create indexes of about a tenth of its size.
    static func needed(forDatabaseOf size: Int64) -> Int64 { size / 2 + 8 << 20 }

    /// Throws an error unless the volume has enough free space to migrate the library.
    ///
    /// - Throws: `noSpace`.
    func check(_ bundle: LibraryBundle) throws(LibraryError) {
        guard case .success(let status) = FileSystem.status(of: bundle.database),
            let free = free(bundle.databaseFolder)
        else { return }
        let needed = Self.needed(forDatabaseOf: Int64(status.st_size))
        guard free < needed else { return }
        throw LibraryError(
            .noSpace,
            "The library at \(bundle.root) cannot be upgraded.",
            reason:
                "This requires \(Self.megabytes(needed)) MB of free space on its volume, but only"
                + " \(Self.megabytes(free)) MB are available.",
            recovery: "Free some space on that volume and try again. Nothing was changed.",
            path: bundle.root
        )
    }

    private static func megabytes(_ bytes: Int64) -> Int64 { (bytes + 999_999) / 1_000_000 }
}
