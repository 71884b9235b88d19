internal import Foundation
internal import GRDB
internal import PhotoModel

/// Queries that find duplicates and partner files in the library during a commit.
///
/// Assets in Recently Deleted get no partners: a file that joined one would be deleted with it.
struct PartnerQueries {
    let database: Database

    /// A resource with the same content as an imported file.
    struct StoredDuplicate {
        var resourceID: Int64
        var assetID: Int64
        var isTrashed: Bool
        /// The expected path of the resource's file, relative to the library's folder.
        var path: String
        /// The file's size in bytes.
        var size: Int64
    }

    /// Returns a media resource with a given SHA-256, preferring one that is not in Recently
    /// Deleted.
    ///
    /// Sidecars do not count: two photos may have equal ones, and each keeps its own.
    func duplicate(of digest: SHA256Digest) throws -> StoredDuplicate? {
        let statement = try database.cachedStatement(
            sql: """
                SELECT r.id, a.trashedDate IS NOT NULL, r.path, r.size, a.id
                FROM resource r JOIN asset a ON a.id = r.assetId
                WHERE r.sha256 = ? AND r.type NOT IN (\(Self.sidecarTypes))
                ORDER BY 2, 1 LIMIT 1
                """
        )
        return try Row.fetchOne(statement, arguments: [Data(digest.bytes)]).map { row in
            StoredDuplicate(
                resourceID: row[0],
                assetID: row[4],
                isTrashed: row[1],
                path: row[2],
                size: row[3]
            )
        }
    }

