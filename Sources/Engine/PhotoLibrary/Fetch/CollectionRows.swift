internal import Foundation
internal import GRDB
internal import PhotoModel

/// SQL sources for records that the table `collection` does not store (smart albums and a client's
/// transient collections), in the form of rows of that table.
///
/// Predicates and sort keys therefore apply to these records as to all others. A record's index in
/// the list is its `position`.
struct CollectionRows {
    /// The arguments of `alone` and `withCollections`.
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

    /// A SQL source, named `collection`, that consists of these records only.
    var alone: String { "(\(rows)) AS collection" }

    /// A SQL source, named `collection`, that consists of these records and the table's rows.
    ///
    /// It is the table itself if there are no records.
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
