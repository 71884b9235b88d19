internal import GRDB
internal import PhotoModel
internal import Synchronization

/// A cache of the visible lone frames: assets that are the only remaining frame of a burst.
///
/// Facets count them as burst frames, so the count of the Bursts album subtracts them. The first
/// count reads the visible frames of all bursts. A later one looks up only the assets that changed
/// in between, in this or another process. Thread-safe.
final class LoneFrameCache: Sendable {
    fileprivate struct Known {
        var version: Int64
        var ids: Set<Int64>
    }

    /// The maximum number of changed assets to examine individually; beyond it, all frames are read
    /// again.
    fileprivate static let limit = 1_000

    private let known = Mutex<Known?>(nil)

    /// Returns the number of visible lone frames in the snapshot of a read transaction.
    func count(_ database: Database) throws -> Int {
        let version = try JournalWriter.currentVersion(database)
        let known = known.withLock(\.self)
        if let known, known.version == version { return known.ids.count }
        let ids =
            try known?.advanced(to: version, in: database)
            ?? Set(database.rowIDs(Self.allSQL, []))
        self.known.withLock { latest in
            // A pinned snapshot may be older than what is known.
            if (latest?.version ?? .min) < version { latest = Known(version: version, ids: ids) }
        }
        return ids.count
    }

    // MARK: - Statements

    private static let conditions =
        (AssetVisibility(.bursts).conditions + [
            "length(burstIdentifier) > 0", AssetRecord.loneFrameCondition,
        ]).joined(separator: " AND ")

    // Without the index's name, SQLite reads the rows of all visible assets.
    static let allSQL = "SELECT id FROM asset INDEXED BY asset_burst WHERE \(conditions)"

    static let someSQL = """
        SELECT asset.id FROM json_each(?) AS touched CROSS JOIN asset ON asset.id = touched.value
        WHERE \(conditions)
        """
}

extension LoneFrameCache.Known {
    /// Returns the lone frames of a later version; nil if they cannot be derived from the recorded
    /// changes.
    fileprivate func advanced(to later: Int64, in database: Database) throws -> Set<Int64>? {
        guard version < later else { return nil }
        let touched = TouchedObjects(database: database, since: version, through: later)
        guard try touched.isComplete(),
            let assets = try touched.assets(limit: LoneFrameCache.limit)
        else { return nil }
        let present = try database.rowIDs(
            LoneFrameCache.someSQL,
            [FetchPlan.list(assets).databaseValue]
        )
        return ids.subtracting(assets).union(present)
    }
}
