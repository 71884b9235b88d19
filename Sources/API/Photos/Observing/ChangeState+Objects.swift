internal import LibraryService
internal import PhotoModel

extension ChangeState {
    /// The effect of a library change on one object.
    struct ObjectOutcome {
        /// The object after the change, or nil if it was deleted.
        let after: PHObject?
        let contentChanged: Bool
    }

    /// Returns how an object changed between the time it was loaded and the state after this
    /// library change.
    ///
    /// It is nil if the object is unchanged or does not belong to this library connection.
    func outcome(for object: PHObject) throws(LibraryError) -> ObjectOutcome? {
        guard let batch = object.batch, batch.connection === connection, let id = object.rowID
        else { return nil }
        var since = batch.version
        var isLater = false
        if let touched {
            let ids = batch.kind == .asset ? touched.assets : touched.collections
            if batch.version >= from.version, !ids.holds(id) { return nil }
            // An object loaded after the change is already current, unless it was deleted before it
            // was loaded.
            isLater = batch.version >= to.version
            if isLater { since = from.version }
        }
        let ids = RowIDBuffer(CollectionOfOne(id))
        let reply = try service.objectChanges(
            ObjectChangesRequest(kind: batch.kind, ids: ids, since: since, pin: pin)
        )
        if isLater {
            guard case .deleted? = reply.outcomes.first else { return nil }
        }
        let now = ObjectBatch(
            connection: connection,
            kind: batch.kind,
            ids: ids,
            version: reply.version
        )
        switch reply.outcomes.first {
        case .asset(let record, let contentChanged):
            return ObjectOutcome(
                after: PHAsset(record: record, batch: now),
                contentChanged: contentChanged
            )
        case .collection(let record):
            return ObjectOutcome(
                after: PHCollection.loaded(record, batch: now),
                contentChanged: false
            )
        case .deleted:
            return ObjectOutcome(after: nil, contentChanged: false)
        case .unchanged, nil:
            return nil
        }
    }
}
