internal import Foundation
internal import GRDB
internal import LibraryService
internal import PhotoModel

/// A file that a library's database references for an asset or for an undo.
struct NamedFile: Hashable, Sendable {
    /// The path below the library's folder.
    var path: String
    /// The size in bytes; nil if the database does not record it.
    var size: Int64?
    /// The SHA-256 of the expected content; nil if the database does not record it.
    var digest: SHA256Digest?
    /// The file name at import, for messages.
    var name: String
    /// The UUID of the file's asset; nil for a file that is kept only for undo.
    var assetUUID: String?

    /// Reads up to `limit` files that follow a path, in the order of their paths.
    ///
    /// - Throws: SQLite's error, and `corrupt` for a path that no library writes.
    static func read(after path: String, limit: Int, in database: Database) throws -> [NamedFile] {
        // Files that are only in the cloud are not the library's to copy.
        let hasPresence = try database.columns(in: "resource").contains { $0.name == "presence" }
        let isHere = hasPresence ? "AND resource.presence = 0" : ""
        // The journal has the rows of retired files: the entry that deleted each.
        let sql = """
            SELECT resource.path, resource.size, resource.sha256, resource.originalFilename,
                asset.uuid
            FROM resource JOIN asset ON asset.id = resource.assetId
            WHERE resource.path > ?1 \(isHere)
            UNION ALL
            SELECT formerFile.path,
                (SELECT json_extract(oldValues, '$.size') FROM journalEntry
                    WHERE kind = 4 AND objectId = formerFile.resourceId
                        AND version = formerFile.version AND oldValues IS NOT NULL LIMIT 1),
                (SELECT json_extract(oldValues, '$.sha256') FROM journalEntry
                    WHERE kind = 4 AND objectId = formerFile.resourceId
                        AND version = formerFile.version AND oldValues IS NOT NULL LIMIT 1),
                NULL, NULL
            FROM formerFile WHERE formerFile.path > ?1
                AND NOT EXISTS (SELECT 1 FROM resource WHERE path = formerFile.path)
            ORDER BY 1 LIMIT ?2
            """
        let hasFormerFiles = try database.tableExists("formerFile")
        let plain = """
            SELECT resource.path, resource.size, resource.sha256, resource.originalFilename,
                asset.uuid
            FROM resource JOIN asset ON asset.id = resource.assetId
            WHERE resource.path > ?1 \(isHere)
            ORDER BY 1 LIMIT ?2
            """
        return try Row.fetchAll(
            database.cachedStatement(sql: hasFormerFiles ? sql : plain),
            arguments: [path, limit]
        ).map(NamedFile.init)
    }

    private init(row: Row) throws {
        path = row[0]
        guard StagingRecovery.isPlausible(path) else {
            throw LibraryError(
                .corrupt,
                "The library's database names a file that no library writes: \(path).",
                reason: "A row of the table resource was changed by another program.",
                recovery: "Run photos verify, and restore the database from a backup."
            )
        }
        size = row[1]
        if let name: String = row[3] {
            digest = SHA256Digest(bytes: [UInt8](row[2] as Data))
            self.name = name
        } else {
            // Blobs have a prefix in the journal.
            let text: String? = row[2]
            let bytes = text.flatMap { Hexadecimal.bytes(String($0.dropFirst(2))) }
            digest = bytes.map { SHA256Digest(bytes: [UInt8]($0)) }
            name = path
        }
        assetUUID = row[4]
    }

    /// Returns whether a database references this file with the same path and content.
    ///
    /// The table of resources has existed in all versions.
    func isNamed(in database: Database) throws -> Bool {
        guard let digest else { return false }
        let statement = try database.cachedStatement(
            sql: "SELECT EXISTS (SELECT 1 FROM resource WHERE path = ? AND sha256 = ?)"
        )
        return try Bool.fetchOne(statement, arguments: [path, Data(digest.bytes)]) ?? false
    }

    /// Returns whether a database references a path, including files that are kept only for undo.
    ///
    /// A file that is only in the cloud is named: a backup that has it keeps it.
    static func isNamed(_ path: String, in database: Database) throws -> Bool {
        let former =
            try database.tableExists("formerFile")
            ? "OR EXISTS (SELECT 1 FROM formerFile WHERE path = ?1)" : ""
        let sql = "SELECT EXISTS (SELECT 1 FROM resource WHERE path = ?1) \(former)"
        return try Bool.fetchOne(database, sql: sql, arguments: [path]) ?? true
    }

    /// Creates the report of a problem with this file in the library at `root`.
    func problem(_ kind: CopyProblem.Kind, at root: String, reason: String) -> CopyProblem {
        CopyProblem(
            kind: kind,
            message: "The file of \(name) \(reason).",
            advice: "Run photos verify --full. A backup that has the file can mend it:"
                + " photos verify --repair --from BACKUP.",
            path: root + "/" + path,
            localIdentifier: assetUUID.map { $0 + ObjectKind.asset.identifierSuffix }
        )
    }
}
