internal import Foundation
internal import GRDB
internal import LibraryService
internal import PhotoModel

/// The records of imported files and albums, by which a later Takeout import recognizes the same
/// files and albums.
///
/// The records are written in the transaction of their batch. They are neither journaled nor
/// synced.
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

    /// Returns the record of a file or album by name; nil if none was imported under that name.
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

    /// Returns the values that imports took for an asset from all of its files.
    ///
    /// The records have no index by object, so all of them are searched.
    func facts(ofAsset uuid: String) throws -> [TakeoutApplied] {
        try String.fetchAll(
            database.cachedStatement(
                sql: "SELECT facts FROM migratedItem WHERE kind = ? AND objectUUID = ?"
            ),
            arguments: [MigrationSourceKind.takeout.rawValue, uuid]
        ).map(TakeoutApplied.init(json:))
    }

    /// Records an imported file or album.
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

    /// Returns the recorded fingerprint of a file by name; nil if the file was not imported.
    func fingerprint(_ name: String) throws -> [UInt8]? {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT fingerprint FROM migratedItem WHERE kind = ? AND item = ?"
            ),
            arguments: [MigrationSourceKind.takeout.rawValue, name]
        )
        let fingerprint: Data? = row?[0]
        return fingerprint.map(Array.init)
    }

    /// Returns the number of imported files below a folder.
    func count(below folder: String) throws -> Int {
        try Int.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT count(*) FROM migratedItem
                    WHERE kind = ? AND item > ? AND item < ? AND fingerprint IS NOT NULL
                    """
            ),
            arguments: [MigrationSourceKind.takeout.rawValue, folder + "/", folder + "0"]
        ) ?? 0
    }

    // MARK: - Sidecars

    /// Returns an asset's resources, with the reserved name for sidecars that a Takeout import of
    /// an earlier version of this program named after the original.
    ///
    /// The records are searched only if sidecars have equal names.
    func named(_ resources: [ResourceRecord]) throws -> [ResourceRecord] {
        let sidecars = resources.filter { $0.type == .sidecar }
        let names = Set(sidecars.map { $0.originalFilename.lowercased() })
        guard let asset = sidecars.first?.assetUUID, names.count < sidecars.count else {
            return resources
        }
        let written = try Set(facts(ofAsset: asset).compactMap(\.sidecar))
        return resources.map { resource in
            guard resource.type == .sidecar, written.contains(resource.sha256) else {
                return resource
            }
            var renamed = resource
            renamed.originalFilename = TakeoutSidecar.name
            return renamed
        }
    }

    // MARK: - Sources

    /// Returns the identifiers of the accounts and of their exports, in the order of their first
    /// import.
    func sourceIdentifiers() throws -> [String?] {
        try Optional<String>.fetchAll(
            database.cachedStatement(
                sql: "SELECT identifier FROM migrationSource WHERE kind = ? ORDER BY id"
            ),
            arguments: [MigrationSourceKind.takeout.rawValue]
        )
    }

    /// Returns the row id of an account or export, and inserts the row if it does not exist.
    @discardableResult
    func source(_ identifier: String?, at time: Date) throws -> Int64 {
        try MigratedItems(database: database, kind: .takeout)
            .source(identifier: identifier, now: time)
    }
}
