internal import PhotosManagement

/// The changes of a library since a version, for caches that only some of them invalidate.
struct RecentChanges {
    /// The number of transactions above which a result is recomputed without reading the history.
    private static let limit = 64

    let library: PhotoLibraryBundle

    /// Returns whether there is a change of an asset that a cache has to heed.
    ///
    /// `true` also if there were too many changes, or if the history no longer reaches back to the
    /// version.
    func contain(
        since version: Int64,
        to present: Int64,
        where isRelevant: (HistoryEntry.Change) -> Bool
    ) throws -> Bool {
        guard present > version, present - version < Self.limit else { return true }
        let entries: [HistoryEntry]
        do {
            entries = try library.history(
                since: library.historyToken(at: version),
                limit: Self.limit
            )
        } catch {
            return true
        }
        guard entries.last?.version ?? version >= present else { return true }
        return entries.lazy.flatMap(\.changes).contains { $0.object == .asset && isRelevant($0) }
    }
}
