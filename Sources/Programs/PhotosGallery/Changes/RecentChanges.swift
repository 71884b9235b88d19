internal import PhotosManagement

/// Determines whether a cache is invalid because of changes to the library since a given version.
struct RecentChanges {
    /// The maximum number of transactions to examine; if there are more, caches count as invalid.
    private static let limit = 64

    let library: PhotoLibraryBundle

    /// Indicates whether an asset may have changed between two library versions in a way that
    /// `isRelevant` accepts.
    ///
    /// Also returns `true` if there were too many changes, or if the history no longer reaches back
    /// to the version.
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
