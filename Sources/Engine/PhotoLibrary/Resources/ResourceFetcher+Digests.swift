internal import GRDB
package import LibraryService
internal import PhotoModel

extension ResourceFetcher {
    /// Returns the SHA-256 of each asset's original: the first resource that `list(_:)` returns.
    ///
    /// Nil for an asset that does not exist, that the client may not see, or that is in Recently
    /// Deleted if such assets are excluded.
    package func digests(_ request: AssetDigestsRequest) throws -> AssetDigestsReply {
        let digests = try view.read { reading in
            let statement = try reading.database.cachedStatement(
                sql: """
                    SELECT resource.type, lower(hex(resource.sha256))
                    FROM asset JOIN resource ON resource.assetId = asset.id
                    WHERE asset.uuid = \(CloudTwinTable.answeringSQL("?1"))
                        AND (?2 OR asset.trashedDate IS NULL)
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
        let isSeen = !view.access.state.access.isNone
        return AssetDigestsReply(
            digests: digests,
            libraries: isSeen ? try view.store.libraryNames() : []
        )
    }

    private static func rank(of row: Row) -> Int {
        // Unknown types come last: a file written by a newer version is not the original.
        ResourceType(rawValue: row[0]).map(rank) ?? .max
    }
}
