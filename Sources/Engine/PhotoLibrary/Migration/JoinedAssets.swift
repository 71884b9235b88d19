internal import GRDB
internal import LibraryService
internal import PhotoModel

/// The assets that items of a source became although they have other identifiers: originals that
/// came from elsewhere, and assets whose identifier was taken.
///
/// They are read when they are first asked for, and kept for a migration. Used by one thread at a
/// time.
final class JoinedAssets {
    /// The identifiers; nil before they were read.
    private var uuids: Set<String>?

    func insert(_ uuid: String) { uuids?.insert(uuid) }

    func contains(_ uuid: String, items: MigratedItems, sourceID: Int64) throws -> Bool {
        if let uuids { return uuids.contains(uuid) }
        let read = try Set(
            String.fetchAll(
                items.database,
                sql: """
                    SELECT objectUUID FROM migratedItem
                    WHERE kind = ? AND sourceId = ? AND objectKind = ? AND objectUUID <> item
                    """,
                arguments: [items.kind.rawValue, sourceID, ObjectKind.asset.rawValue]
            )
        )
        uuids = read
        return read.contains(uuid)
    }
}
