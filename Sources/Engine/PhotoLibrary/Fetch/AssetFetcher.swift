internal import GRDB
package import LibraryService
internal import PhotoModel

/// Fetches assets and loads their records.
///
/// A fetch steps a statement for row ids and creates no objects. The same request at the same
/// version is served from the cache. Thread-safe.
package struct AssetFetcher: Sendable {
    let view: LibraryView

    package init(_ view: LibraryView) {
        self.view = view
    }

    package init(store: LibraryStore) {
        self.init(LibraryView(store: store))
    }

    /// Fetches the row ids of the matching assets, in order, at the current library version.
    package func fetch(_ request: AssetFetchRequest) throws -> AssetFetchReply {
        try view.read(hasPredicate: request.predicate != nil) { reading in
            let query = AdvanceRequest.Query.assets(request)
            let plan = try query.plan(reading)
            let ids = try view.answer(to: query, plan, in: reading)
            return AssetFetchReply(snapshot: reading.snapshot(of: plan), ids: ids)
        }
    }

    /// Loads records in the order requested; ids without a row are omitted.
    package func load(_ request: AssetLoadRequest) throws -> AssetLoadReply {
        try view.read(pin: request.pin) { reading in
            var assets: [AssetRecord] = []
            assets.reserveCapacity(request.ids.count)
            for id in request.ids {
                let record = try reading.asset(id)
                if let record = try record ?? reading.formerAsset(id, since: request.since) {
                    assets.append(record)
                }
            }
            return AssetLoadReply(version: reading.version, assets: assets)
        }
    }

    /// Counts the requested assets by media type.
    package func count(_ request: AssetCountRequest) throws -> AssetCountReply {
        try view.read { reading in
            let types = try Self.mediaTypes(reading, for: request.ids)
            var counts: [MediaType: Int] = [:]
            for id in request.ids {
                let type = try types(id) ?? reading.formerAsset(id, since: request.since)?.mediaType
                guard let type else { continue }
                counts[type, default: 0] += 1
            }
            return AssetCountReply(counts: counts)
        }
    }

    /// Returns a function that looks up the media type of an id.
    ///
    /// For a few ids, it looks up each one. For many, one pass over an index reads the types in
    /// advance.
    private static func mediaTypes(
        _ reading: LibraryView.Reading,
        for ids: RowIDBuffer
    ) throws -> (Int64) throws -> MediaType? {
        let database = reading.database
        guard reading.access.assets == .all else {
            return { id in try reading.asset(id)?.mediaType }
        }
        let largest = try max(0, Int64.fetchOne(database, sql: "SELECT max(id) FROM asset") ?? 0)
        // A table of all rows pays off for many ids. The row ids of a damaged database may be huge.
        let includesHidden = reading.access.includesHidden
        guard ids.count > 4_096, largest < 64 * Int64(ids.count) else {
            let statement = try database.cachedStatement(
                sql: "SELECT mediaType FROM asset WHERE id = ?"
                    + (includesHidden ? "" : " AND isHidden = 0")
            )
            return { id in
                try Int.fetchOne(statement, arguments: [id]).flatMap(MediaType.init(rawValue:))
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
        if !includesHidden {
            for id in try database.rowIDs("SELECT id FROM asset WHERE isHidden = 1", [])
            where id >= 0 && id <= largest {
                types[Int(id)] = .max
            }
        }
        return { id in id < 0 || id >= types.count ? nil : MediaType(rawValue: Int(types[Int(id)]))
        }
    }
}
