internal import Foundation
internal import GRDB

/// The order keys of an album's members or a folder's contents.
struct OrderKeys {
    private let rows: SparsePositions
    private let uuidSQL: String

    init(membersOf album: Int64, in database: Database) {
        rows = SparsePositions(membersOf: album, in: database)
        uuidSQL = "(SELECT uuid FROM asset WHERE id = assetId)"
    }

    /// Creates the order keys of a folder's contents; 0 is the root folder.
    init(childrenOf folder: Int64, in database: Database) {
        rows = SparsePositions(childrenOf: folder, in: database)
        uuidSQL = "uuid"
    }

    private var database: Database { rows.database }
    private var table: String { rows.table }
    private var id: String { rows.id }
    private var scope: String { rows.scope }
    private var owner: DatabaseValue { rows.owner }

    private struct Place {
        var position: Int64
        var id: Int64
        var key: OrderKey.Key?
    }

    /// Assigns new keys to the rows that were inserted or moved, so that the order of the keys
    /// matches the current positions.
    ///
    /// - Returns: The ids of all rows with new keys: if there is no room, all.
    func assign(_ changed: [Int64]) throws -> [Int64] {
        for row in changed { try set(nil, of: row) }
        var places = try changed.compactMap { try place(of: $0) }
            .sorted { ($0.position, $0.id) < ($1.position, $1.id) }[...]
        var generator = SystemRandomNumberGenerator()
        while let first = places.first {
            let next = try neighbor(of: first, forward: true)
            // Rows without a key between them get theirs together.
            let run = places.prefix { place in
                next.map { (place.position, place.id) < ($0.position, $0.id) } ?? true
            }
            places = places.dropFirst(run.count)
            let keys = OrderKey.keys(
                after: try neighbor(of: first, forward: false)?.key,
                before: next?.key,
                count: run.count,
                using: &generator
            )
            guard let keys else { return try assignAll() }
            for (place, key) in zip(run, keys) { try set(key, of: place.id) }
        }
        return changed
    }

    /// Assigns a new key to a row that is about to leave the list, so that the row can return to
    /// its place.
    ///
    /// The other rows keep their keys. If there is no room between its neighbors, the row gets the
    /// key of one of them.
    func assign(leaving row: Int64) throws {
        try set(nil, of: row)
        guard let leaving = try place(of: row) else { return }
        let lower = try neighbor(of: leaving, forward: false)?.key
        let upper = try neighbor(of: leaving, forward: true)?.key
        var generator = SystemRandomNumberGenerator()
        let keys = OrderKey.keys(after: lower, before: upper, count: 1, using: &generator)
        try set(keys?.first ?? lower ?? upper, of: row)
    }

    /// Assigns new keys to all rows, in the order of their positions.
    @discardableResult
    func assignAll() throws -> [Int64] {
        let ids = try rows.ids()
        var generator = SystemRandomNumberGenerator()
        let keys = OrderKey.keys(after: nil, before: nil, count: ids.count, using: &generator)
        for (id, key) in zip(ids, keys ?? []) { try set(key, of: id) }
        return ids
    }

    /// Returns the row after which a row with a given key must be placed; nil to place it first.
    func anchor(of key: OrderKey.Key, uuid: String, except row: Int64?) throws -> Int64? {
        let key = Data(key)
        let equal = try Int64.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT \(id) FROM \(table)
                    WHERE \(scope) AND orderKey = ?2 AND \(uuidSQL) < ?3 AND \(id) IS NOT ?4
                    ORDER BY \(uuidSQL) DESC LIMIT 1
                    """
            ),
            arguments: [owner, key, uuid, row]
        )
        if let equal { return equal }
        return try Int64.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT \(id) FROM \(table)
                    WHERE \(scope) AND \(id) IS NOT ?3 AND orderKey = (
                        SELECT max(orderKey) FROM \(table)
                        WHERE \(scope) AND orderKey < ?2 AND \(id) IS NOT ?3)
                    ORDER BY \(uuidSQL) DESC LIMIT 1
                    """
            ),
            arguments: [owner, key, row]
        )
    }

    func set(_ key: OrderKey.Key?, of row: Int64) throws {
        try database.cachedStatement(
            sql: "UPDATE \(table) SET orderKey = ?2 WHERE \(scope) AND \(id) = ?3"
        ).execute(arguments: [owner, key.map { Data($0) }, row])
    }

    private func place(of row: Int64) throws -> Place? {
        try rows.position(of: row).map { Place(position: $0, id: row) }
    }

    /// Returns the nearest row with a key before or after a position.
    private func neighbor(of place: Place, forward: Bool) throws -> Place? {
        let (sign, order) = forward ? (">", "ASC") : ("<", "DESC")
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT position, \(id), orderKey FROM \(table)
                    WHERE \(scope) AND (position, \(id)) \(sign) (?2, ?3) AND orderKey IS NOT NULL
                    ORDER BY position \(order), \(id) \(order) LIMIT 1
                    """
            ),
            arguments: [owner, place.position, place.id]
        )
        guard let row else { return nil }
        let key: Data = row[2]
        return Place(position: row[0], id: row[1], key: Array(key))
    }
}
