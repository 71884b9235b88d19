internal import GRDB
package import LibraryService
internal import PhotoModel

/// Determines the objects that changed between versions, and their current state.
package struct ChangedObjects: Sendable {
    private let view: LibraryView

    package init(_ view: LibraryView) {
        self.view = view
    }

    /// Returns the objects that changed between two versions and that the client may see.
    ///
    /// - Throws: `historyExpired`.
    package func touched(_ request: TouchedRequest) throws -> TouchedReply {
        try view.read { reading in
            if reading.access.isNone {
                return TouchedReply(assets: RowIDBuffer(), collections: RowIDBuffer())
            }
            let touched = TouchedObjects(
                database: reading.database,
                since: request.since,
                through: request.through
            )
            guard try touched.isComplete() else {
                throw LibraryError.historyExpired(since: request.since)
            }
            var assets = try touched.assets() ?? []
            var collections = try touched.collections() ?? []
            if case .some = reading.access.assets {
                // For deleted objects it is no longer known whether the client could see them, so
                // they are included, as are hidden ones, which may have been visible before.
                assets = try assets.filter { id in
                    try reading.uuid(ofAsset: id).map {
                        reading.access.permits(asset: $0, isHidden: false)
                    } ?? true
                }
            }
            if !reading.access.permitsCollections {
                collections.removeAll { SmartAlbum(rowID: $0) == nil }
            }
            return TouchedReply(
                assets: RowIDBuffer(assets),
                collections: RowIDBuffer(collections)
            )
        }
    }

    /// Returns the current state of objects that changed since a version.
    package func changes(_ request: ObjectChangesRequest) throws -> ObjectChangesReply {
        try view.read(pin: request.pin) { reading in
            let touched = TouchedObjects(
                database: reading.database,
                since: request.since,
                through: reading.version
            )
            let outcomes =
                request.kind == .asset
                ? try assets(request.ids, touched, reading)
                : try collections(request.ids, touched, reading)
            return ObjectChangesReply(version: reading.version, outcomes: outcomes)
        }
    }

    private func assets(
        _ ids: RowIDBuffer,
        _ touched: TouchedObjects,
        _ reading: LibraryView.Reading
    ) throws -> [ObjectChangesReply.Outcome] {
        // A pruned journal has no information, so everything may have changed.
        let isComplete = try touched.isComplete()
        let rows = isComplete ? Set(try touched.assets() ?? []) : []
        let newContent = isComplete ? try touched.assetsWithNewContent() : []
        return try ids.map { id in
            let isTouched = !isComplete || rows.contains(id)
            if !isTouched, reading.access == .full { return .unchanged }
            guard let record = try reading.asset(id), record.trashedDate == nil else {
                if isTouched { return .deleted }
                return try reading.permits(reading.uuid(ofAsset: id)) ? .unchanged : .deleted
            }
            guard isTouched else { return .unchanged }
            return .asset(record, contentChanged: !isComplete || newContent.contains(id))
        }
    }

    private func collections(
        _ ids: RowIDBuffer,
        _ touched: TouchedObjects,
        _ reading: LibraryView.Reading
    ) throws -> [ObjectChangesReply.Outcome] {
        let isComplete = try touched.isComplete()
        let rows = isComplete ? Set(try touched.collections() ?? []) : []
        return try ids.map { id in
            let isSmart = SmartAlbum(rowID: id) != nil && !reading.access.isNone
            guard reading.access.permitsCollections || isSmart else { return .deleted }
            guard id != CollectionRecord.root.id, !isComplete || rows.contains(id) else {
                return .unchanged
            }
            return try reading.collection(id).map(ObjectChangesReply.Outcome.collection)
                ?? .deleted
        }
    }
}