    /// Returns the row id of a movie asset that has a given content identifier, lacks a still, and
    /// is not edited.
    ///
    /// An asset from the same folder with the same name is preferred, then the oldest.
    func movie(contentIdentifier: String, stemKey: [UInt8]) throws -> Int64? {
        try Int64.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT a.id FROM asset a
                    WHERE a.contentIdentifier = ? AND a.mediaType = \(MediaType.video.rawValue)
                        AND a.trashedDate IS NULL AND NOT a.hasAdjustments
                    ORDER BY NOT EXISTS (
                        SELECT 1 FROM importedFile f JOIN resource r ON r.id = f.resourceId
                        WHERE f.stemKey = ? AND r.assetId = a.id), a.id
                    LIMIT 1
                    """
            ),
            arguments: [contentIdentifier, Data(stemKey)]
        )
    }

    /// Returns the row id of a still that has a given content identifier and lacks a movie.
    ///
    /// An asset from the same folder with the same name is preferred, then the oldest.
    func still(contentIdentifier: String, stemKey: [UInt8]) throws -> Int64? {
        try Int64.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT a.id FROM asset a
                    WHERE a.contentIdentifier = ? AND a.mediaType = \(MediaType.image.rawValue)
                        AND a.trashedDate IS NULL
                        AND NOT EXISTS (
                            SELECT 1 FROM resource r WHERE r.assetId = a.id
                                AND r.type = \(ResourceType.pairedVideo.rawValue))
                    ORDER BY NOT EXISTS (
                        SELECT 1 FROM importedFile f JOIN resource r ON r.id = f.resourceId
                        WHERE f.stemKey = ? AND r.assetId = a.id), a.id
                    LIMIT 1
                    """
            ),
            arguments: [contentIdentifier, Data(stemKey)]
        )
    }

    /// The maximum number of imported files with one `stemKey` that a query considers.
    ///
    /// Cameras create a handful. A scanner that counts in the extension creates thousands, and
    /// considering all of them for each file would take hours under the writer lock.
    private static let filesOfOneName = 200

    /// Returns the row ids of assets that have a media file with a given `stemKey`, newest first.
    ///
    /// - Parameters:
    ///   - stemKey: The folder and the name without its extension.
    ///   - name: The required whole file name in lowercase; nil for any.
    ///   - path: The probable path, which is looked up first; nil for none.
    /// - Returns: Row ids without duplicates.
    /// - Throws: SQLite's error.
    func assets(stemKey: [UInt8], name: [UInt8]? = nil, path: [UInt8]? = nil) throws -> [Int64] {
        if let path, let id = try asset(path: path) { return [id] }
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT r.assetId, f.path
                    FROM (SELECT path, resourceId FROM importedFile WHERE stemKey = ?
                        LIMIT \(Self.filesOfOneName)) f
                    JOIN resource r ON r.id = f.resourceId
                    JOIN asset a ON a.id = r.assetId
                    WHERE a.trashedDate IS NULL AND r.type NOT IN (\(Self.sidecarTypes))
                    ORDER BY r.assetId DESC
                    """
            ),
            arguments: [Data(stemKey)]
        )
        var ids: [Int64] = []
        for row in rows {
            let id: Int64 = row[0]
            let path: Data = row[1]
            let lowercased = SourceName.lowercased(SourceName(path: Array(path)).name[...])
            if name == nil || name == lowercased, !ids.contains(id) { ids.append(id) }
        }
        return ids
    }

    /// Returns the row id of the asset whose file was imported from exactly this path.
    private func asset(path: [UInt8]) throws -> Int64? {
        try Int64.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT r.assetId FROM importedFile f
                    JOIN resource r ON r.id = f.resourceId
                    JOIN asset a ON a.id = r.assetId
                    WHERE f.path = ? AND a.trashedDate IS NULL
                        AND r.type NOT IN (\(Self.sidecarTypes))
                    """
            ),
            arguments: [Data(path)]
        )
    }

    /// Returns the row ids of up to eight image assets that may show a given shot and lack an
    /// alternate photo, newest first.
    ///
    /// They have a media file with the given `stemKey`, and their capture wall time equals `second`
    /// when the fraction of the second is ignored.
    func shots(stemKey: [UInt8], second: String, isRAW: Bool) throws -> [Int64] {
        try Int64.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT DISTINCT a.id
                    FROM (SELECT resourceId FROM importedFile WHERE stemKey = ?
                        LIMIT \(Self.filesOfOneName)) f
                    JOIN resource r ON r.id = f.resourceId
                    JOIN asset a ON a.id = r.assetId
                    WHERE a.trashedDate IS NULL AND a.mediaType = \(MediaType.image.rawValue)
                        AND r.type NOT IN (\(Self.sidecarTypes))
                        AND substr(a.captureWallTime, 1, 19) = ?
                        AND (substr(a.contentType, -9) = 'raw-image') = ?
                        AND NOT EXISTS (
                            SELECT 1 FROM resource o WHERE o.assetId = a.id
                                AND o.type = \(ResourceType.alternatePhoto.rawValue))
                    ORDER BY a.id DESC LIMIT 8
                    """
            ),
            arguments: [Data(stemKey), second, isRAW]
        )
    }

    /// Returns the image assets that show the same shot as a given file and lack an alternate
    /// photo, newest first.
    ///
    /// The folder, name, capture time and camera identify the shot.
    func shots(of record: AssetRecord, stemKey: [UInt8], isRAW: Bool) throws -> [AssetRecord] {
        guard let time = record.captureTime, time.wallTimeSource != .fileTime else { return [] }
        return try shots(
            stemKey: stemKey,
            second: String(time.wallTime.prefix(19)),
            isRAW: isRAW
        ).compactMap(asset(id:)).filter { PairingPolicy.areOneShot($0, record) }
    }

    /// Returns an asset by its row id.
    func asset(id: Int64) throws -> AssetRecord? {
        let statement = try database.cachedStatement(
            sql: AssetRecord.map.selectSQL + " WHERE id = ?"
        )
        return try Row.fetchOne(statement, arguments: [id]).map(AssetRecord.init(row:))
    }

    /// Returns the row ids of an asset's resources of one type.
    func resources(ofAsset id: Int64, type: ResourceType) throws -> [Int64] {
        try Int64.fetchAll(
            database.cachedStatement(
                sql: "SELECT id FROM resource WHERE assetId = ? AND type = ? ORDER BY id"
            ),
            arguments: [id, type.rawValue]
        )
    }

    /// Returns the row id of an asset's resource with a given SHA-256.
    func resource(ofAsset id: Int64, digest: SHA256Digest) throws -> Int64? {
        try Int64.fetchOne(
            database.cachedStatement(
                sql: "SELECT id FROM resource WHERE assetId = ? AND sha256 = ?"
            ),
            arguments: [id, Data(digest.bytes)]
        )
    }

    /// Returns a burst's frames that are not in Recently Deleted, and whether each represents the
    /// burst.
    func frames(burstIdentifier: String) throws -> [(frame: BurstPolicy.Frame, represents: Bool)] {
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT id, creationDate, originalFilename, burstSelectionTypes,
                        representsBurst, score, isHidden
                    FROM asset LEFT JOIN frameQuality ON assetId = id
                    WHERE burstIdentifier = ? AND trashedDate IS NULL
                    ORDER BY id
                    """
            ),
            arguments: [burstIdentifier]
        )
        var frames: [(frame: BurstPolicy.Frame, represents: Bool)] = []
        while let row = try rows.next() {
            let seconds: Double? = row[1]
            let picks: Int = row[3]
            let frame = BurstPolicy.Frame(
                id: row[0],
                creationDate: seconds.map(Date.init(timeIntervalSinceReferenceDate:)),
                filename: row[2],
                picks: BurstSelectionTypes(rawValue: UInt(bitPattern: picks)),
                quality: row[5],
                isHidden: row[6]
            )
            frames.append((frame, row[4]))
        }
        return frames
    }

    static let sidecarTypes =
        "\(ResourceType.adjustmentData.rawValue), \(ResourceType.sidecar.rawValue)"
}
