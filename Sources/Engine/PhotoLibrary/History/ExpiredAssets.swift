internal import Foundation
internal import GRDB
internal import PhotoModel

/// Finds the assets that were moved to Recently Deleted up to a cutoff, the earliest first.
///
/// Imported assets keep the deletion dates of their source, but stay as long after their import as
/// others after their deletion. The import may have been on another computer of the cloud library
/// (``CloudTrash``).
struct ExpiredAssets {
    /// A position in Recently Deleted, whose assets are in the order of their deletion dates.
    struct Position: Sendable {
        var date: Double
        var id: Int64
    }

    private static let condition = """
        trashedDate IS NOT NULL AND trashedDate <= ?1
            AND uuid NOT IN (
                SELECT objectUUID FROM migratedItem
                WHERE objectKind = \(ObjectKind.asset.rawValue) AND importedDate > ?1)
        """

    private let database: Database
    private let cutoff: Date
    private let cloud: CloudTrash?

    init(_ database: Database, before cutoff: Date, now: Date) throws {
        self.database = database
        self.cutoff = cutoff
        cloud = try CloudTrash(database, now: now)
    }

    /// Returns some expired assets.
    ///
    /// - Parameters:
    ///   - position: The position after which the search begins; nil for the first one. Assets that
    ///     are kept despite their dates are passed by, however many they are.
    ///   - limit: The number of assets after which the search ends.
    /// - Returns: The row ids, and the position of the last one.
    /// - Throws: The errors of the database.
    func next(after position: Position?, limit: Int) throws -> (ids: [Int64], end: Position?) {
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT id, uuid, trashedDate FROM asset WHERE \(Self.condition)
                        AND trashedDate >= ?2 AND (trashedDate > ?2 OR id > ?3)
                    ORDER BY trashedDate, id
                    """
            ),
            arguments: [
                cutoff.timeIntervalSinceReferenceDate,
                position?.date ?? -Double.greatestFiniteMagnitude, position?.id ?? 0,
            ]
        )
        var ids: [Int64] = []
        var end: Position?
        while ids.count < limit, let row = try rows.next() {
            let (id, uuid): (Int64, String) = (row[0], row[1])
            guard try !isRecent(id, uuid) else { continue }
            ids.append(id)
            end = Position(date: row[2], id: id)
        }
        return (ids, end)
    }

    /// Returns those of some assets that are still expired.
    func filter(_ ids: [Int64]) throws -> [Int64] {
        let statement = try database.cachedStatement(
            sql: "SELECT uuid FROM asset WHERE \(Self.condition) AND id = ?2"
        )
        return try ids.filter { id in
            let uuid = try String.fetchOne(
                statement,
                arguments: [cutoff.timeIntervalSinceReferenceDate, id]
            )
            return try uuid.map { try !isRecent(id, $0) } ?? false
        }
    }

    private func isRecent(_ id: Int64, _ uuid: String) throws -> Bool {
        try cloud?.isRecent(id, uuid, after: cutoff) ?? false
    }
}
