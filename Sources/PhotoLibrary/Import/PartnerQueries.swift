internal import Foundation
internal import GRDB
internal import PhotoModel

/// The questions that a commit asks of the library about twins and partners.
///
/// Assets in Recently Deleted get no partners: a file that joined one would leave with it.
struct PartnerQueries {
    let database: Database

    /// A resource with the same bytes.
    struct Twin {
        var resourceID: Int64
        var assetUUID: String
        var isTrashed: Bool
    }

    /// The resource of a medium with these bytes, one that is not in Recently Deleted first.
    ///
    /// Sidecars do not count: two photos may have equal ones, and each keeps its own.
    func twin(of digest: SHA256Digest) throws -> Twin? {
        let statement = try database.cachedStatement(
            sql: """
                SELECT r.id, a.uuid, a.trashedDate IS NOT NULL
                FROM resource r JOIN asset a ON a.id = r.assetId
                WHERE r.sha256 = ? AND r.type NOT IN (\(Self.sidecarTypes))
                ORDER BY 3, 1 LIMIT 1
                """
        )
        return try Row.fetchOne(statement, arguments: [Data(digest.bytes)]).map { row in
            Twin(resourceID: row[0], assetUUID: row[1], isTrashed: row[2])
        }
    }

    /// The movie that waits for its still: the oldest.
    func movie(contentIdentifier: String) throws -> Int64? {
        try Int64.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT id FROM asset
                    WHERE contentIdentifier = ? AND mediaType = \(MediaType.video.rawValue)
                        AND trashedDate IS NULL
                    ORDER BY id LIMIT 1
                    """
            ),
            arguments: [contentIdentifier]
        )
    }

    /// The still that waits for its movie: one from the same folder under the same name first, then
    /// the oldest.
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

    /// The assets of which a file came from this folder under this name, the newest first.
    ///
    /// `name` is the whole file name in lower case that it must have had; nil for any.
    func assets(stemKey: [UInt8], name: [UInt8]? = nil) throws -> [Int64] {
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT r.assetId, f.path
                    FROM importedFile f
                    JOIN resource r ON r.id = f.resourceId
                    JOIN asset a ON a.id = r.assetId
                    WHERE f.stemKey = ? AND a.trashedDate IS NULL
                        AND r.type NOT IN (\(Self.sidecarTypes))
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

    /// The resources of an asset of one type.
    func resources(ofAsset id: Int64, type: ResourceType) throws -> [Int64] {
        try Int64.fetchAll(
            database.cachedStatement(
                sql: "SELECT id FROM resource WHERE assetId = ? AND type = ? ORDER BY id"
            ),
            arguments: [id, type.rawValue]
        )
    }

    /// The resource of an asset with these bytes.
    func resource(ofAsset id: Int64, digest: SHA256Digest) throws -> Int64? {
        try Int64.fetchOne(
            database.cachedStatement(
                sql: "SELECT id FROM resource WHERE assetId = ? AND sha256 = ?"
            ),
            arguments: [id, Data(digest.bytes)]
        )
    }

    /// The row ids of a burst's frames that are not in Recently Deleted.
    func frames(burstIdentifier: String) throws -> [Int64] {
        try Int64.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT id FROM asset WHERE burstIdentifier = ? AND trashedDate IS NULL
                    ORDER BY id
                    """
            ),
            arguments: [burstIdentifier]
        )
    }

    private static let sidecarTypes =
        "\(ResourceType.adjustmentData.rawValue), \(ResourceType.sidecar.rawValue)"
}
