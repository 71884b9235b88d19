internal import Foundation
internal import GRDB
internal import LibraryService
internal import PhotoModel

/// The record of the files and albums of exports that were imported, so that a second import
/// recognizes them.
///
/// It is bookkeeping of this library only: it is written in the transaction of its batch, and is
/// not journaled.
struct TakeoutItems {
    /// A file or album that was imported before.
    struct Item {
        var objectKind: ObjectKind?
        var uuid: String
        var fingerprint: [UInt8]
        var importedDate: Date
        var isComplete: Bool
        var facts: TakeoutApplied
    }

    let database: Database

    /// Returns the record of a file or album; nil for an unknown one.
    func item(_ name: String) throws -> Item? {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT objectKind, objectUUID, fingerprint, isComplete, facts, importedDate
                    FROM migratedItem WHERE kind = ? AND item = ?
                    """
            ),
            arguments: [MigrationSourceKind.takeout.rawValue, name]
        )
        guard let row else { return nil }
        let kind: Int = row[0]
        let fingerprint: Data? = row[2]
        let importedDate: Double = row[5]
        return Item(
            objectKind: ObjectKind(rawValue: kind),
            uuid: row[1],
            fingerprint: fingerprint.map(Array.init) ?? [],
            importedDate: Date(timeIntervalSinceReferenceDate: importedDate),
            isComplete: row[3],
            facts: TakeoutApplied(json: row[4])
        )
    }

    /// Records a file or an album.
    func record(
        _ name: String,
        kind: ObjectKind,
        uuid: String,
        fingerprint: [UInt8]?,
        isComplete: Bool,
        facts: TakeoutApplied,
        source: Int64,
        at time: Date
    ) throws {
        try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO migratedItem (kind, item, sourceId, objectKind, objectUUID,
                    fingerprint, sourceModificationDate, importedDate, isComplete, facts)
                VALUES (?, ?, ?, ?, ?, ?, NULL, ?, ?, ?)
                """
        ).execute(arguments: [
            MigrationSourceKind.takeout.rawValue, name, source, kind.rawValue, uuid,
            fingerprint.map { Data($0) }, time.timeIntervalSinceReferenceDate, isComplete,
            facts.json,
        ])
    }

    /// Returns the row of the source, which is created with the first export.
    func source(at time: Date) throws -> Int64 {
        let kind = MigrationSourceKind.takeout.rawValue
        let found = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT id FROM migrationSource WHERE kind = ?"),
            arguments: [kind]
        )
        if let found { return found }
        try database.cachedStatement(
            sql: "INSERT INTO migrationSource (kind, identifier, firstDate) VALUES (?, NULL, ?)"
        ).execute(arguments: [kind, time.timeIntervalSinceReferenceDate])
        return database.lastInsertedRowID
    }
}
