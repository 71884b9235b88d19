/// Where things lie in a library bundle.
///
/// Paths only; nothing here touches the file system.
package struct LibraryBundle: Hashable, Sendable {
    /// The bundle format that this version writes, as in the file `version`.
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
    /// The library itself.
    ///
    /// Only SQLite opens it: closing any other descriptor of it would drop the locks that SQLite
    /// holds in this process.
    package var database: String { databaseFolder + "/library.sqlite" }
    /// The database's write-ahead log.
    ///
    /// Only SQLite opens it, and its index `library.sqlite-shm`, as with the database.
    package var log: String { database + "-wal" }
    /// Small pictures, which can be made again.
    package var renditions: String { databaseFolder + "/renditions.sqlite" }
    /// The writer lock.
    package var lock: String { databaseFolder + "/lock" }
    /// Touched after each commit, for watchers; holds a `CommittedVersion`.
    package var changed: String { databaseFolder + "/changed" }
    /// Originals, in folders named with two hexadecimal digits.
    package var originals: String { root + "/originals" }
    /// Rendered edits and adjustment data, laid out as the originals are.
    package var edits: String { root + "/edits" }
    /// Files on their way in.
    package var staging: String { root + "/staging" }
    /// Files that no row names, put aside by a repair.
    package var leftovers: String { root + "/leftovers" }
    /// The bundle's format number.
    package var version: String { root + "/version" }

    /// The absolute path of a resource's file, from the path in its row.
    package func absolutePath(of relativePath: String) -> String { root + "/" + relativePath }
}
