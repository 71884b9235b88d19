/// SQL that computes the expected contents of the table `timeline`, for checks, repairs and
/// lookups.
///
/// Migration 4 contains the same expressions as literal text, so a change here does not change the
/// migration.
extension Schema {
    /// Returns the SQL expressions for the `timeline` key `(time, latitude, longitude)` of a row of
    /// `asset`.
    static func timelineKey(_ row: String) -> String {
        """
        \(wallTime(row)),
                CASE WHEN \(row).longitude IS NULL THEN 1000.0
                    ELSE coalesce(\(row).latitude, 1000.0) END,
                CASE WHEN \(row).latitude IS NULL THEN 1000.0
                    ELSE coalesce(\(row).longitude, 1000.0) END
        """
    }

    /// Returns the SQL expression of the local wall time of a row of `asset`, in milliseconds since
    /// 2001-01-01 00:00.
    private static func wallTime(_ row: String) -> String {
        """
        CAST(round(1000.0 * coalesce(
                    (julianday(\(row).captureWallTime) - 2451910.5) * 86400.0,
                    \(row).creationDate)) AS INTEGER)
        """
    }

    /// The query for an asset's capture time as stored in `timeline`; NULL for an asset without a
    /// date.
    static let captureMilliseconds = "SELECT \(wallTime("asset")) FROM asset WHERE id = ?"

    /// The query that returns the rows that `timeline` should contain.
    static let timelineRows = """
        SELECT \(timelineKey("asset")), id, creationDate FROM asset
        WHERE isVisible = 1 AND creationDate IS NOT NULL
        """

    /// The statement that inserts the rows of new assets, from a row id on, as the trigger of
    /// `asset` does.
    ///
    /// A failure ends the transaction, so SQLite needs no copies of the pages that it changes.
    static let addNewAssets = """
        INSERT OR FAIL INTO timeline SELECT \(timelineKey("asset")), id, creationDate
        FROM asset NOT INDEXED
        WHERE id >= ? AND isVisible = 1 AND creationDate IS NOT NULL
        """
}
