package import CloudSync
internal import Foundation
internal import GRDB
internal import Glibc
package import LibraryService
internal import PhotoModel
internal import Synchronization

/// The files of a library that are only in the cloud.
///
/// No index contains them, so finding them scans the table of resources. While no file is missing,
/// the scan is only repeated after changes that can have made one missing: versions with an origin,
/// and changes of resources.
final class AbsentFiles: Sendable {
    /// A library version at which no file was missing; nil if no such version is known.
    private let complete = Mutex<Int64?>(nil)

    /// Returns the number of files that are only in the cloud.
    static func count(in database: Database) throws -> Int {
        try Int.fetchOne(
            database,
            sql: "SELECT count(*) FROM resource NOT INDEXED WHERE presence <> 0"
        ) ?? 0
    }

    /// Returns the result of `body`, or `none` without running `body` if it is known that no file
    /// is missing.
    ///
    /// `body` reads the missing files. It must return `none` if there are none.
    func read<Result: Equatable>(
        orNone none: Result,
        _ database: Database,
        _ body: () throws -> Result
    ) throws -> Result {
        if let known = complete.withLock(\.self), try !mayHaveChanged(database, since: known) {
            return none
        }
        let version = try JournalWriter.currentVersion(database)
        let result = try body()
        complete.withLock { $0 = result == none ? version : nil }
        return result
    }

    private func mayHaveChanged(_ database: Database, since version: Int64) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT EXISTS (
                        SELECT 1 FROM journalVersion WHERE version > ?1 AND origin IS NOT NULL)
                    OR EXISTS (SELECT 1 FROM journalEntry INDEXED BY journalEntry_version
                        WHERE version > ?1 AND kind = \(ObjectKind.resource.rawValue))
                    """
            ),
            arguments: [version]
        ) ?? true
    }
}

extension LibraryStore {
    /// Opens a local file that has a given content, read-only; returns nil if no local file has it.
    ///
    /// - Throws: The volume's error for a file that is here and cannot be opened.
    package func openContent(_ content: ContentID) throws -> Descriptor? {
        let rows = try read { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: "SELECT path, size FROM resource WHERE sha256 = ? AND presence = 0"
                ),
                arguments: [content.data]
            ).map { (path: $0[0] as String, size: $0[1] as Int64) }
        }
        var failure: SystemError?
        for row in rows {
            do throws(SystemError) {
                let path = bundle.absolutePath(of: row.path)
                let file = try files.open(path, O_RDONLY | O_NONBLOCK)
                let status = try files.status(of: file.number)
                // Damaged files are not published; `verify` reports them.
                if status.isRegularFile, status.size == row.size { return file }
            } catch  where error.number != ENOENT {
                failure = error
            } catch {}
        }
        if let failure { throw failure.libraryError(doing: "open") }
        return nil
    }

    /// Returns whether any resource has the given content but no local file.
    ///
    /// - Parameters:
    ///   - content: The SHA-256 of the file.
    ///   - includingRemoved: Whether files count that were removed to free space.
    /// - Returns: Whether a row lacks its file.
    /// - Throws: The errors of reading the library.
    package func isMissing(_ content: ContentID, includingRemoved: Bool) throws -> Bool {
        try read { database in
            try Bool.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT EXISTS (
                            SELECT 1 FROM resource WHERE sha256 = ?
                                AND (presence = 1 OR presence = 2 AND ?))
                        """
                ),
                arguments: [content.data, includingRemoved]
            ) ?? false
        }
    }

    /// Returns the contents that are only in the cloud, newest photos first, photos in Recently
    /// Deleted last.
    package func missingContents(limit: Int) throws -> [ContentID] {
        guard limit > 0 else { return [] }
        return try read { database in
            try absentFiles.read(orNone: [], database) {
                let rows = try Row.fetchCursor(
                    database,
                    sql: """
                        SELECT sha256 FROM (
                            SELECT sha256, assetId FROM resource NOT INDEXED WHERE presence <> 0)
                        JOIN asset ON asset.id = assetId
                        GROUP BY sha256
                        ORDER BY min(trashedDate IS NOT NULL),
                            max(coalesce(creationDate, addedDate)) DESC, sha256
                        LIMIT ?
                        """,
                    arguments: [limit]
                )
                var contents: [ContentID] = []
                while let row = try rows.next() {
                    let content: Data = row[0]
                    if let id = ContentID(bytes: content) { contents.append(id) }
                }
                return contents
            }
        }
    }

    /// Returns the contents of an asset's files that are only in the cloud; nil if there is no such
    /// asset.
    package func missingContents(ofAsset uuid: String) throws -> [ContentID]? {
        try read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT DISTINCT sha256 FROM asset
                    LEFT JOIN resource ON resource.assetId = asset.id AND presence <> 0
                    WHERE asset.uuid = ? ORDER BY resource.id
                    """
            )
            let contents = try Data?.fetchAll(statement, arguments: [uuid])
            guard !contents.isEmpty else { return nil }
            return contents.compactMap { content in
                content.flatMap { ContentID(bytes: $0) }
            }
        }
    }

    /// Returns the number of files that were never stored locally and the number that were removed
    /// to free space.
    ///
    /// Files with the same content are counted separately.
    ///
    /// - Returns: The files that have not been here yet, and those that were removed.
    package func missingFileCounts() throws -> (waiting: Int, removed: Int) {
        try read { database in
            let counts = try absentFiles.read(orNone: [0, 0], database) {
                let row = try Row.fetchOne(
                    database,
                    sql: """
                        SELECT total(presence <> 2), total(presence = 2) FROM resource NOT INDEXED
                        WHERE presence <> 0
                        """
                )
                return [Int(row?[0] ?? 0.0), Int(row?[1] ?? 0.0)]
            }
            return (counts[0], counts[1])
        }
    }
}

extension ContentID {
    /// The 32 bytes of the SHA-256.
    var data: Data { Data(bytes) }
}
