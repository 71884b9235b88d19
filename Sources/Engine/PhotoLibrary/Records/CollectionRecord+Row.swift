internal import Foundation
internal import GRDB
internal import PhotoModel

extension CollectionRecord {
    /// The columns of `collection`, in the order in which `init(row:)` reads them.
    static var map: ColumnMap<CollectionRecord> { CollectionColumns.map }

    /// Parses a row of `CollectionRecord.map.selectSQL`.
    init(row: Row) throws {
        var cells = RowReader(row: row, table: "collection")
        let id: Int64 = try cells.next()
        let uuid: String = try cells.next()
        let kind: ObjectKind = try cells.next(ObjectKind.init(rawValue:))
        let title: String = try cells.next()
        let parentID: Int64? = cells.nextOptional()
        let position: Int64 = try cells.next()
        let creationDate = cells.nextDate() ?? Date(timeIntervalSinceReferenceDate: 0)
        self.init(
            id: id,
            uuid: uuid,
            kind: kind,
            title: title,
            parentID: parentID ?? CollectionRecord.root.id,
            position: position,
            creationDate: creationDate
        )
        modificationDate = cells.nextDate() ?? creationDate
        assetCount = try cells.next()
        startDate = cells.nextDate()
        endDate = cells.nextDate()
    }

    /// The query for the count and dates of an album's visible members.
    ///
    /// In this order: SQLite otherwise reads all visible assets, in an index that has the dates.
    static let totalsSQL = """
        SELECT count(*), min(creationDate), max(creationDate)
        FROM albumAsset CROSS JOIN asset ON asset.id = assetId
        WHERE albumId = ? AND isVisible = 1
        """

    /// Recomputes the count and dates of an album's visible members.
    ///
    /// The cost is proportional to the number of members.
    mutating func setTotals(from database: Database) throws {
        let statement = try database.cachedStatement(sql: Self.totalsSQL)
        guard let row = try Row.fetchOne(statement, arguments: [id]) else { return }
        let (start, end): (Double?, Double?) = (row[1], row[2])
        assetCount = row[0]
        startDate = start.map(Date.init(timeIntervalSinceReferenceDate:))
        endDate = end.map(Date.init(timeIntervalSinceReferenceDate:))
    }
}

private enum CollectionColumns {
    // Immutable after its first use; the closures only read their argument.
    nonisolated(unsafe) static let map = ColumnMap<CollectionRecord>(
        table: "collection",
        columns: [
            .init("uuid") { $0.uuid },
            .init("kind") { $0.kind.rawValue },
            .init("title") { $0.title },
            // The root folder has no row that could be referenced.
            .init("parentId") { $0.parentID == CollectionRecord.root.id ? nil : $0.parentID },
            .init("position") { $0.position },
            .init("creationDate") { $0.creationDate.timeIntervalSinceReferenceDate },
            .init("modificationDate") { $0.modificationDate.timeIntervalSinceReferenceDate },
            .init("assetCount", original: 0.databaseValue, isDerived: true) { $0.assetCount },
            .init("startDate", isDerived: true) {
                $0.startDate?.timeIntervalSinceReferenceDate
            },
            .init("endDate", isDerived: true) { $0.endDate?.timeIntervalSinceReferenceDate },
        ]
    )
}
