/// SQL that computes the expected contents of the smart album tables, for checks and repairs.
///
/// Migration 3 contains the same expressions as literal text, so a change here does not change the
/// migration.
extension Schema {
    /// Returns the SQL expressions for the key columns of `assetFacet`, computed from a row of
    /// `asset`.
    private static func facet(_ row: String) -> String {
        """
        \(row).trashedDate IS NOT NULL, \(row).isHidden, \(row).isBurstHidden,
            \(row).sourceType, \(row).mediaType, \(row).mediaSubtypes,
            (\(row).isFavorite <> 0) | (coalesce(length(\(row).burstIdentifier) > 0, 0) << 1)
                | (coalesce(\(row).lensModel LIKE '%front%', 0) << 2)
                | (coalesce(\(row).exposureTime >= 1, 0) << 3)
                | ((\(row).hasRAW <> 0) << 4)
        """
    }

    private static func day(_ row: String) -> String { "CAST(\(row).addedDate / 86400 AS INTEGER)" }

    /// The condition for a resource that is an original in a RAW format.
    private static let isRAW = "type IN (1, 4) AND contentType LIKE '%raw-image'"

    private static let hasRAW = """
        EXISTS (SELECT 1 FROM resource WHERE assetId = asset.id
            AND \(isRAW))
        """

    private static let facets = """
        SELECT \(facet("asset")), count(*) FROM asset GROUP BY 1, 2, 3, 4, 5, 6, 7
        """

    private static let days = """
        SELECT \(day("asset")), count(*) FROM asset WHERE isVisible = 1 GROUP BY 1
        """

    /// The statements that count new assets, from a row id on, as the triggers of `asset` count
    /// them.
    static let countNewAssets = [
        """
        INSERT INTO assetFacet SELECT \(facet("asset")), count(*) FROM asset NOT INDEXED
        WHERE id >= ? GROUP BY 1, 2, 3, 4, 5, 6, 7
        ON CONFLICT DO UPDATE SET count = count + excluded.count
        """,
        """
        INSERT INTO addedDay SELECT \(day("asset")), count(*) FROM asset NOT INDEXED
        WHERE id >= ? AND isVisible = 1 GROUP BY 1
        ON CONFLICT DO UPDATE SET count = count + excluded.count
        """,
    ]

    /// The statement that sets `hasRAW` for assets with new resources, from a row id of `resource`
    /// on, as the triggers of `resource` set it.
    static let noteNewRAWs = """
        UPDATE asset SET hasRAW = 1 WHERE id IN (
            SELECT assetId FROM resource NOT INDEXED
            WHERE id >= ? AND \(isRAW))
        """

    /// The query that returns whether any value derived from assets and resources is wrong.
    ///
    /// It reads the assets once.
    static let hasWrongCounts = """
        SELECT EXISTS (SELECT 1 FROM asset WHERE hasRAW <> \(hasRAW))
            OR EXISTS (SELECT * FROM (\(facets))
                EXCEPT SELECT * FROM assetFacet WHERE count <> 0)
            OR EXISTS (SELECT * FROM assetFacet WHERE count <> 0
                EXCEPT SELECT * FROM (\(facets)))
            OR EXISTS (SELECT * FROM (\(days)) EXCEPT SELECT * FROM addedDay WHERE count <> 0)
            OR EXISTS (SELECT * FROM addedDay WHERE count <> 0 EXCEPT SELECT * FROM (\(days)))
        """

    /// The statements that recompute `hasRAW` and the tables `assetFacet` and `addedDay`.
    static let countAnew = """
        UPDATE asset SET hasRAW = \(hasRAW) WHERE hasRAW <> \(hasRAW);
        DELETE FROM assetFacet;
        INSERT INTO assetFacet \(facets);
        DELETE FROM addedDay;
        INSERT INTO addedDay \(days);
        """
}
