internal import GRDB

/// The mapping of a record type to the columns of its table.
///
/// Inserting, reading, comparing and journaling share one list of columns, so they cannot disagree.
/// The row id is not in the list: it is column 0 of every read.
struct ColumnMap<Record> {
    struct Column {
        let name: String
        let value: (Record) -> DatabaseValue
        /// The value to assume for journal entries that were written before the column existed.
        var original: DatabaseValue = .null
        /// Indicates whether the column is bookkeeping of this library, such as the version of the
        /// reader that determined an asset's values.
        ///
        /// Such a value changes without creating a version, so journal and row may differ in it.
        var isBookkeeping = false
        /// Indicates whether the value is derived from others and therefore not journaled.
        ///
        /// Entries of earlier versions of the library contain it; they are read without it.
        var isDerived = false
    }

    let table: String
    let columns: [Column]

    /// The column names.
    private let names: [String]
    /// The column names, separated by commas, for SELECT and INSERT.
    let list: String
    let insertSQL: String
    let selectSQL: String
    /// A SELECT statement that returns its arguments as one row with the columns of `selectSQL`.
    ///
    /// More columns may be appended to the statement.
    private let argumentsSQL: String
    /// The names of the derived columns.
    let derived: Set<String>
    /// The names of the bookkeeping and derived columns, whose values may differ between an
    /// object's journal entries and its row.
    let unchecked: Set<String>
    /// The index of each column in `columns`, by name.
    let places: [String: Int]
    /// The name of each column as it precedes a value in the journal, such as `"rating":`; nil for
    /// derived columns.
    private let labels: [[UInt8]?]

    init(table: String, columns: [Column]) {
        self.table = table
        self.columns = columns
        names = columns.map(\.name)
        list = names.joined(separator: ", ")
        derived = Set(columns.filter(\.isDerived).map(\.name))
        unchecked = Set(columns.filter { $0.isBookkeeping || $0.isDerived }.map(\.name))
        places = Dictionary(
            uniqueKeysWithValues: columns.enumerated().map { ($1.name, $0) }
        )
        labels = columns.map { column in
            column.isDerived ? nil : Array((JournalValue.quoted(column.name) + ":").utf8)
        }
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        insertSQL = "INSERT INTO \(table) (\(list)) VALUES (\(marks))"
        selectSQL = "SELECT id, \(list) FROM \(table)"
        argumentsSQL = "SELECT ? AS id" + columns.map { ", ? AS " + $0.name }.joined()
    }

    /// Returns a record's values as stored in its row and in the journal.
    ///
    /// NUL characters are removed from both: SQLite's binding ends a text at a NUL, while the
    /// journal's JSON would keep it.
    func values(_ record: Record) -> [DatabaseValue] {
        columns.map { Self.value(of: $0, in: record) }
    }

    /// Appends a record's values to a row, and the JSON object that journals them to another row.
    ///
    /// The object is one text, as `JournalValue.encode` returns it. At least one journaled value
    /// must not be null.
    func append(_ record: Record, to row: inout RowBuffer, journaling entry: inout RowBuffer) {
        entry.beginText()
        var separator = UInt8(ascii: "{")
        columns.withUnsafeBufferPointer { columns in
            for place in columns.indices {
                let value = Self.stored(columns[place].value(record))
                row.append(value)
                // A value that is missing in the journal is null.
                guard !value.isNull, let label = labels[place] else { continue }
                entry.append(toText: separator)
                entry.append(toText: label)
                entry.append(toText: value)
                separator = UInt8(ascii: ",")
            }
        }
        entry.append(toText: UInt8(ascii: "}"))
        entry.endText()
    }

    /// A value that differs between two records.
    struct Difference {
        /// The index of the column.
        let place: Int
        let before: DatabaseValue
        let after: DatabaseValue
    }

    /// Returns the values, as stored, in which two records differ.
    func differences(from old: Record, to new: Record) -> [Difference] {
        columns.withUnsafeBufferPointer { columns in
            var differences: [Difference] = []
            for place in columns.indices {
                let before = columns[place].value(old)
                let after = columns[place].value(new)
                if before == after { continue }
                let difference = Difference(
                    place: place,
                    before: Self.stored(before),
                    after: Self.stored(after)
                )
                if difference.before != difference.after { differences.append(difference) }
            }
            return differences
        }
    }

    private static func value(of column: Column, in record: Record) -> DatabaseValue {
        stored(column.value(record))
    }

    private static func stored(_ value: DatabaseValue) -> DatabaseValue {
        guard case .string(let text) = value.storage, text.utf8.contains(0) else { return value }
        return text.filter { $0 != "\0" }.databaseValue
    }

    /// Returns a record's values in the journal's form, keyed by column name.
    func journaled(_ record: Record) -> JournalEntry.Values {
        JournalEntry.Values(
            uniqueKeysWithValues: zip(columns, values(record)).map { column, value in
                (column.name, JournalValue.Scalar(value))
            }
        )
    }

    /// Returns a record's values in the given columns, in the journal's form.
    func journaled(_ record: Record, columns names: [String]) -> JournalEntry.Values {
        var values: JournalEntry.Values = [:]
        for name in names {
            guard let place = places[name] else { continue }
            values[name] = JournalValue.Scalar(Self.value(of: columns[place], in: record))
        }
        return values
    }

    /// Creates a reader of values in column order, as in a row of `selectSQL`.
    func reader(id: Int64, _ values: [DatabaseValue]) -> ValueReader {
        ValueReader(id: id, values, columns: names, table: table)
    }

    /// Creates a row like those of `selectSQL` from given values instead of stored ones.
    ///
    /// A column without a value gets its `original` value. The values of `more` follow the columns.
    func row(
        id: Int64,
        _ values: JournalEntry.Values,
        more: [(name: String, value: DatabaseValue)] = [],
        in database: Database
    ) throws -> Row? {
        let arguments =
            [id.databaseValue] + columns.map { values[$0.name]?.databaseValue ?? $0.original }
            + more.map(\.value)
        return try Row.fetchOne(
            database.cachedStatement(
                sql: argumentsSQL + more.map { ", ? AS " + $0.name }.joined()
            ),
            arguments: StatementArguments(arguments)
        )
    }

    /// The statement that inserts a row with a given id, for example to restore a deleted row.
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
        isDerived: Bool = false,
        _ value: @escaping (Record) -> (some DatabaseValueConvertible)?
    ) {
        self.init(
            name: name,
            value: { value($0)?.databaseValue ?? .null },
            original: original,
            isBookkeeping: isBookkeeping,
            isDerived: isDerived
        )
    }
}
