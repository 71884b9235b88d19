internal import GRDB
package import LibraryService
internal import PhotoModel

/// Fetches albums and folders and loads their records.
///
/// Thread-safe.
package struct CollectionFetcher: Sendable {
    private let view: LibraryView

    package init(_ view: LibraryView) {
        self.view = view
    }

    /// Fetches the row ids of the matching collections, in order, at the current library version.
    package func fetch(_ request: CollectionFetchRequest) throws -> CollectionFetchReply {
        try view.read(hasPredicate: request.predicate != nil) { reading in
            let query = AdvanceRequest.Query.collections(request)
            let plan = try query.plan(reading)
            let ids = try view.answer(to: query, plan, in: reading)
            return CollectionFetchReply(snapshot: reading.snapshot(of: plan), ids: ids)
        }
    }

    /// Loads records in the order requested; ids without a row are omitted.
    package func load(_ request: CollectionLoadRequest) throws -> CollectionLoadReply {
        try view.read(pin: request.pin) { reading in
            // Loaded together, so that one read computes the counts of all.
            let smart = try reading.smartAlbums(request.ids.compactMap(SmartAlbum.init(rowID:)))
            let records = Dictionary(smart.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
            return CollectionLoadReply(
                version: reading.version,
                collections: try request.ids.compactMap { id -> CollectionRecord? in
                    if let record = try records[id] ?? reading.collection(id) { return record }
                    return request.includesFormer ? try reading.formerCollection(id) : nil
                }
            )
        }
    }
}
