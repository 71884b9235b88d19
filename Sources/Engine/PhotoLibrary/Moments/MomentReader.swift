internal import Foundation
internal import GRDB
internal import LibraryService
internal import PhotoModel

/// Reads moments and moment lists.
struct MomentReader {
    let database: Database

    /// Returns the record of a moment or moment list by its id in the table `moment`; nil if there
    /// is none.
    func record(_ id: Int64) throws -> CollectionRecord? {
        let statement = try database.cachedStatement(
            sql: """
                SELECT id, uuid, level, title, assetCount, startDate, endDate, placeCount, x, y, z,
                    locationNames
                FROM (\(MomentRows.all) WHERE g.id = ?)
                """
        )
        guard let row = try Row.fetchOne(statement, arguments: [id]),
            let level = MomentLevel(rawValue: row[2])
        else { return nil }
        let startDate: Double = row[5]
        let endDate: Double = row[6]
        var record = CollectionRecord(
            id: row[0],
            uuid: row[1],
            kind: level.kind,
            title: row[3],
            parentID: CollectionRecord.root.id,
            position: 0,
            creationDate: .init(timeIntervalSinceReferenceDate: startDate)
        )
        record.assetCount = row[4]
        record.startDate = .init(timeIntervalSinceReferenceDate: startDate)
        record.endDate = .init(timeIntervalSinceReferenceDate: endDate)
        record.momentLevel = level
        record.place = MomentTotals.place(count: row[7], x: row[8], y: row[9], z: row[10])
        record.locationNames = JournalValue.decode(strings: row[11])
        return record
    }

    /// Returns the timeline range of the moment or moment list with a given UUID.
    func range(of uuid: String) throws -> MomentRange? {
        let statement = try database.cachedStatement(
            sql: "SELECT \(MomentRow.columns) FROM moment WHERE uuid = ?"
        )
        guard let row = try Row.fetchOne(statement, arguments: [uuid]).map({ MomentRow($0) })
        else { return nil }
        return MomentRange(
            start: row.start,
            end: try Timeline(database: database).start(of: row.level, after: row.start)
        )
    }

    /// Resolves the scope of a moment request to the matching moments or moment lists.
    func answer(_ scope: CollectionFetchRequest.MomentScope) throws -> MomentAnswer {
        let timeline = Timeline(database: database)
        let key: TimelineKey?
        switch scope.relation {
        case .all: return .all
        case .inList(let uuid): return try range(of: uuid).map(MomentAnswer.range) ?? .groups([])
        case .holding(let uuid): key = try range(of: uuid)?.start
        case .ofAsset(let uuid): key = try timeline.key(ofAsset: uuid)
        }
        guard let key else { return .groups([]) }
        return .groups(
            try scope.levels.sorted { $0.rawValue < $1.rawValue }.compactMap { level in
                let start = try timeline.start(of: level, holding: key)
                return try start.flatMap { try timeline.group(level, at: $0) }
            }
        )
    }
}
