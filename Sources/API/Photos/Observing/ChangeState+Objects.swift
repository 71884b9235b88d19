internal import LibraryService
internal import PhotoModel

extension ChangeState {
    /// What became of an object; nil when nothing did.
    struct ObjectOutcome {
        /// The object as it is now; nil when it is gone.
        let after: PHObject?
        let contentChanged: Bool
    }

    /// What became of an object since it was loaded; nil when it is as it was, or of no library.
    func outcome(for object: PHObject) throws(LibraryError) -> ObjectOutcome? {
        guard let batch = object.batch, batch.connection === connection, let id = object.rowID
        else { return nil }
        var since = batch.version
        var isLater = false
        if let touched {
            let ids = batch.kind == .asset ? touched.assets : touched.collections
            if batch.version >= from.version, !ids.holds(id) { return nil }
            // What was first looked at afterwards is as it is now; or, deleted unseen, as it was.
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
