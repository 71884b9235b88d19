internal import GRDB
internal import GRDBSQLite
package import LibraryService
internal import PhotoModel
internal import Synchronization

/// Answers fetches, and loads what they found.
///
/// A fetch steps a statement for row ids and builds no objects; the same request at the same version
/// is answered from memory. Thread-safe.
package final class AssetFetcher: Sendable {
    private let store: LibraryStore
    private let cache = FetchCache(limitInBytes: 64 << 20)

    package init(store: LibraryStore) {
        self.store = store
    }

    /// Row ids in order, at the present version.
    package func fetch(_ request: AssetFetchRequest) throws -> AssetFetchReply {
        let plan = try FetchPlan(request)
        return try store.read { database in
            let version = try JournalWriter.currentVersion(database)
            if let ids = cache.ids(for: request, version: version) {
                return AssetFetchReply(snapshot: LibrarySnapshot(version: version), ids: ids)
            }
            let statement = try database.cachedStatement(sql: plan.sql)
            try statement.setArguments(plan.arguments)
            let ids = RowIDBuffer(try Self.step(statement))
            cache.store(ids, for: request, version: version)
            return AssetFetchReply(snapshot: LibrarySnapshot(version: version), ids: ids)
        }
    }

    /// Records in the order asked for; ids without a row are left out.
    package func load(_ request: AssetLoadRequest) throws -> AssetLoadReply {
        try store.read { database in
            let statement = try database.cachedStatement(
                sql: AssetRecord.map.selectSQL + " WHERE id = ?"
            )
            var assets: [AssetRecord] = []
            assets.reserveCapacity(request.ids.count)
            for id in request.ids {
                guard let row = try Row.fetchOne(statement, arguments: [id]) else { continue }
                assets.append(try AssetRecord(row: row))
            }
            return AssetLoadReply(
                version: try JournalWriter.currentVersion(database),
                assets: assets
            )
        }
    }

    /// How many of the assets have each media type.
    package func count(_ request: AssetCountRequest) throws -> AssetCountReply {
        try store.read { database in
            let types = try Self.mediaTypes(database, for: request.ids)
            var counts: [MediaType: Int] = [:]
            for id in request.ids {
                guard let type = types(id) else { continue }
                counts[type, default: 0] += 1
            }
            return AssetCountReply(counts: counts)
        }
    }

    /// A look-up of media types: one by one for a few ids, from one pass over an index for many.
    private static func mediaTypes(
        _ database: Database,
        for ids: RowIDBuffer
    ) throws -> (Int64) -> MediaType? {
        let largest = try Int64.fetchOne(database, sql: "SELECT max(id) FROM asset") ?? 0
        // A table of all rows pays when many are asked for; row ids of a damaged database may be huge.
        guard ids.count > 4_096, largest < 64 * Int64(ids.count) else {
            let statement = try database.cachedStatement(
                sql: "SELECT mediaType FROM asset WHERE id = ?"
            )
            return { id in
                let raw = try? Int.fetchOne(statement, arguments: [id])
                return raw.flatMap(MediaType.init(rawValue:))
            }
        }
        var types = [UInt8](repeating: .max, count: Int(largest) + 1)
        let statement = try database.cachedStatement(sql: "SELECT id, mediaType FROM asset")
        let cursor = try Row.fetchCursor(statement)
        while let row = try cursor.next() {
            let id: Int64 = row[0]
            if id >= 0, id <= largest {
                types[Int(id)] = UInt8(truncatingIfNeeded: row[1] as Int64)
            }
        }
        return { id in id < 0 || id >= types.count ? nil : MediaType(rawValue: Int(types[Int(id)]))
        }
    }

    /// Steps a statement of one integer column.
    ///
    /// A GRDB cursor costs twice as much per row.
    private static func step(_ statement: Statement) throws -> ContiguousArray<Int64> {
        var ids: ContiguousArray<Int64> = []
        let pointer = statement.sqliteStatement
        defer { sqlite3_reset(pointer) }
        var code = sqlite3_step(pointer)
        while code == SQLITE_ROW {
            ids.append(sqlite3_column_int64(pointer, 0))
            code = sqlite3_step(pointer)
        }
        guard code == SQLITE_DONE else {
            throw DatabaseError(
                resultCode: ResultCode(rawValue: code),
                message: sqlite3_db_handle(pointer).map { String(cString: sqlite3_errmsg($0)) },
                sql: statement.sql
            )
        }
        return ids
    }
}
