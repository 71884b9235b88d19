internal import Foundation
internal import GRDB
internal import PhotoModel

/// Creates the records of smart albums with counts and dates.
///
/// Costs a few index lookups for each album, regardless of the number of assets: counts are sums
/// over `assetFacet` and `addedDay`, which are updated with every change of an asset.
struct SmartAlbumReader {
    let database: Database
    /// The first day of Recently Added; see `SmartAlbum.firstRecentDay(at:)`.
    let firstRecentDay: Int64
    /// The cache of lone burst frames, which do not count in the Bursts album.
    var loneFrames = LoneFrameCache()

    /// Returns the records of smart albums, in the given order.
    ///
    /// The record of an album for which `isEmpty` returns true has no assets.
    func records(
        of albums: [SmartAlbum],
        isEmpty: (SmartAlbum) -> Bool = { _ in false }
    ) throws -> [CollectionRecord] {
        let facets = try AssetFacet.counts(database)
        return try albums.map { album in
            var record = Self.emptyRecord(of: album)
            if isEmpty(album) { return record }
            if album == .recentlyAdded {
                try setRecent(&record)
            } else {
                record.assetCount = facets.reduce(0) { sum, entry in
                    album.shows(entry.facet) ? sum + entry.count : sum
                }
                if album == .bursts, record.assetCount > 0 {
                    record.assetCount -= try loneFrames.count(database)
                }
                guard record.assetCount > 0 else { return record }
                record.startDate = try date(of: album, last: false)
                record.endDate = try date(of: album, last: true)
            }
            return record
        }
    }

    /// Returns the record of an album, computed only from the assets that a fetch plan selects.
    ///
    /// It serves clients that may see only some assets. The cost is proportional to the assets that
    /// the client sees.
    func record(of album: SmartAlbum, among plan: FetchPlan) throws -> CollectionRecord {
        var record = Self.emptyRecord(of: album)
        let sql = """
            SELECT count(*), min(creationDate), max(creationDate) FROM asset
            WHERE id IN (\(plan.sql))
            """
        let row = try Row.fetchOne(database, sql: sql, arguments: plan.allArguments)
        guard let row else { return record }
        record.assetCount = row[0]
        record.startDate = Self.date(row[1])
        record.endDate = Self.date(row[2])
        return record
    }

    /// Returns the record of an empty smart album, with a count of zero and without a date range.
    static func emptyRecord(of album: SmartAlbum) -> CollectionRecord {
        CollectionRecord(
            id: album.rowID,
            uuid: album.uuid,
            kind: .album,
            title: album.title,
            parentID: CollectionRecord.root.id,
            position: 0,
            creationDate: Date(timeIntervalSinceReferenceDate: 0)
        )
    }

    /// Returns the smart albums whose visible contents changed after a version.
    func changed(since version: Int64) throws -> [SmartAlbum] {
        let statement = try database.cachedStatement(
            sql: "SELECT subtype FROM smartAlbum WHERE version > ? ORDER BY subtype"
        )
        return try Int.fetchAll(statement, arguments: [version]).compactMap(
            SmartAlbum.init(rawValue:)
        )
    }

    private func date(of album: SmartAlbum, last: Bool) throws -> Date? {
        let condition = album.condition(firstRecentDay: firstRecentDay)
        let conditions = AssetVisibility(album).conditions + (condition.map { [$0] } ?? [])
        return try Self.date(
            Double.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT creationDate FROM asset
                        WHERE \(conditions.joined(separator: " AND "))
                            AND creationDate IS NOT NULL
                        ORDER BY creationDate \(last ? "DESC" : "ASC") LIMIT 1
                        """
                )
            )
        )
    }

    /// Sets the count and dates of the Recently Added album.
    ///
    /// Each day is queried separately, since there is no index of recently added assets by creation
    /// date.
    private func setRecent(_ record: inout CollectionRecord) throws {
        let statement = try database.cachedStatement(
            sql: """
                SELECT total(count), min(earliest), max(latest)
                FROM (SELECT count,
                        (SELECT creationDate FROM asset
                            WHERE isVisible = 1 AND CAST(addedDate / 86400 AS INTEGER) = day
                                AND creationDate IS NOT NULL
                            ORDER BY creationDate LIMIT 1) AS earliest,
                        (SELECT creationDate FROM asset
                            WHERE isVisible = 1 AND CAST(addedDate / 86400 AS INTEGER) = day
                                AND creationDate IS NOT NULL
                            ORDER BY creationDate DESC LIMIT 1) AS latest
                    FROM addedDay WHERE day >= ? AND count > 0)
                """
        )
        guard let row = try Row.fetchOne(statement, arguments: [firstRecentDay]) else { return }
        record.assetCount = Int(row[0] as Double)
        record.startDate = Self.date(row[1])
        record.endDate = Self.date(row[2])
    }

    private static func date(_ seconds: Double?) -> Date? {
        seconds.map(Date.init(timeIntervalSinceReferenceDate:))
    }
}
