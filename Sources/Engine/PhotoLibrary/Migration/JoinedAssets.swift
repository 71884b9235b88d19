internal import GRDB
internal import LibraryService
internal import PhotoModel
internal import Synchronization

/// The imported assets whose UUID differs from the identifier of the corresponding item at the
/// source.
///
/// These are assets whose original came from another source, and assets whose identifier was taken.
/// The identifiers are read on first use and kept for the migration. Used by one thread at a time.
final class JoinedAssets: Sendable {
    /// The UUIDs of the imported assets whose UUID differs from their identifier at the source; nil
    /// until they have been read.
    private let uuids = Mutex<Set<String>?>(nil)

    func insert(_ uuid: String) { _ = uuids.withLock { $0?.insert(uuid) } }

    func contains(_ uuid: String, items: MigratedItems, sourceID: Int64) throws -> Bool {
        if let uuids = uuids.withLock(\.self) { return uuids.contains(uuid) }
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
        uuids.withLock { $0 = read }
        return read.contains(uuid)
    }
}
