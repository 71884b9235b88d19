internal import Foundation
internal import GRDB
internal import PhotoModel

/// Queries about edits from other programs.
extension PartnerQueries {
    /// Returns the row id of an asset's adjustments that were imported from a file with a given
    /// `stemKey`.
    func adjustments(stemKey: [UInt8], ofAsset id: Int64) throws -> Int64? {
        try Int64.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT r.id FROM resource r JOIN importedFile f ON f.resourceId = r.id
                    WHERE r.assetId = ? AND f.stemKey = ?
                        AND r.type = \(ResourceType.adjustmentData.rawValue)
                    LIMIT 1
                    """
            ),
            arguments: [id, Data(stemKey)]
        )
    }

    /// Returns the paths of an asset's photos and movies that were imported from files with a given
    /// `stemKey`.
    func mediaPaths(stemKey: [UInt8], ofAsset id: Int64) throws -> [[UInt8]] {
        try Data.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT f.path FROM resource r JOIN importedFile f ON f.resourceId = r.id
                    WHERE r.assetId = ? AND f.stemKey = ?
                        AND r.type NOT IN (\(Self.sidecarTypes))
                    """
            ),
            arguments: [id, Data(stemKey)]
        ).map { Array($0) }
    }

    /// Returns whether a photo or movie of an asset was imported from a file with a given
    /// `stemKey`.
    func hasMedium(stemKey: [UInt8], ofAsset id: Int64) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT EXISTS (
                        SELECT 1 FROM resource r JOIN importedFile f ON f.resourceId = r.id
                        WHERE r.assetId = ? AND f.stemKey = ?
                            AND r.type NOT IN (\(Self.sidecarTypes)))
                    """
            ),
            arguments: [id, Data(stemKey)]
        ) ?? false
    }
}
