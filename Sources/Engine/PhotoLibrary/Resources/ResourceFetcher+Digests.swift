internal import GRDB
package import LibraryService
internal import PhotoModel

extension ResourceFetcher {
    /// The SHA-256 of each asset's first resource, in the order of `list`; nil for an asset that there is
    /// not, that the client may not see, or that is in Recently Deleted where such do not count.
    package func digests(_ request: AssetDigestsRequest) throws -> AssetDigestsReply {
        let digests = try view.read { reading in
            let statement = try reading.database.cachedStatement(
                sql: """
                    SELECT resource.type, lower(hex(resource.sha256))
                    FROM asset JOIN resource ON resource.assetId = asset.id
                    WHERE asset.uuid = ? AND (? OR asset.trashedDate IS NULL)
                    ORDER BY resource.id
                    """
            )
            return try request.assetUUIDs.map { uuid -> String? in
                guard try reading.permits(uuid) else { return nil }
                let rows = try Row.fetchAll(
                    statement,
                    arguments: [uuid, request.includesDeleted]
                )
                let first = rows.min { left, right in Self.rank(of: left) < Self.rank(of: right) }
                return first.map { $0[1] }
            }
        }
        return AssetDigestsReply(digests: digests)
    }

    private static func rank(of row: Row) -> Int {
        // An unknown type comes last: what a newer version wrote is not the original.
        ResourceType(rawValue: row[0]).map(rank) ?? .max
    }
}
