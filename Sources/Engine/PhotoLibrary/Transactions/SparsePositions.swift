internal import GRDB

/// Rows in an order of their own: integer positions with room between neighbours.
///
/// So that an insertion touches nothing but what it inserts. Rows of equal position are in the order
/// of their ids; nothing new can come between them before the list is renumbered.
struct SparsePositions {
    /// What two neighbours are apart when nothing was put between them yet.
    static let gap: Int64 = 1 << 32

    /// How objects come to stand where they are asked to.
    enum Placement {
        /// They stand there, in this order.
        case unchanged
        /// A position for each.
        case positions([Int64])
        /// The list has to be renumbered first.
        case crowded
    }

    private struct Place {
        var position: Int64
        var id: Int64
    }

    private let database: Database
    private let table: String
    private let id: String
    private let scope: String
    private let owner: DatabaseValue

    /// The members of an album.
    init(membersOf album: Int64, in database: Database) {
        self.database = database
        table = "albumAsset"
        id = "assetId"
        scope = "albumId = ?"
        owner = album.databaseValue
    }

    /// What is directly in a folder; 0 for the root folder.
    init(childrenOf folder: Int64, in database: Database) {
        self.database = database
        table = "collection"
        id = "id"
        // Unlike =, IS finds the children of the root folder: their parent is NULL.
        scope = "parentId IS ?"
        owner = folder == 0 ? .null : folder.databaseValue
    }

    /// All ids in order.
    func ids() throws -> [Int64] {
        try Int64.fetchAll(
            database.cachedStatement(
                sql: "SELECT \(id) FROM \(table) WHERE \(scope) ORDER BY position, \(id)"
            ),
            arguments: [owner]
        )
    }

    /// Where an object stands; nil when it is not in the list.
    func position(of member: Int64) throws -> Int64? {
        try Int64.fetchOne(
            database.cachedStatement(
                sql: "SELECT position FROM \(table) WHERE \(scope) AND \(id) = ?"
            ),
            arguments: [owner, member]
        )
    }

    /// Positions behind all that are there; nil when there is no room.
    func positionsAtEnd(count: Int) throws -> [Int64]? {
        let last = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT max(position) FROM \(table) WHERE \(scope)"),
            arguments: [owner]
        )
        return Self.positions(after: last, before: nil, count: count)
    }

    /// Where objects have to stand to come, in this order, directly behind another.
    ///
    /// Each of them once; nil: in front of all. An anchor that is among them stands for what is before
    /// it.
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

    /// The nearest row behind or before a place that a closure accepts, which sees all on the way.
    ///
    /// Forward from nil is from the front.
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

    /// Ascending positions between two others; nil when there is not room for so many.
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
