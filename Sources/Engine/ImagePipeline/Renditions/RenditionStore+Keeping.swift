internal import GRDB
internal import PhotoLibrary
internal import PhotoModel
internal import Synchronization

extension RenditionStore {
    /// Returns the content versions of the given assets' renditions in a size class, by asset UUID.
    ///
    /// Includes only renditions of sufficient quality: made from the file itself, or from a preview
    /// with as many pixels.
    func contents(of assets: [String], sizeClass: Int) -> [String: Int] {
        guard file.isThere else { return [:] }
        var arguments: StatementArguments = [sizeClass]
        arguments += StatementArguments(assets)
        arguments += [Origin.content.rawValue]
        let found = file.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT assetUUID, contentVersion FROM rendition
                    WHERE sizeClass = ? AND assetUUID IN (\(Self.marks(assets.count)))
                        AND (origin >= ? OR max(width, height) >= sizeClass)
                    """,
                arguments: arguments
            )
        }
        return Dictionary(
            (found ?? []).map { ($0["assetUUID"] as String, $0["contentVersion"] as Int) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Returns the number of renditions in a size class.
    func count(ofSizeClass sizeClass: Int) -> Int {
        guard file.isThere else { return 0 }
        return file.read {
            try Int.fetchOne(
                $0,
                sql: "SELECT count(*) FROM rendition WHERE sizeClass = ?",
                arguments: [sizeClass]
            )
        } ?? 0
    }

    /// Returns up to `limit` keys of renditions that follow a given key, ordered by size class and
    /// asset UUID.
    func keys(after key: Key?, limit: Int) -> [Key] {
        let rows = file.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT sizeClass, assetUUID, contentVersion FROM rendition
                    WHERE (sizeClass, assetUUID) > (?, ?) ORDER BY sizeClass, assetUUID LIMIT ?
                    """,
                arguments: [key?.sizeClass ?? 0, key?.assetUUID ?? "", limit]
            )
        }
        return (rows ?? []).map {
            Key(
                assetUUID: $0["assetUUID"],
                contentVersion: $0["contentVersion"],
                sizeClass: $0["sizeClass"]
            )
        }
    }

    /// Removes renditions.
    func remove(_ keys: [Key]) {
        guard !keys.isEmpty else { return }
        file.write("remove thumbnails") { database in
            let statement = try database.cachedStatement(
                sql: """
                    DELETE FROM rendition
                    WHERE assetUUID = ? AND sizeClass = ? AND contentVersion = ?
                    """
            )
            for key in keys {
                try statement.execute(
                    arguments: [key.assetUUID, key.sizeClass, key.contentVersion]
                )
            }
        }
    }

    /// Removes the renditions and fingerprints of all assets except those whose originals may have
    /// been removed.
    func removeReplaceable() {
        guard file.isThere else { return }
        file.write("remove thumbnails") { database in
            for table in ["rendition", "fingerprint"] {
                try database.execute(
                    sql: """
                        DELETE FROM \(table) WHERE assetUUID NOT IN
                            (SELECT assetUUID FROM rendition WHERE sizeClass = ?)
                        """,
                    arguments: [Self.remainingSizeClass]
                )
            }
        }
        file.compact()
    }

    /// Gives the renditions of assets to the twins that are shown in their place.
    ///
    /// Only renditions that show the same picture are moved. A twin keeps its own current ones.
    func move(_ twins: [ShownTwin]) {
        guard file.isThere, !twins.isEmpty else { return }
        file.write("keep thumbnails") { database in
            let outdated = try database.cachedStatement(
                sql: """
                    DELETE FROM rendition
                    WHERE assetUUID = ?1 AND contentVersion <> ?2 AND sizeClass IN
                        (SELECT sizeClass FROM rendition
                        WHERE assetUUID = ?3 AND contentVersion = ?2)
                    """
            )
            let moved = try database.cachedStatement(
                sql: """
                    UPDATE OR IGNORE rendition SET assetUUID = ?1
                    WHERE assetUUID = ?3 AND contentVersion = ?2
                    """
            )
            for twin in twins {
                for statement in [outdated, moved] {
                    try statement.execute(
                        arguments: [twin.shown, twin.contentVersion, twin.absorbed]
                    )
                }
            }
        }
    }

    /// Removes all renditions and fingerprints of assets.
    package func remove(ofAssets assets: [String]) {
        remembered.withLock { known in for asset in assets { known[asset] = nil } }
        guard file.isThere, !assets.isEmpty else { return }
        file.write("remove thumbnails") { database in
            for table in ["rendition", "fingerprint"] {
                let statement = try database.cachedStatement(
                    sql: "DELETE FROM \(table) WHERE assetUUID = ?"
                )
                for asset in assets { try statement.execute(arguments: [asset]) }
            }
        }
        // Otherwise the log would retain the deleted data for a while.
        file.emptyLog()
    }

    /// Returns up to `limit` UUIDs of assets that have fingerprints and follow a given UUID, in
    /// ascending order.
    func fingerprintedAssets(after asset: String, limit: Int) -> [String] {
        file.read { database in
            try String.fetchAll(
                database,
                sql: """
                    SELECT assetUUID FROM fingerprint WHERE assetUUID > ?
                    ORDER BY assetUUID LIMIT ?
                    """,
                arguments: [asset, limit]
            )
        } ?? []
    }

    /// The SQLite application ID that marks a file whose last recorded sweep removed the renditions
    /// of all deleted assets.
    ///
    /// Earlier versions missed deletions that the journal had lost, but recorded the sweep as
    /// complete.
    private static let wholeMark = 0x5357_4550

    /// The library version up to which the renditions of deleted assets have been removed; nil when
    /// it is unknown.
    var sweptVersion: Int64? {
        file.read { database in
            let mark = try Int.fetchOne(database, sql: "PRAGMA application_id")
            guard mark == Self.wholeMark else { return nil }
            return try Int64.fetchOne(database, sql: "SELECT version FROM sweep")
        }
    }

    func setSweptVersion(_ version: Int64) {
        file.write("note what was removed") { database in
            try database.execute(sql: "PRAGMA application_id = \(Self.wholeMark)")
            try database.execute(sql: "DELETE FROM sweep")
            try database.execute(
                sql: "INSERT INTO sweep (version) VALUES (?)",
                arguments: [version]
            )
        }
    }

    private static func marks(_ count: Int) -> String {
        Array(repeating: "?", count: count).joined(separator: ", ")
    }
}
