internal import GRDB
internal import PhotoModel

/// Rebuilds objects from their journal entries, and compares them with their rows.
struct JournalReplay {
    typealias Values = [String: JournalValue.Scalar]

    private let database: Database
    private let kind: ObjectKind
    /// Objects by row id, as the journal leaves them.
    private(set) var objects: [Int64: Values] = [:]
    /// What does not agree, with the object's UUID.
    private(set) var differences: [(message: String, uuid: String?)] = []

    init(database: Database, kind: ObjectKind) {
        self.database = database
        self.kind = kind
    }

    /// Replays the entries of the objects between two row ids.
    mutating func run(after start: Int64, through end: Int64) throws {
        let cursor = try Row.fetchCursor(
            database,
            sql: """
                SELECT objectId, uuid, change, oldValues, newValues, version FROM journalEntry
                WHERE kind = ? AND objectId > ? AND objectId <= ? ORDER BY objectId, version, id
                """,
            arguments: [kind.rawValue, start, end]
        )
        while let row = try cursor.next() {
            let uuid: String = row[1]
            guard let old = Self.values(row[3]), let new = Self.values(row[4]),
                let change = JournalChange(rawValue: row[2])
            else {
                let version: Int64 = row[5]
                differences.append(
                    ("The journal's version \(version) cannot be read for \(uuid).", uuid)
                )
                continue
            }
            apply(change, id: row[0], uuid: uuid, old: old, new: new)
        }
    }

    private mutating func apply(
        _ change: JournalChange,
        id: Int64,
        uuid: String,
        old: Values,
        new: Values
    ) {
        switch change {
        case .insert: objects[id] = new
        case .delete: objects[id] = nil
        case .update:
            let before = objects[id]
            guard let before, old.allSatisfy({ $1.matches(before[$0] ?? .null) }) else {
                let what =
                    "An update of \(uuid) in the journal does not follow from what was before."
                differences.append((what, uuid))
                return
            }
            objects[id] = before.merging(new) { $1 }
        }
    }

    /// Compares what was replayed with rows: their id first, then their columns, the UUID ahead.
    mutating func compare(sql: String, arguments: StatementArguments) throws {
        var remaining = objects
        let cursor = try Row.fetchCursor(database, sql: sql, arguments: arguments)
        while let row = try cursor.next() {
            let uuid: String = row[1]
            guard let values = remaining.removeValue(forKey: row[0]) else {
                differences.append(("The journal does not know the \(kind) \(uuid).", uuid))
                continue
            }
            let names = zip(row.columnNames.dropFirst(), row.databaseValues.dropFirst())
                .filter { !JournalValue.Scalar($1).matches(values[$0] ?? .null) }
                .map(\.0)
            guard !names.isEmpty else { continue }
            let list = names.joined(separator: ", ")
            differences.append(
                ("The journal and the row of the \(kind) \(uuid) differ in \(list).", uuid)
            )
        }
        for id in remaining.keys.sorted() {
            let what = "The journal has a \(kind) with the row id \(id), which is not there."
            differences.append((what, nil))
        }
    }

    private static func values(_ text: String?) -> Values? {
        guard let text else { return [:] }
        return try? JournalValue.decode(text)
    }
}
