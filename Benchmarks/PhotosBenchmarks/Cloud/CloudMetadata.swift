import CloudSync
import Foundation
import GRDB
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
        let peer = try copy(of: target)
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

    /// Returns the seconds in which a library takes in everything that another one exports.
    private func exchange(
        from source: SyntheticLibrary,
        to target: SyntheticLibrary
    ) throws -> Double {
        let reading = try LibraryStore.open(at: source.url.path)
        let writing = try LibraryStore.open(at: target.url.path)
        var time = 0.0
        while let export = try reading.exportChanges() {
            time += try seconds { try writing.importChanges(export.transactions) }
            try reading.markExported(export)
        }
        let count = try writing.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM asset") }
        guard count == assets else {
            throw BenchmarkError(description: "\(count ?? 0) of \(assets) assets arrived.")
        }
        try reading.close()
        try writing.close()
        return time
    }

    /// Returns the seconds in which plain SQLite inserts a library's rows into empty tables with
    /// the same indexes, durably.
    private func copy(of library: SyntheticLibrary) throws -> Double {
        let queue = try DatabaseQueue(
            path: library.folder.appendingPathComponent("peer.sqlite").path
        )
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
            try database.execute(
                sql: "ATTACH ? AS library",
                arguments: [library.database]
            )
        }
        let schema = try queue.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT type, name, sql FROM library.sqlite_schema
                    WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' AND type <> 'view'
                        AND type <> 'trigger' AND sql NOT LIKE '%VIRTUAL TABLE%'
                    ORDER BY type = 'index'
                    """
            ).map { (type: $0[0] as String, name: $0[1] as String, sql: $0[2] as String) }
        }
        try queue.write { database in
            for object in schema { try database.execute(sql: object.sql) }
        }
        let tables = schema.filter { $0.type == "table" }.map(\.name)
        let time = try seconds {
            try queue.write { database in
                for table in tables {
                    try database.execute(
                        sql:
                            "INSERT OR REPLACE INTO main.\"\(table)\" SELECT * FROM library.\"\(table)\""
                    )
                }
            }
        }
        try queue.close()
        return time
    }
}
