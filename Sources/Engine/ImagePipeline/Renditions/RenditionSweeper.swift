internal import GRDB
internal import Logging
package import PhotoLibrary
internal import PhotoModel
internal import Synchronization

/// Removes renditions of deleted assets and of outdated content.
///
/// An asset in whose place a twin is shown (the same photo, imported on another device) leaves its
/// renditions to that twin. Some cannot be made again, since the original was removed to free
/// space. Thread-safe; calls block their thread.
package final class RenditionSweeper: Sendable {
    /// The number of renditions per batch.
    private static let batch = 500

    private let store: LibraryStore
    private let renditions: RenditionStore

    package init(store: LibraryStore, renditions: RenditionStore) {
        self.store = store
        self.renditions = renditions
    }

    /// Removes all renditions except those of photos whose originals were removed.
    ///
    /// Removed renditions are recreated on request.
    package func drop() {
        let hasRemovals = (try? store.missingFileCounts().removed > 0) ?? true
        if hasRemovals { renditions.removeReplaceable() } else { renditions.file.delete() }
        renditions.remembered.withLock { $0 = [:] }
        store.loggers.renditions.debug("All renditions were removed.")
    }

    /// Closes the renditions' file; nothing is read or stored afterward.
    package func close() { renditions.file.close() }

    /// Removes all outdated renditions, regardless of earlier sweeps.
    package func sweepAll() throws {
        guard renditions.file.isThere else { return }
        let version = try store.currentVersion()
        try removeOutdated()
        renditions.setSweptVersion(version)
    }

    /// Removes the renditions of assets that were purged since the last sweep.
    ///
    /// If these assets are unknown, removes all outdated renditions.
    package func sweep() throws {
        guard renditions.file.isThere else { return }
        let version = try store.currentVersion()
        let swept = renditions.sweptVersion
        if swept == version { return }
        if let swept, swept < version, let gone = try deletions(after: swept) {
            var rest = gone[...]
            while !rest.isEmpty {
                try passOn(rest.prefix(Self.batch))
                rest = rest.dropFirst(Self.batch)
            }
            renditions.remove(ofAssets: gone)
            record(assets: gone.count, outdated: 0)
        } else {
            try removeOutdated()
        }
        renditions.setSweptVersion(version)
    }

    /// Removes renditions of outdated content, and all renditions and fingerprints of deleted
    /// assets.
    func removeOutdated() throws {
        var removed = (assets: 0, outdated: 0)
        defer { record(assets: removed.assets, outdated: removed.outdated) }
        try eachOutdated { keys, gone in
            removed.outdated += keys.count
            try passOn(gone[...])
            renditions.remove(keys)
            renditions.remove(ofAssets: gone)
        }
        var last = ""
        while true {
            let assets = renditions.fingerprintedAssets(after: last, limit: Self.batch)
            guard let end = assets.last else { return }
            last = end
            let present = try contents(of: assets)
            let gone = assets.filter { present[$0] == nil }
            removed.assets += gone.count
            renditions.remove(ofAssets: gone)
        }
    }

    /// Gives the renditions of deleted assets to the twins that are shown in their place.
    private func passOn(_ gone: ArraySlice<String>) throws {
        renditions.move(try store.shownTwins(of: Array(gone)))
    }

    private func record(assets: Int, outdated: Int) {
        guard assets + outdated > 0 else { return }
        store.loggers.renditions.debug(
            "Renditions were removed.",
            metadata: [
                "renditions.assets": "\(assets)", "renditions.outdated": "\(outdated)",
            ]
        )
    }

    /// Returns the assets that were purged after a version; nil if the history does not reach back
    /// to it.
    private func deletions(after version: Int64) throws -> [String]? {
        try store.read { database in
            // Pruning the entries of deleted objects does not change the versions.
            guard try HistorySummary.start(database) <= version else { return nil }
            return try String.fetchAll(
                database,
                sql: """
                    SELECT uuid FROM journalEntry
                    WHERE version > ? AND kind = ? AND NOT EXISTS
                        (SELECT 1 FROM asset WHERE asset.uuid = journalEntry.uuid)
                    """,
                arguments: [version, ObjectKind.asset.rawValue]
            )
        }
    }

    /// Returns the number of outdated renditions by size class.
    func outdatedCounts(includesHidden: Bool) throws -> [Int: Int] {
        var counts: [Int: Int] = [:]
        let hidden = includesHidden ? [] : try hiddenAssets()
        try eachOutdated { keys, _ in
            for key in keys where !hidden.contains(key.assetUUID) {
                counts[key.sizeClass, default: 0] += 1
            }
        }
        return counts
    }

    private func hiddenAssets() throws -> Set<String> {
        try store.read { database in
            try String.fetchSet(
                database,
                // The index on `isVisible` limits the scan to a few rows.
                sql: "SELECT uuid FROM asset WHERE isVisible = 0 AND isHidden = 1"
            )
        }
    }

    /// Calls `body` with batches of outdated renditions: their keys, and the UUIDs of those assets
    /// that no longer exist.
    ///
    /// Renditions are read before assets, so that renditions made meanwhile are not considered
    /// outdated.
    private func eachOutdated(
        _ body: (_ keys: [RenditionStore.Key], _ gone: [String]) throws -> Void
    ) throws {
        guard renditions.file.isThere else { return }
        var last: RenditionStore.Key?
        while true {
            let keys = renditions.keys(after: last, limit: Self.batch)
            guard let end = keys.last else { return }
            last = end
            let current = try contents(of: keys.map(\.assetUUID))
            let outdated = keys.filter { current[$0.assetUUID] != $0.contentVersion }
            try body(outdated, outdated.map(\.assetUUID).filter { current[$0] == nil })
        }
    }

    /// Returns the content versions of the given assets that exist in the library.
    private func contents(of assets: [String]) throws -> [String: Int] {
        let marks = Array(repeating: "?", count: assets.count).joined(separator: ", ")
        let rows = try store.read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT uuid, contentVersion FROM asset WHERE uuid IN (\(marks))",
                arguments: StatementArguments(assets)
            ).map { ($0["uuid"] as String, $0["contentVersion"] as Int) }
        }
        return Dictionary(rows, uniquingKeysWith: { first, _ in first })
    }
}
