internal import GRDB
package import LibraryService
internal import PhotoModel

/// Reads the changes after a version, limited to those that a client may see.
package struct HistoryReader: Sendable {
    private let view: LibraryView

    package init(_ view: LibraryView) {
        self.view = view
    }

    /// Returns the versions that follow a given version, with their changes, oldest first.
    ///
    /// A version without changes that the client may see has an empty list.
    ///
    /// - Throws: `accessDenied` or `accessRestricted` for a client without access; `historyExpired`
    ///   for a version before the start of the journal, for one that does not exist yet, or for one
    ///   whose stamp differs from the request's.
    package func history(_ request: HistoryRequest) throws -> HistoryReply {
        try view.read { reading in
            if reading.access.isNone {
                throw view.access.state.refusal ?? ClientAccess.refused
            }
            let start = try HistorySummary.start(reading.database)
            guard request.since >= start, request.since <= reading.version else {
                throw LibraryError.historyExpired(since: request.since)
            }
            let stamp = try HistorySummary.stamp(of: request.since, reading.database)
            if let known = request.stamp, known != stamp {
                throw LibraryError.historyReplaced(since: request.since)
            }
            var versions = try HistorySummary.versions(
                reading.database,
                since: request.since,
                limit: max(0, request.limit),
                excludesHidden: !reading.access.includesHidden
            )
            if reading.access != .full {
                for index in versions.indices {
                    versions[index].changes.removeAll { !permits($0, reading.access) }
                    // The author of invisible changes is not visible either.
                    if versions[index].changes.isEmpty { versions[index].author = "" }
                }
            }
            return HistoryReply(versions: versions, current: reading.version, stamp: stamp)
        }
    }

    /// Returns whether a client may see a change of an object that is not hidden.
    private func permits(_ change: HistoryChange, _ access: LibraryAccess) -> Bool {
        change.object == .asset
            ? access.permits(asset: change.uuid, isHidden: false) : access.permitsCollections
    }
}
