internal import Glibc

/// The paths of the files in a library bundle.
///
/// Computes paths only. It accesses the file system in a plan alone, to find out which of two
/// folders has a file.
package struct LibraryBundle: Hashable, Sendable {
    /// The number of the newest bundle format that this program supports, which it writes to the
    /// file `version` of new bundles.
    package static let currentFormat = 1

    /// The bundle's folder, absolute.
    package let root: String

    /// The folder of the original library if this bundle is a plan (a dry run); nil for a library.
    package let planned: String?

    /// Creates the paths of a library, or of a plan of the library in the folder `planned`.
    package init(root: String, planned: String? = nil) {
        self.root = Self.trimmed(root)
        self.planned = planned.map(Self.trimmed)
    }

    private static func trimmed(_ root: String) -> String {
        var root = root
        while root.count > 1, root.hasSuffix("/") { root.removeLast() }
        return root
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
    /// The file that is written after each commit to notify watchers; contains a
    /// `CommittedVersion`.
    package var changed: String { databaseFolder + "/changed" }
    /// The file with the result of the last complete check.
    package var checked: String { databaseFolder + "/checked" }
    /// The file that a process locks while it performs background work; the file states the kind of
    /// that process.
    package var duty: String { databaseFolder + "/duty" }
    /// The file with the progress of the background check of all files, and with the damaged files
    /// that it found.
    package var scrubbed: String { databaseFolder + "/scrubbed" }
    /// The file with the progress of making first renditions in the background.
    package var rendered: String { databaseFolder + "/rendered" }
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
    ///
    /// In a plan, it is the library's file unless the plan has one of its own.
    package func absolutePath(of relativePath: String) -> String {
        let own = root + "/" + relativePath
        guard let planned, access(own, F_OK) != 0 else { return own }
        return planned + "/" + relativePath
    }

    /// Returns whether this bundle is a plan (a dry run) that has its own file at the path.
    ///
    /// Such a file has the right size but no content.
    package func isHollow(_ relativePath: String) -> Bool {
        planned != nil && access(root + "/" + relativePath, F_OK) == 0
    }
}
