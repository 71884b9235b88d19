/// The paths of the files in a library bundle.
///
/// Computes paths only and never accesses the file system.
package struct LibraryBundle: Hashable, Sendable {
    /// The bundle format that this version writes to the file `version`.
    package static let currentFormat = 1

    /// The bundle's folder, absolute.
    package let root: String

    package init(root: String) {
        var root = root
        while root.count > 1, root.hasSuffix("/") { root.removeLast() }
        self.root = root
    }

    /// The folder of the databases, the lock and the change signal.
    package var databaseFolder: String { root + "/database" }
    /// The library's database.
    ///
    /// Only SQLite opens it: closing any other descriptor of the file would drop the locks that
    /// SQLite holds in this process.
    package var database: String { databaseFolder + "/library.sqlite" }
    /// The database's write-ahead log.
    ///
    /// As with the database, only SQLite opens it and its index `library.sqlite-shm`.
    package var log: String { database + "-wal" }
    /// The database of renditions, which can be regenerated.
    package var renditions: String { databaseFolder + "/renditions.sqlite" }
    /// The writer lock.
    package var lock: String { databaseFolder + "/lock" }
    /// The file that is touched after each commit for watchers; contains a `CommittedVersion`.
    package var changed: String { databaseFolder + "/changed" }
    /// The result of the last complete check.
    package var checked: String { databaseFolder + "/checked" }
    /// The folder of originals, with subfolders named with two hexadecimal digits.
    package var originals: String { root + "/originals" }
    /// The folder of rendered edits and adjustment data, laid out as the originals are.
    package var edits: String { root + "/edits" }
    /// The folder of files that are being imported.
    package var staging: String { root + "/staging" }
    /// The folder of unreferenced files that a repair moved aside.
    package var leftovers: String { root + "/leftovers" }
    /// The file with the bundle's format number.
    package var version: String { root + "/version" }

    /// Returns the absolute path of a resource's file for the relative path in its row.
    package func absolutePath(of relativePath: String) -> String { root + "/" + relativePath }
}
