/// What the table `timeline` should hold, for checks, repairs and look-ups.
///
/// Migration 4 holds the same expressions as literal text: a change here changes no migration.
extension Schema {
    /// Where a row of `asset` is in the timeline: `time, latitude, longitude`.
    static func timelineKey(_ row: String) -> String {
        """
        \(wallTime(row)),
                CASE WHEN \(row).longitude IS NULL THEN 1000.0
                    ELSE coalesce(\(row).latitude, 1000.0) END,
                CASE WHEN \(row).latitude IS NULL THEN 1000.0
                    ELSE coalesce(\(row).longitude, 1000.0) END
        """
    }

    /// Milliseconds since 2001-01-01 00:00 by the clock on the wall, of a row of `asset`.
    private static func wallTime(_ row: String) -> String {
        """
        CAST(round(1000.0 * coalesce(
                    (julianday(\(row).captureWallTime) - 2451910.5) * 86400.0,
                    \(row).creationDate)) AS INTEGER)
        """
    }

    /// When the asset with a row id was captured, as `timeline` counts; NULL for one without a date.
    static let captureMilliseconds = "SELECT \(wallTime("asset")) FROM asset WHERE id = ?"

    /// The rows of `timeline` that there should be.
    static let timelineRows = """
        SELECT \(timelineKey("asset")), id, creationDate FROM asset
        WHERE isVisible = 1 AND creationDate IS NOT NULL
        """
}
