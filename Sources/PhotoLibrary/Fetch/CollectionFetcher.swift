internal import GRDB
package import LibraryService
internal import PhotoModel

/// Answers fetches of albums and folders, and loads what they found.
///
/// Thread-safe.
package struct CollectionFetcher: Sendable {
    private let view: LibraryView

    package init(_ view: LibraryView) {
        self.view = view
    }

    /// Row ids in order, at the present version.
    package func fetch(_ request: CollectionFetchRequest) throws -> CollectionFetchReply {
        try view.read { reading in
            let query = AdvanceRequest.Query.collections(request)
            let plan = try query.plan(reading.access)
            let ids = try view.answer(to: query, plan, in: reading)
            return CollectionFetchReply(snapshot: reading.snapshot, ids: ids)
        }
    }

    /// Records in the order asked for; ids without a row are left out.
    package func load(_ request: CollectionLoadRequest) throws -> CollectionLoadReply {
        try view.read(pin: request.pin) { reading in
            CollectionLoadReply(
                version: reading.version,
                collections: try request.ids.compactMap { try reading.collection($0) }
            )
        }
    }
}
