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
                    SELECT objectKind, objectUUID, fingerprint, isComplete,
                        json_extract(facts, '$.caption'), json_extract(facts, '$.isFavorite'),
                        importedDate
                    FROM migratedItem WHERE kind = ? AND item = ?
                    """
            ),
            arguments: [MigrationSourceKind.takeout.rawValue, name]
        )
        guard let row else { return nil }
        let kind: Int = row[0]
        let fingerprint: Data? = row[2]
        let isFavorite: Bool? = row[5]
        let importedDate: Double = row[6]
        return Item(
            objectKind: ObjectKind(rawValue: kind),
            uuid: row[1],
            fingerprint: fingerprint.map(Array.init) ?? [],
            importedDate: Date(timeIntervalSinceReferenceDate: importedDate),
            isComplete: row[3],
            facts: TakeoutApplied(caption: row[4], isFavorite: isFavorite ?? false)
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
                VALUES (?, ?, ?, ?, ?, ?, NULL, ?, ?,
                    json_object('caption', ?, 'isFavorite', ?))
                """
        ).execute(arguments: [
            MigrationSourceKind.takeout.rawValue, name, source, kind.rawValue, uuid,
            fingerprint.map { Data($0) }, time.timeIntervalSinceReferenceDate, isComplete,
            facts.caption, facts.isFavorite,
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

/// The values that an import took from an export and that a later one may update.
struct TakeoutApplied: Hashable, Sendable {
    var caption: String?
    var isFavorite = false
}
