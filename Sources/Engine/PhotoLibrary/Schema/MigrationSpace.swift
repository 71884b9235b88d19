internal import Glibc
internal import PhotoModel

/// The free space that bringing a library up to date takes.
///
/// A migration that runs out of space rolls back, but fills the volume until then, for all programs
/// that write there. So the space is asked for before it starts.
struct MigrationSpace {
    /// Free bytes of the volume with a path, for users without privileges; nil when nothing tells.
    var free: (String) -> Int64? = Self.available

    /// Bytes that the write-ahead log and new indexes may take beside a database of some size.
    ///
    /// All migrations together rewrite every asset's row, which is about a fifth of the database, and
    /// make indexes of about a tenth.
    static func needed(forDatabaseOf size: Int64) -> Int64 { size / 2 + 8 << 20 }

    /// Makes sure that there is room.
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
            "The library at \(bundle.root) cannot be brought up to date.",
            reason: "That takes \(Self.megabytes(needed)) MB of free space on its volume, and"
                + " \(Self.megabytes(free)) MB are free.",
            recovery: "Free some space on that volume and try again. Nothing was changed.",
            path: bundle.root
        )
    }

    private static func megabytes(_ bytes: Int64) -> Int64 { (bytes + 999_999) / 1_000_000 }

    private static func available(_ path: String) -> Int64? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        return Int64(
            clamping: UInt64(status.f_bavail).multipliedReportingOverflow(
                by: UInt64(status.f_frsize)
            ).partialValue
        )
    }
}
