internal import CloudSync
internal import Foundation
internal import GRDB
internal import PhotoModel

/// Reads when assets came to Recently Deleted, in a library that is or was part of a cloud library.
///
/// The deletion dates that other computers publish do not tell: they may be those of an import, or
/// of a clock that is behind. If they were followed, an asset could be purged on all computers
/// before anybody saw that it was deleted.
struct CloudTrash {
    private let database: Database
    private let table: CloudStampTable
    /// The time after which only a wrong clock can have recorded something.
    private let latest: Date

    /// Creates an instance; nil for a library that was never part of a cloud library.
    init?(_ database: Database, now: Date) throws {
        let hasJoined =
            try LibrarySetting.cloudDevice.value(in: database) != nil
            || !LibrarySetting.cloudFormerLibraries.names(in: database).isEmpty
        guard hasJoined else { return nil }
        self.database = database
        latest = now.addingTimeInterval(Maintenance.secondsPerDay)
        table = CloudStampTable(database: database)
    }

    /// Returns whether an asset may have come to Recently Deleted after `cutoff`.
    ///
    /// The journal states when that reached this library. Pruned entries no longer do, and this
    /// computer's clock may have been wrong then. Therefore, the stamp of the deletion counts as
    /// well. Times of clocks that were more than a day ahead do not count.
    func isRecent(_ id: Int64, _ uuid: String, after cutoff: Date) throws -> Bool {
        if let arrival = try arrival(of: id), arrival > cutoff, arrival <= latest { return true }
        let trash = try table.stamps(of: .asset, uuid)?.entries[RegisterKey(.trash)]?.stamp
        if let trash, isRecent(trash, after: cutoff) { return true }
        // The other computer's import of the same photo may be later than its deletion here.
        guard let twins = try TwinClass(of: CloudID.of(uuid), in: database) else { return false }
        return twins.alive.contains { twin in
            twin.object.created.map { isRecent($0, after: cutoff) } ?? false
        }
    }

    /// Returns the local time of the last change of an asset's deletion date.
    private func arrival(of id: Int64) throws -> Date? {
        try Double.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT time FROM journalEntry JOIN journalVersion USING (version)
                    WHERE kind = \(ObjectKind.asset.rawValue) AND objectId = ?
                        AND newValues LIKE '%"trashedDate":%'
                    ORDER BY version DESC LIMIT 1
                    """
            ),
            arguments: [id]
        ).map(Date.init(timeIntervalSinceReferenceDate:))
    }

    /// Returns whether a stamp is later than `cutoff` and not from a clock that was ahead.
    private func isRecent(_ stamp: ChangeStamp, after cutoff: Date) -> Bool {
        let time = stamp.time.milliseconds
        return time > cutoff.millisecondsSince1970 && time <= latest.millisecondsSince1970
    }
}
