internal import GRDB

/// How one kind of record is spread over the columns of its table.
///
/// One list serves inserting, reading, comparing and journalling, so the four cannot disagree. The
/// row id is not in the list: it is column 0 of every read.
struct ColumnMap<Record> {
    struct Column {
        let name: String
        let value: (Record) -> DatabaseValue
        /// What rows have whose journal is older than the column.
        var original: DatabaseValue = .null
        /// Whether the value is the library's own note about a row: it changes without making a version
        /// of the library, so the journal need not agree with the row about it.
        var isBookkeeping = false
    }

    let table: String
    let columns: [Column]

    /// Column names, separated by commas, for SELECT and INSERT.
    let list: String
    let insertSQL: String
    let selectSQL: String
    /// The names of the columns that are bookkeeping.
    let bookkeeping: Set<String>
    /// Where in `columns` each is.
    private let places: [String: Int]

    init(table: String, columns: [Column]) {
        self.table = table
        self.columns = columns
        list = columns.map(\.name).joined(separator: ", ")
        bookkeeping = Set(columns.filter(\.isBookkeeping).map(\.name))
        places = Dictionary(
            uniqueKeysWithValues: columns.enumerated().map { ($1.name, $0) }
        )
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        insertSQL = "INSERT INTO \(table) (\(list)) VALUES (\(marks))"
        selectSQL = "SELECT id, \(list) FROM \(table)"
    }

    /// What a row, and the journal, have of a record.
    ///
    /// SQLite's binding ends a text at a NUL, and the journal's JSON would not: there is none in either.
    func values(_ record: Record) -> [DatabaseValue] {
        columns.map { Self.value(of: $0, in: record) }
    }

    private static func value(of column: Column, in record: Record) -> DatabaseValue {
        let value = column.value(record)
        guard case .string(let text) = value.storage, text.utf8.contains(0) else { return value }
        return text.filter { $0 != "\0" }.databaseValue
    }

    /// A record's values by column, as the journal has them.
    func journaled(_ record: Record) -> JournalEntry.Values {
        JournalEntry.Values(
            uniqueKeysWithValues: zip(columns, values(record)).map { column, value in
                (column.name, JournalValue.Scalar(value))
            }
        )
    }

    /// A record's values of some columns, as the journal has them.
    func journaled(_ record: Record, columns names: [String]) -> JournalEntry.Values {
        var values: JournalEntry.Values = [:]
        for name in names {
            guard let place = places[name] else { continue }
            values[name] = JournalValue.Scalar(Self.value(of: columns[place], in: record))
        }
        return values
    }

    /// A row as `selectSQL` gives it, with other values than are stored.
    ///
    /// A column that they do not know has what rows got that are older than it; `more` follows the
    /// columns.
    func row(
        id: Int64,
        _ values: JournalEntry.Values,
        more: [(name: String, value: DatabaseValue)] = [],
        in database: Database
    ) throws -> Row? {
        let names = columns.map(\.name) + more.map(\.name)
        let list = names.map { ", ? AS " + $0 }.joined()
        let arguments =
            [id.databaseValue] + columns.map { values[$0.name]?.databaseValue ?? $0.original }
            + more.map(\.value)
        return try Row.fetchOne(
            database.cachedStatement(sql: "SELECT ? AS id" + list),
            arguments: StatementArguments(arguments)
        )
    }

    /// `insertSQL` for a row that takes its old id again.
    var insertWithIDSQL: String {
        let marks = columns.map { _ in ", ?" }.joined()
        return "INSERT INTO \(table) (id, \(list)) VALUES (?\(marks))"
    }
}

extension ColumnMap.Column {
    init(
        _ name: String,
        original: DatabaseValue = .null,
        isBookkeeping: Bool = false,
        _ value: @escaping (Record) -> (some DatabaseValueConvertible)?
    ) {
        self.init(
            name: name,
            value: { value($0)?.databaseValue ?? .null },
            original: original,
            isBookkeeping: isBookkeeping
        )
    }
}
