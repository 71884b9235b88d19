import CloudSync
import Foundation
import GRDB
import GRDBSQLite
import PhotoLibrary

/// Measures how a new device reads all metadata in, against the same rows with the same indexes
/// inserted by plain SQLite.
///
/// The time of the network, of decryption and of the state machine is not part of it: `photos
/// cloud sync` after a join has them all.
struct CloudMetadata {
    let assets: Int
    let report: Report

    private static let name = String(repeating: "c", count: 32)

    /// Makes a library part of a cloud library.
    static func join(_ library: SyntheticLibrary, device: UInt64) throws {
        let store = try LibraryStore.open(at: library.url.path)
        try store.joinCloud(library: name, device: CloudID(device, device))
        try store.close()
    }

    func run() throws {
        let source = try SyntheticLibrary()
        try source.fill(assets: assets)
        let target = try SyntheticLibrary()
        for (index, library) in [source, target].enumerated() {
            try Self.join(library, device: UInt64(index + 1))
        }
        let ours = try exchange(from: source, to: target)
        let peer = try Self.insert(rowsOf: target)
        report.print(
            Report.Case(
                suite: "cloud",
                name: "metadata of \(assets) assets on a new device",
                ours: ours,
                peer: peer,
                peerName: "the same rows and indexes, plain SQLite",
                unit: "s",
                limit: 2
            )
        )
    }

    /// Returns the seconds in which a library takes in everything that another one exports, in
    /// parts of the size in which a sync session applies changes.
    private func exchange(
        from source: SyntheticLibrary,
        to target: SyntheticLibrary
    ) throws -> Double {
        let reading = try LibraryStore.open(at: source.url.path)
        let writing = try LibraryStore.open(at: target.url.path)
        var time = 0.0
        var waiting: [CloudTransaction] = []
        func importWaiting() throws {
            time += try seconds { try writing.importChanges(waiting, defersMoments: true) }
            waiting = []
        }
        while let export = try reading.exportChanges() {
            waiting += export.transactions
            try reading.markExported(export)
            let operations = waiting.reduce(0) { $0 + $1.operations.count }
            if operations >= LibraryStore.operationsPerImport { try importWaiting() }
        }
        try importWaiting()
        time += try seconds { try writing.groupMoments() }
        let count = try writing.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM asset") }
        guard count == assets else {
            throw BenchmarkError(description: "\(count ?? 0) of \(assets) assets arrived.")
        }
        try reading.close()
        try writing.close()
        return time
    }

    /// Returns the seconds in which plain SQLite inserts a library's rows into empty tables with
    /// the same indexes: prepared statements with bound values, and a durable commit for each
    /// `rowsPerCommit` rows.
    ///
    /// Reading them is not counted. `INSERT … SELECT` would copy the records of equal tables
    /// without reading them, which nobody can do with rows that come from elsewhere.
    static func insert(rowsOf library: SyntheticLibrary) throws -> Double {
        let source = try DatabaseQueue(path: library.database)
        let queue = try DatabaseQueue(
            path: library.folder.appendingPathComponent("peer.sqlite").path
        )
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
        }
        let schema = try source.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT type, name, sql FROM sqlite_schema
                    WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' AND type <> 'view'
                        AND type <> 'trigger' AND sql NOT LIKE '%VIRTUAL TABLE%'
                    ORDER BY type = 'index'
                    """
            ).map { (type: $0[0] as String, name: $0[1] as String, sql: $0[2] as String) }
        }
        try queue.write { database in
            for object in schema { try database.execute(sql: object.sql) }
        }
        var time = 0.0
        for table in schema.filter({ $0.type == "table" }).map(\.name) {
            try source.read { reading in
                try queue.writeWithoutTransaction { writing in
                    time += try insert(table, from: reading, into: writing)
                }
            }
        }
        try queue.close()
        return time
    }

    private static let rowsPerCommit = 10_000

    private static func insert(
        _ table: String,
        from reading: Database,
        into writing: Database
    ) throws -> Double {
        let select = try reading.makeStatement(sql: "SELECT * FROM \"\(table)\"")
        let count = select.columnCount
        let marks = Array(repeating: "?", count: count).joined(separator: ", ")
        let insert = try writing.makeStatement(
            sql: "INSERT INTO \"\(table)\" VALUES (\(marks))"
        )
        let (source, target) = (select.sqliteStatement, insert.sqliteStatement)
        var time = 0.0
        var isDone = false
        while !isDone {
            var values: [OpaquePointer?] = []
            defer { for value in values { sqlite3_value_free(value) } }
            while values.count < rowsPerCommit * count {
                guard sqlite3_step(source) == SQLITE_ROW else {
                    isDone = true
                    break
                }
                for column in 0..<Int32(count) {
                    values.append(sqlite3_value_dup(sqlite3_column_value(source, column)))
                }
            }
            guard !values.isEmpty else { break }
            time += try seconds {
                try writing.inTransaction {
                    for start in stride(from: 0, to: values.count, by: count) {
                        for column in 0..<count {
                            sqlite3_bind_value(target, Int32(column) + 1, values[start + column])
                        }
                        guard sqlite3_step(target) == SQLITE_DONE else {
                            throw BenchmarkError(description: "\(table) cannot be filled.")
                        }
                        sqlite3_reset(target)
                    }
                    return .commit
                }
            }
        }
        sqlite3_reset(source)
        return time
    }
}
