internal import GRDB
internal import PhotoModel

/// Rebuilds objects from journal entries and compares them with the objects' rows.
struct JournalReplay {
    private let database: Database
    private let kind: ObjectKind
    /// The objects after the replay, by row id.
    private(set) var objects: [Int64: JournaledObject] = [:]
    /// The differences found, each with the UUID of the object.
    private(set) var differences: [(message: String, uuid: String?)] = []

    init(database: Database, kind: ObjectKind) {
        self.database = database
        self.kind = kind
    }

    /// Replays the journal entries of objects in a range of row ids.
    mutating func run(after start: Int64, through end: Int64) throws {
        let cursor = try Row.fetchCursor(
            database,
            sql: """
                SELECT \(JournalEntry.columns) FROM journalEntry
                WHERE kind = ? AND objectId > ? AND objectId <= ? ORDER BY objectId, version, id
                """,
            arguments: [kind.rawValue, start, end]
        )
        while let row = try cursor.next() {
            let entry: JournalEntry
            do {
                entry = try JournalEntry(row: row, in: database)
            } catch let error as LibraryError {
                differences.append((error.message, error.identifiers.first))
                continue
            }
            let (object, follows) = JournaledObject.applying(entry, to: objects[entry.objectID])
            objects[entry.objectID] = object
            guard !follows else { continue }
            let what =
                "The journal's version \(entry.version) of \(entry.uuid) does not match"
                + " the state before it."
            differences.append((what, entry.uuid))
        }
    }

    /// Compares the replayed objects with the rows that a statement returns.
    ///
    /// The statement's columns are the id, the UUID and then all others.
    mutating func compare(sql: String, arguments: StatementArguments) throws {
        var remaining = objects
        let cursor = try Row.fetchCursor(database, sql: sql, arguments: arguments)
        while let row = try cursor.next() {
            let (id, uuid): (Int64, String) = (row[0], row[1])
            guard let object = remaining.removeValue(forKey: id) else {
                differences.append(("The journal has no entry for the \(kind) \(uuid).", uuid))
                continue
            }
            var names = zip(row.columnNames.dropFirst(), row.databaseValues.dropFirst())
                .filter { !JournalValue.Scalar($1).matches(object.values[$0] ?? .null) }
                .map(\.0).filter { !kind.unchecked.contains($0) }
            if kind == .album, try members(of: id) != object.members.positions {
                names.append("its members")
            }
            guard !names.isEmpty else { continue }
            let list = names.joined(separator: ", ")
            differences.append(
                ("The journal and the row of the \(kind) \(uuid) differ in \(list).", uuid)
            )
        }
        for id in remaining.keys.sorted() {
            let what = "The journal has a \(kind) with the row id \(id), which does not exist."
            differences.append((what, nil))
        }
    }

    private func members(of album: Int64) throws -> [Int64: Int64] {
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: "SELECT assetId, position FROM albumAsset WHERE albumId = ?"
            ),
            arguments: [album]
        )
        var positions: [Int64: Int64] = [:]
        while let row = try rows.next() { positions[row[0]] = row[1] }
        return positions
    }
}
