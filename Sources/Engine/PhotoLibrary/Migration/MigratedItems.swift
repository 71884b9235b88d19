internal import Foundation
internal import GRDB
internal import LibraryService
internal import PhotoModel
internal import WorkerProtocol

/// Reads and writes the rows of `migratedItem`, which records the items imported from other
/// libraries.
///
/// A row is identified by the kind of the other library and the item.
struct MigratedItems {
    /// An item's row.
    struct Row {
        var objectKind: ObjectKind
        var objectUUID: String
        var fingerprint: String?
        var sourceModificationDate: Double?
        var importedDate: Double
        var isComplete: Bool
        var facts: MigrationFacts
        /// The row id of the source from which the item was last imported; ignored by `set`.
        var sourceID: Int64 = 0
    }

    let database: Database
    let kind: MigrationSourceKind

    func row(_ item: String) throws -> Row? {
        let statement = try database.cachedStatement(
            sql: """
                SELECT objectKind, objectUUID, fingerprint, sourceModificationDate, importedDate,
                    isComplete, facts, sourceId
                FROM migratedItem WHERE kind = ? AND item = ?
                """
        )
        guard let row = try GRDB.Row.fetchOne(statement, arguments: [kind.rawValue, item]),
            let object = ObjectKind(rawValue: row[0])
        else { return nil }
        let fingerprint: Data? = row[2]
        return Row(
            objectKind: object,
            objectUUID: row[1],
            fingerprint: fingerprint?.base64EncodedString(),
            sourceModificationDate: row[3],
            importedDate: row[4],
            isComplete: row[5],
            facts: MigrationFacts(json: row[6]),
            sourceID: row[7]
        )
    }

    /// Returns the row id of the asset that was imported from an item; nil if there is none.
    ///
    /// Reads no facts, since albums look up each member.
    func assetID(of item: String) throws -> Int64? {
        let statement = try database.cachedStatement(
            sql: """
                SELECT asset.id FROM migratedItem JOIN asset ON asset.uuid = objectUUID
                WHERE migratedItem.kind = ? AND item = ? AND objectKind = ?
                """
        )
        return try Int64.fetchOne(
            statement,
            arguments: [kind.rawValue, item, ObjectKind.asset.rawValue]
        )
    }

    func set(_ item: String, of source: Int64, to row: Row) throws {
        try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO migratedItem (kind, item, sourceId, objectKind, objectUUID,
                    fingerprint, sourceModificationDate, importedDate, isComplete, facts)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            kind.rawValue, item, source, row.objectKind.rawValue, row.objectUUID,
            row.fingerprint.flatMap { Data(base64Encoded: $0) }, row.sourceModificationDate,
            row.importedDate, row.isComplete, row.facts.json,
        ])
    }

    /// Returns whether a collection was imported before, exists in this library, or was deleted
    /// from it.
    func isKnown(_ collection: ForeignCollection) throws -> Bool {
        let object: ObjectKind = collection.kind == .folder ? .folder : .album
        if try row(collection.item) != nil || isPurged(collection.item, object) { return true }
        return try Bool.fetchOne(
            database.cachedStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM collection WHERE uuid = ?)"
            ),
            arguments: [collection.item]
        ) ?? false
    }

    /// Returns the row id of a source; nil if nothing was imported from it.
    func source(identifier: String?) throws -> Int64? {
        try Int64.fetchOne(
            database.cachedStatement(
                sql: "SELECT id FROM migrationSource WHERE kind = ? AND identifier IS ?"
            ),
            arguments: [kind.rawValue, identifier]
        )
    }

    /// Returns the row id of a source; inserts the row if the source is new.
    func source(identifier: String?, now: Date) throws -> Int64 {
        if let known = try source(identifier: identifier) { return known }
        try database.execute(
            sql: "INSERT INTO migrationSource (kind, identifier, firstDate) VALUES (?, ?, ?)",
            arguments: [kind.rawValue, identifier, now.timeIntervalSinceReferenceDate]
        )
        return database.lastInsertedRowID
    }

    /// Returns whether the object with a given UUID was permanently deleted from this library.
    ///
    /// An object of a cloud library whose purge is final counts as well, even if it never was in
    /// this library: the other computers would ignore it.
    func isPurged(_ uuid: String, _ object: ObjectKind) throws -> Bool {
        if try CloudStampTable(database: database).isFinal(uuid) { return true }
        return try Bool.fetchOne(
            database.cachedStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM tombstone WHERE kind = ? AND uuid = ?)"
            ),
            arguments: [object.rawValue, uuid]
        ) ?? false
    }
}

extension MigratedItems {
    /// Returns whether an asset is in Recently Deleted; nil if the library does not have it.
    func isTrashed(_ uuid: String) throws -> Bool? {
        try Bool.fetchOne(
            database.cachedStatement(
                sql: "SELECT trashedDate IS NOT NULL FROM asset WHERE uuid = ?"
            ),
            arguments: [uuid]
        )
    }
}
