internal import GRDB
internal import LibraryService

/// Checks that the counts of smart albums match the assets.
///
/// A repair recomputes the counts.
struct SmartAlbumCheck {
    let store: LibraryStore

    /// Returns the finding if counts are wrong; nil if they are correct.
    func finding(repairs: Bool) throws -> Finding? {
        let isWrong = try store.read { database in
            try Bool.fetchOne(database, sql: Schema.hasWrongCounts) ?? false
        }
        guard isWrong else { return nil }
        let isRepaired = repairs && store.readOnlyReason == nil
        if isRepaired {
            try store.write(author: Maintenance.author) { transaction in
                try transaction.database.execute(sql: Schema.countAnew)
            }
        }
        return Finding(
            .damage,
            kind: "wrongSmartAlbums",
            message: "The counts of the smart albums are wrong.",
            advice: isRepaired ? "They were recounted." : "Run photos verify --repair.",
            isRepaired: isRepaired
        )
    }
}
