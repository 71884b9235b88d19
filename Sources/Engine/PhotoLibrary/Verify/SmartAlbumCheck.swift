internal import GRDB
internal import LibraryService

/// Whether what smart albums count by is what the assets say.
///
/// A repair counts anew.
struct SmartAlbumCheck {
    let store: LibraryStore

    /// The finding, if there is one.
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
            message: "The smart albums do not count what they hold.",
            advice: isRepaired ? "They were counted anew." : "Run photos verify --repair.",
            isRepaired: isRepaired
        )
    }
}
