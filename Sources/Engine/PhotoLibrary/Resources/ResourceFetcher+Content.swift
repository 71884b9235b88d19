internal import Foundation
internal import GRDB
package import LibraryService
internal import PhotoModel

extension ResourceFetcher {
    /// Finds the assets that have files with given SHA-256 digests, ignoring sidecars.
    ///
    /// - Throws: `invalidRequest` for an invalid digest.
    package func find(_ request: FindContentRequest) throws -> FindContentReply {
        let digests = try request.digests.map { text in
            guard let bytes = Hexadecimal.bytes(text), bytes.count == 32 else {
                throw LibraryError(
                    .invalidRequest,
                    "\(text) is not a SHA-256.",
                    reason: "A SHA-256 has 64 lower-case hexadecimal digits; this has \(text.count)"
                        + " characters.",
                    recovery: "Use the digests that sha256sum prints."
                )
            }
            return bytes
        }
        let matches = try view.read { reading in
            let queries = PartnerQueries(database: reading.database)
            return try digests.map { digest in
                try queries.assets(withBytes: digest).filter { match in
                    try reading.permits(LocalIdentifier(match.localIdentifier)?.uuid)
                }
            }
        }
        return FindContentReply(matches: matches)
    }
}

extension PartnerQueries {
    /// Returns the assets that have a file with a given SHA-256, ordered by row id, with those in
    /// Recently Deleted last.
    ///
    /// Sidecars are not considered.
    fileprivate func assets(withBytes digest: Data) throws -> [ContentMatch] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT DISTINCT a.uuid, a.trashedDate IS NOT NULL, a.id
                FROM resource r JOIN asset a ON a.id = r.assetId
                WHERE r.sha256 = ? AND r.type NOT IN (\(Self.sidecarTypes))
                ORDER BY 2, 3
                """
        )
        return try Row.fetchAll(statement, arguments: [digest]).map { row in
            let uuid: String = row[0]
            return ContentMatch(
                localIdentifier: uuid + ObjectKind.asset.identifierSuffix,
                isTrashed: row[1]
            )
        }
    }
}
