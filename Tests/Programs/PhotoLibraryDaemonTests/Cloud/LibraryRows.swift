import TestSupport

/// What the database of a library says, read by SQLite's own program: all that computers of one
/// cloud library have in common.
enum LibraryRows {
    /// Columns of photos that are each computer's own.
    private static let local = ["id", "contentVersion"]

    static func read(_ home: DaemonHome) throws -> [String] {
        let database = home.library + "/database/library.sqlite"
        func ask(_ sql: String) throws -> [String] {
            let output = try ProcessRunner.run("sqlite3", ["-readonly", database, sql])
            guard output.status == 0 else { throw Failure(text: output.errorText) }
            return output.text.split(separator: "\n").map(String.init)
        }
        let columns = try ask("SELECT name FROM pragma_table_info('asset')")
            .filter { !local.contains($0) }
        // Keywords that were added at once have no common order.
        let keywords =
            "(SELECT group_concat(value, ' ') FROM (SELECT value FROM"
            + " json_each(asset.keywords) ORDER BY value))"
        let values = columns.map { column in
            let value = column == "keywords" ? keywords : column
            return "SELECT 'photo', uuid, '\(column)', quote(\(value)) FROM asset"
        }
        .joined(separator: " UNION ALL ")
        return try ask(
            """
            \(values) ORDER BY 2, 3;
            SELECT 'file', asset.uuid, resource.uuid, type, quote(resource.originalFilename),
                resource.contentType, size, hex(sha256), resource.pixelWidth, resource.pixelHeight,
                presence
            FROM resource JOIN asset ON asset.id = assetId ORDER BY resource.uuid;
            SELECT 'collection', own.uuid, own.kind, quote(own.title), ifnull(parent.uuid, ''),
                row_number() OVER (PARTITION BY own.parentId ORDER BY own.position), own.assetCount
            FROM collection AS own LEFT JOIN collection AS parent ON parent.id = own.parentId
            ORDER BY own.uuid;
            SELECT 'member', collection.uuid, asset.uuid,
                row_number() OVER (PARTITION BY albumId ORDER BY albumAsset.position)
            FROM albumAsset JOIN asset ON asset.id = assetId
                JOIN collection ON collection.id = albumId
            ORDER BY collection.uuid, asset.uuid;
            """
        )
    }

    /// A statement that SQLite refused.
    struct Failure: Error {
        let text: String
    }
}
