internal import GRDB
internal import PhotoModel

/// New rows of one table and their journal entries, many of which are written with one statement.
struct InsertedRows<Record> {
    private let map: ColumnMap<Record>
    private let kind: ObjectKind
    private let version: Int64
    private var rows: RowBuffer
    private var entries: RowBuffer

    /// Creates an empty list.
    ///
    /// - Parameters:
    ///   - map: The columns of the table.
    ///   - kind: The kind of the objects.
    ///   - version: The version of the journal entries.
    ///   - more: The names of columns that are not in `map`.
    ///   - database: The connection that will insert the rows.
    init(
        _ map: ColumnMap<Record>,
        of kind: ObjectKind,
        version: Int64,
        more: [String] = [],
        in database: Database
    ) {
        self.map = map
        self.kind = kind
        self.version = version
        let names = (["id", map.list] + more).joined(separator: ", ")
        // A failure ends the transaction, so SQLite needs no copies of the pages that it changes.
        rows = RowBuffer(
            "INSERT OR FAIL INTO \(map.table) (\(names))",
            columns: 1 + map.columns.count + more.count,
            in: database
        )
        entries = RowBuffer(
            """
            INSERT INTO journalEntry
                (version, kind, objectId, uuid, change, contentChanged, newValues)
            """,
            columns: 7,
            in: database
        )
    }

    /// Appends a record under a new row id; `more` are the values of the additional columns.
    mutating func append(_ record: Record, id: Int64, uuid: String, more: [Int64] = []) {
        entries.append(version)
        entries.append(Int64(kind.rawValue))
        entries.append(id)
        entries.append(uuid)
        entries.append(Int64(JournalChange.insert.rawValue))
        entries.append(1 as Int64)
        rows.append(id)
        map.append(record, to: &rows, journaling: &entries)
        for value in more { rows.append(value) }
    }

    /// Indicates whether the rows should be written before others are appended.
    var isFull: Bool { rows.isFull || entries.isFull }

    /// Inserts the rows and their entries, and empties the list.
    mutating func write(to database: Database) throws {
        try rows.write(to: database)
        try entries.write(to: database)
    }
}
