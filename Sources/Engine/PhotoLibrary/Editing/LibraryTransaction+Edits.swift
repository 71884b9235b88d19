internal import GRDB
internal import PhotoModel

/// The rows of edits, and the files of edits that were replaced or reverted.
///
///     row and file ──retire──▶ file in formerFile ──undo──▶ row and file
///                                     │
///                                     └──journal pruned, or asset purged──▶ discardedFile
extension LibraryTransaction {
    /// Returns the resources of an asset, the oldest first.
    func resources(ofAsset id: Int64) throws -> [ResourceRecord] {
        let statement = try database.cachedStatement(
            sql: ResourceRecord.selectSQL + " WHERE resource.assetId = ? ORDER BY resource.id"
        )
        return try Row.fetchAll(statement, arguments: [id]).map(ResourceRecord.init(row:))
    }

    /// Deletes the rows of an asset's edit, and of adjustments that a person had applied in another
    /// program before the import.
    ///
    /// The files are kept for `undo`. Adjustments that the camera applied belong to the original.
    ///
    /// - Parameters:
    ///   - id: The asset's row id.
    ///   - bases: UUIDs of the resources on which a new edit is based. Of the previous edit's
    ///     resources, these become the adjustment bases of the new edit. A base that another edit
    ///     replaced meanwhile is restored as an adjustment base.
    /// - Throws: SQLite's error.
    func retireEdit(ofAsset id: Int64, keeping bases: Set<String> = []) throws {
        let present = try resources(ofAsset: id)
        for resource in present where resource.isOfEdit {
            if bases.contains(resource.uuid), let base = resource.type.asBase {
                var kept = resource
                kept.type = base
                if kept != resource { try updateResource(kept) }
            } else {
                try retire(resource)
            }
        }
        for resource in present where resource.isReplacedByEdits { try retire(resource) }
        for uuid in bases.subtracting(present.map(\.uuid)).sorted() {
            guard let row = try formerResource(uuid: uuid, ofAsset: id), let base = row.type.asBase
            else { continue }
            var kept = row
            kept.type = base
            try reinsert(kept)
        }
    }

    /// Deletes a resource's row; if its file is stored locally, records that the file is kept for
    /// `undo`.
    ///
    /// An undo cannot restore an edit whose files are only in the cloud.
    func retire(_ resource: ResourceRecord) throws {
        let isHere = try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT presence = 0 FROM resource WHERE id = ?"),
            arguments: [resource.id]
        )
        try deleteResource(id: resource.id)
        guard isHere == true else { return }
        try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO formerFile (path, resourceId, assetId, version)
                VALUES (?, ?, ?, ?)
                """
        ).execute(arguments: [
            resource.path, resource.id, resource.assetID, try currentVersion(),
        ])
    }

    /// Restores the deleted row of a resource with its previous id.
    ///
    /// - Returns: Whether its file was kept. If not, nothing is restored.
    @discardableResult
    func reinsert(_ resource: ResourceRecord) throws -> Bool {
        let statement = try database.cachedStatement(
            sql: "DELETE FROM formerFile WHERE path = ? AND resourceId = ?"
        )
        try statement.execute(arguments: [resource.path, resource.id])
        guard database.changesCount == 1 else { return false }
        _ = try notingRAW(of: [resource]) {
            try insert(
                resource,
                map: ResourceRecord.map,
                kind: .resource,
                uuid: resource.uuid,
                id: resource.id
            )
        }
        return true
    }

    /// Returns the deleted row of a resource from the journal; nil if the resource's file was not
    /// kept.
    private func formerResource(uuid: String, ofAsset id: Int64) throws -> ResourceRecord? {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT \(JournalEntry.columns) FROM journalEntry
                WHERE kind = ? AND change = ? AND uuid = ? AND objectId IN (
                    SELECT resourceId FROM formerFile WHERE assetId = ?)
                ORDER BY id DESC LIMIT 1
                """,
            arguments: [ObjectKind.resource.rawValue, JournalChange.delete.rawValue, uuid, id]
        )
        guard let entry = try rows.first.map({ try JournalEntry(row: $0, in: database) }),
            let asset = try asset(id: id)
        else { return nil }
        return try ResourceRecord(id: entry.objectID, entry.old, of: asset, in: database)
    }

    /// Returns whether a kept file of a replaced or reverted edit has a given SHA-256.
    func hasFormerFile(sha256: String, ofAsset id: Int64) throws -> Bool {
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT \(JournalEntry.columns) FROM journalEntry
                    WHERE kind = ? AND change = ? AND objectId IN (
                        SELECT resourceId FROM formerFile WHERE assetId = ?)
                    """
            ),
            arguments: [ObjectKind.resource.rawValue, JournalChange.delete.rawValue, id]
        )
        while let row = try rows.next() {
            if try JournalEntry(row: row, in: database).old["sha256"] == .text("x:" + sha256) {
                return true
            }
        }
        return false
    }

    /// Marks the kept files of an asset's previous edits for removal after the commit.
    func discardFormerFiles(ofAsset id: Int64) throws {
        try Self.discardFormerFiles("assetId = ?", id, in: database)
        if database.changesCount > 0 { discardsFiles = true }
    }

    /// Marks for removal the kept files of edits that were replaced or reverted up to a version.
    ///
    /// The journal can no longer restore these edits.
    static func discardFormerFiles(through version: Int64, in database: Database) throws {
        try discardFormerFiles("version <= ?", version, in: database)
    }

    private static func discardFormerFiles(
        _ condition: String,
        _ argument: Int64,
        in database: Database
    ) throws {
        try database.execute(
            sql: """
                INSERT OR IGNORE INTO discardedFile SELECT path FROM formerFile WHERE \(condition)
                """,
            arguments: [argument]
        )
        try database.execute(
            sql: "DELETE FROM formerFile WHERE \(condition)",
            arguments: [argument]
        )
    }
}

extension ResourceRecord {
    /// Creates the record of a resource from the journal's values.
    init?(
        id: Int64,
        _ values: JournalEntry.Values,
        of asset: AssetRecord,
        in database: Database
    ) throws {
        let more = [("assetUUID", asset.uuid.databaseValue)]
        guard let row = try Self.map.row(id: id, values, more: more, in: database) else {
            return nil
        }
        try self.init(row: row)
    }
}

extension ResourceRecord {
    /// Indicates whether the resource holds adjustments that a person had applied before the asset
    /// was imported.
    fileprivate var isReplacedByEdits: Bool {
        type == .adjustmentData && !isOfEdit
            && !SourceName(path: Array(originalFilename.utf8)).namesOriginalAdjustments
    }
}

extension ResourceType {
    /// The type that a rendered file gets if another edit is based on it; nil for other files.
    fileprivate var asBase: ResourceType? {
        switch self {
        case .fullSizePhoto, .adjustmentBasePhoto: .adjustmentBasePhoto
        case .fullSizeVideo, .adjustmentBaseVideo: .adjustmentBaseVideo
        case .fullSizePairedVideo, .adjustmentBasePairedVideo: .adjustmentBasePairedVideo
        default: nil
        }
    }
}
