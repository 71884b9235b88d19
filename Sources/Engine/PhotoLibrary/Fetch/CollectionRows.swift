internal import Foundation
internal import GRDB
internal import PhotoModel

/// Records as rows of `collection`, which they are not: smart albums, and what lives in a client's
/// memory only.
///
/// So predicates and sort keys of collections are answered for them as for all others. Where a record
/// stands in the list is its `position`.
struct CollectionRows {
    /// What is bound in `alone` and `withCollections`.
    let arguments: [DatabaseValue]
    private let values: String

    init(_ records: [CollectionRecord]) {
        values = records.map { _ in "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)" }.joined(separator: ", ")
        arguments = records.enumerated().flatMap { position, record -> [DatabaseValue] in
            [
                record.id.databaseValue, record.uuid.databaseValue,
                record.kind.rawValue.databaseValue, record.title.databaseValue,
                position.databaseValue, Self.seconds(record.creationDate),
                Self.seconds(record.modificationDate), record.assetCount.databaseValue,
                Self.seconds(record.startDate), Self.seconds(record.endDate),
            ]
        }
    }

    /// A source that is called `collection` and has these rows alone.
    var alone: String { "(\(rows)) AS collection" }

    /// A source that is called `collection` and has the table's rows, too; the table itself when there
    /// are no others.
    var withCollections: String {
        guard !arguments.isEmpty else { return "collection" }
        return "(SELECT \(Self.columns) FROM collection UNION ALL \(rows)) AS collection"
    }

    private static let columns = """
        id, uuid, kind, title, parentId, position, creationDate, modificationDate, assetCount,
        startDate, endDate
        """

    private var rows: String {
        guard !arguments.isEmpty else { return "SELECT \(Self.columns) FROM collection WHERE 0" }
        return """
            SELECT column1 AS id, column2 AS uuid, column3 AS kind, column4 AS title,
                NULL AS parentId, column5 AS position, column6 AS creationDate,
                column7 AS modificationDate, column8 AS assetCount, column9 AS startDate,
                column10 AS endDate
            FROM (VALUES \(values))
            """
    }

    private static func seconds(_ date: Date?) -> DatabaseValue {
        date?.timeIntervalSinceReferenceDate.databaseValue ?? .null
    }
}
