internal import GRDB

/// A list of rows in a custom order, whose integer positions leave gaps for insertions.
///
/// So an insertion does not change the positions of other rows. Rows with equal positions are
/// ordered by id; no row can be inserted between them before the list is renumbered.
struct SparsePositions {
    /// The initial difference between the positions of two neighbors.
    static let gap: Int64 = 1 << 32

    /// The result of computing positions for objects that are to be placed.
    enum Placement {
        /// The objects already have the requested order and place.
        case unchanged
        /// The new positions of the objects.
        case positions([Int64])
        /// The gap is too small for the objects, so the list must be renumbered first.
        case crowded
    }

    private struct Place {
        var position: Int64
        var id: Int64
    }

    let database: Database
    let table: String
    /// The name of the column with the objects' ids.
    let id: String
    /// The SQL condition that selects the rows of the list.
    ///
    /// Its only parameter is the id of the album or folder, and it must be the first parameter of a
    /// statement.
    let scope: String
    let owner: DatabaseValue

    /// Creates the list of an album's members.
    init(membersOf album: Int64, in database: Database) {
        self.database = database
        table = "albumAsset"
        id = "assetId"
        scope = "albumId = ?1"
        owner = album.databaseValue
    }

    /// Creates the list of a folder's direct children; 0 is the root folder.
    init(childrenOf folder: Int64, in database: Database) {
        self.database = database
        table = "collection"
        id = "id"
        // Unlike =, IS matches the children of the root folder, whose parent is NULL.
        scope = "parentId IS ?1"
        owner = folder == 0 ? .null : folder.databaseValue
    }

    /// Returns the ids of the list's objects in order.
    func ids() throws -> [Int64] {
        try Int64.fetchAll(
            database.cachedStatement(
                sql: "SELECT \(id) FROM \(table) WHERE \(scope) ORDER BY position, \(id)"
            ),
            arguments: [owner]
        )
    }

    /// Returns the position of an object; nil if it is not in the list.
    func position(of member: Int64) throws -> Int64? {
        try Int64.fetchOne(
            database.cachedStatement(
                sql: "SELECT position FROM \(table) WHERE \(scope) AND \(id) = ?"
            ),
            arguments: [owner, member]
        )
    }

    /// Returns ascending positions after all existing ones; nil if the range of integers is
    /// exhausted.
    func positionsAtEnd(count: Int) throws -> [Int64]? {
        let last = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT max(position) FROM \(table) WHERE \(scope)"),
            arguments: [owner]
        )
        return Self.positions(after: last, before: nil, count: count)
    }

    /// Returns how to place objects in the given order directly after `anchor`.
    ///
    /// If `anchor` is nil, they are placed first. No object may occur twice. If `anchor` is among
    /// the objects, the nearest preceding row that is not is used instead.
    func placement(of members: [Int64], after anchor: Int64?) throws -> Placement {
        let moving = Set(members)
        var lower: Place?
        if let anchor, let position = try position(of: anchor) {
            lower = Place(position: position, id: anchor)
            if moving.contains(anchor) {
                lower = try neighbour(of: lower, forward: false) { !moving.contains($0) }
            }
        }
        var following: [Int64] = []
        let upper = try neighbour(of: lower, forward: true) { member in
            if following.count < members.count { following.append(member) }
            return !moving.contains(member)
        }
        if following == members { return .unchanged }
        let positions = Self.positions(
            after: lower?.position,
            before: upper?.position,
            count: members.count
        )
        return positions.map(Placement.positions) ?? .crowded
    }

    /// Returns the nearest row, before or after a place, that satisfies `accepts`; nil if there is
    /// none.
    ///
    /// The closure is called for each row on the way. A forward search from nil starts with the
    /// first row.
    private func neighbour(
        of place: Place?,
        forward: Bool,
        where accepts: (Int64) -> Bool
    ) throws -> Place? {
        let sign = forward ? ">" : "<"
        let order = forward ? "ASC" : "DESC"
        let limit = place == nil ? "" : "AND (position, \(id)) \(sign) (?, ?)"
        var arguments: StatementArguments = [owner]
        if let place { arguments += [place.position, place.id] }
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT position, \(id) FROM \(table) WHERE \(scope) \(limit)
                ORDER BY position \(order), \(id) \(order)
                """,
            arguments: arguments
        )
        while let row = try rows.next() {
            let found = Place(position: row[0], id: row[1])
            if accepts(found.id) { return found }
        }
        return nil
    }

    /// Returns ascending positions between two positions; nil if the gap is too small.
    static func positions(after lower: Int64?, before upper: Int64?, count: Int) -> [Int64]? {
        guard count > 0 else { return [] }
        let slots = Int64(count) + 1
        var step = gap
        let start: Int64
        if let lower, let upper {
            let (room, overflow) = upper.subtractingReportingOverflow(lower)
            if !overflow { step = min(gap, room / slots) }
            start = lower
        } else if let upper {
            let (room, overflow) = gap.multipliedReportingOverflow(by: slots)
            let (front, underflow) = upper.subtractingReportingOverflow(room)
            guard !overflow, !underflow else { return nil }
            start = front
        } else {
            start = lower ?? 0
        }
        let (room, overflow) = step.multipliedReportingOverflow(by: slots)
        guard step > 0, !overflow, !start.addingReportingOverflow(room).overflow else { return nil }
        return (1..<slots).map { start + step * $0 }
    }
}
