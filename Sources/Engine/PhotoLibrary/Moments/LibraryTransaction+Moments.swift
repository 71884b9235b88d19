internal import Foundation
internal import GRDB
internal import PhotoModel

/// Updates moments when a transaction changes assets.
extension LibraryTransaction {
    /// The number of changed assets above which regrouping all assets may cost less than an update.
    static let manyChanges = 256
    /// The estimated number of assets that a full regrouping processes in the time in which an
    /// update examines one changed asset.
    private static let assetsPassedPerChange = 64.0

    /// Records a change of an asset; `old` is nil for a new asset, and `new` is nil for a deleted
    /// one.
    func recordMoments(of id: Int64, from old: AssetRecord?, to new: AssetRecord?) {
        moments.record(
            id,
            from: old.flatMap(PendingMomentChanges.Seen.init),
            to: new.flatMap(PendingMomentChanges.Seen.init)
        )
    }

    /// Updates the moments for all recorded changes.
    ///
    /// If `defersMoments` is set, very many added assets are left to a later transaction. The
    /// setting of the rule is then removed, so that everything is grouped at the next opening after
    /// a crash.
    func flushMoments() throws {
        guard let version, !moments.assets.isEmpty else { return }
        let updater = MomentUpdater(database: database, version: version)
        let assets = moments.assets
        moments = PendingMomentChanges()
        let isGrouped = try Self.areMomentsGrouped(database)
        if defersMoments, !isGrouped || assets.count > Self.manyChanges,
            assets.values.allSatisfy({ $0.old == nil })
        {
            if isGrouped { try LibrarySetting.momentRule.remove(in: database) }
            return
        }
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
        if !isGrouped {
            try updater.rebuild(after: changes)
            try LibrarySetting.momentRule.set(MomentRule.version, in: database)
        } else if changes.count > Self.manyChanges, try isGoodPart(changes.count) {
            try updater.rebuild(after: changes)
        } else {
            try updater.update(changes)
        }
    }

    /// Returns whether all assets are grouped by the present rule.
    static func areMomentsGrouped(_ database: Database) throws -> Bool {
        try LibrarySetting.momentRule.value(in: database) == MomentRule.version
    }

    /// Groups all assets in a separate library version.
    fileprivate func groupMoments() throws {
        _ = try commitTime()
        guard let version else { return }
        try MomentUpdater(database: database, version: version).rebuild()
        try LibrarySetting.momentRule.set(MomentRule.version, in: database)
    }

    private func isGoodPart(_ changes: Int) throws -> Bool {
        let sql = "SELECT total(assetCount) FROM moment WHERE level = \(MomentLevel.year.rawValue)"
        let count = try Double.fetchOne(database, sql: sql) ?? 0
        return Double(changes) * Self.assetsPassedPerChange > count
    }

    /// Rebuilds the timeline and the moments from the assets.
    ///
    /// No object changes, so there is no version; observers are notified of the moments with the
    /// next version.
    static func rebuildMoments(_ database: Database) throws {
        try database.execute(sql: "DELETE FROM timeline")
        try database.execute(sql: "INSERT INTO timeline \(Schema.timelineRows)")
        let version = try JournalWriter.currentVersion(database) + 1
        try MomentUpdater(database: database, version: version).rebuild()
        try LibrarySetting.momentRule.set(MomentRule.version, in: database)
    }
}

extension LibraryStore {
    /// Groups the assets that were added while the moments were not updated; does nothing if there
    /// are none.
    ///
    /// - Throws: The errors of `write`.
    package func groupMoments() throws {
        guard try !read(LibraryTransaction.areMomentsGrouped) else { return }
        try write(author: Maintenance.author) { transaction in
            guard try !LibraryTransaction.areMomentsGrouped(transaction.database) else { return }
            try transaction.groupMoments()
        }
    }
}
