internal import GRDB
package import LibraryService
internal import PhotoModel

/// Tells what happened after a version, as far as a client may know.
package struct HistoryReader: Sendable {
    private let view: LibraryView

    package init(_ view: LibraryView) {
        self.view = view
    }

    /// The versions after one, oldest first.
    ///
    /// A version that did nothing to what the client may see has no changes.
    ///
    /// - Throws: `historyExpired` for a version that the journal does not reach back to, that is not
    ///   there yet, or that is not the one with the request's stamp.
    package func history(_ request: HistoryRequest) throws -> HistoryReply {
        try view.read { reading in
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
                limit: max(0, request.limit)
            )
            if reading.access != .full {
                for index in versions.indices {
                    versions[index].changes = try versions[index].changes.compactMap {
                        try permitted($0, reading)
                    }
                    // Who did what is not to be seen is not to be seen either.
                    if versions[index].changes.isEmpty { versions[index].author = "" }
                }
            }
            return HistoryReply(versions: versions, current: reading.version, stamp: stamp)
        }
    }

    /// What a client that may not see everything hears of a change; nil for nothing.
    private func permitted(
        _ change: HistoryChange,
        _ reading: LibraryView.Reading
    ) throws -> HistoryChange? {
        guard change.object == .asset else {
            return reading.access.permitsCollections ? change : nil
        }
        guard reading.access.permits(asset: change.uuid, isHidden: false) else { return nil }
        // Of one that is gone, which there is no row of, it is told that it is gone.
        if reading.access.includesHidden || change.kind == .deleted { return change }
        guard try reading.isHidden(change.uuid) else { return change }
        // To who may not see what is hidden, hiding is deleting.
        guard change.properties.contains("isHidden") else { return nil }
        return HistoryChange(
            object: .asset,
            uuid: change.uuid,
            kind: .deleted,
            contentChanged: true,
            properties: []
        )
    }
}
