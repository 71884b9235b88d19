internal import Foundation
internal import GRDB
internal import PhotoModel

/// Keeps moments up with what a transaction does to assets.
extension LibraryTransaction {
    /// Past so many changed assets, when they are a good part of all, grouping everything anew is less
    /// work.
    static let manyChanges = 256
    /// Of so many assets one has to change for that: looking around one that changed costs as much as one
    /// pass over so many.
    private static let assetsPassedPerChange = 64.0

    /// Notes that an asset is not what it was; nil: it was, or is, not there.
    func recordMoments(of id: Int64, from old: AssetRecord?, to new: AssetRecord?) {
        moments.record(
            id,
            from: old.flatMap(PendingMomentChanges.Seen.init),
            to: new.flatMap(PendingMomentChanges.Seen.init)
        )
    }

    /// Brings moments up to date.
    func flushMoments() throws {
        guard let version, !moments.assets.isEmpty else { return }
        let updater = MomentUpdater(database: database, version: version)
        let assets = moments.assets
        moments = PendingMomentChanges()
        let timeline = Timeline(database: database)
        func entry(_ seen: PendingMomentChanges.Seen?) throws -> MomentUpdater.Entry? {
            guard let seen else { return nil }
            let key = try timeline.key(
                wallTime: seen.wallTime,
                creationDate: seen.date,
                latitude: seen.latitude,
                longitude: seen.longitude
            )
            return key.map { MomentUpdater.Entry(key: $0, date: seen.date) }
        }
        let changes = try assets.values.map {
            MomentUpdater.Change(old: try entry($0.old), new: try entry($0.new))
        }
        if changes.count > Self.manyChanges, try isGoodPart(changes.count) {
            try updater.rebuild(after: changes)
        } else {
            try updater.update(changes)
        }
    }

    private func isGoodPart(_ changes: Int) throws -> Bool {
        let sql = "SELECT total(assetCount) FROM moment WHERE level = \(MomentLevel.year.rawValue)"
        let count = try Double.fetchOne(database, sql: sql) ?? 0
        return Double(changes) * Self.assetsPassedPerChange > count
    }

    /// Makes the timeline and the moments anew, from the assets alone.
    ///
    /// No object changes, so there is no version; observers hear of the moments with the next one.
    static func rebuildMoments(_ database: Database) throws {
        try database.execute(sql: "DELETE FROM timeline")
        try database.execute(sql: "INSERT INTO timeline \(Schema.timelineRows)")
        let version = try JournalWriter.currentVersion(database) + 1
        try MomentUpdater(database: database, version: version).rebuild()
        try LibrarySetting.momentRule.set(MomentRule.version, in: database)
    }
}
