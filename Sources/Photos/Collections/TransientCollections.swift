internal import Foundation
internal import LibraryService
internal import PhotoModel

/// The collections of a list that lives in memory only.
struct TransientCollections: Sendable {
    let localIdentifier = LocalIdentifier(new: .folder).description
    let title: String?
    private let collections: [PHCollection]

    init(_ collections: [PHCollection], title: String?) {
        self.collections = collections
        self.title = title
    }

    /// The collections that options leave, in the list's order.
    ///
    /// Lists in which others of their kind are cannot be filtered and sorted: SQLite does that.
    func fetch(_ options: PHFetchOptions?) -> PHFetchResult<PHCollection> {
        let connection = collections.lazy.compactMap(\.connection).first ?? .current
        let ids = collections.compactMap { $0.connection === connection ? $0.rowID : nil }
        if ids.count == collections.count {
            return CollectionFetch(
                .rowIDs(RowIDBuffer(ids)),
                options: options,
                connection: connection
            ).result()
        }
        guard options?.predicate == nil, options?.sortDescriptors?.isEmpty ?? true else {
            connection.report(
                LibraryError(
                    .unsupportedPredicate,
                    "A list with collections in memory cannot be filtered or sorted.",
                    reason: "It holds collections that are not in the library.",
                    recovery: "Fetch without a predicate and without sort descriptors."
                )
            )
            return PHFetchResult()
        }
        let limit = options?.fetchLimit ?? 0
        return PHFetchResult(
            ListedObjects(limit > 0 ? Array(collections.prefix(limit)) : collections)
        )
    }
}

/// Objects that no fetch found: a result over a list in memory.
struct ListedObjects: FetchedObjects {
    private let objects: [PHObject]

    init(_ objects: [PHObject]) { self.objects = objects }

    var track: FetchTrack? { nil }
    func successor(with answer: FetchTrack.Answer) -> any FetchedObjects { self }
    var count: Int { objects.count }
    func object(at index: Int) -> PHObject { objects[index] }
    func index(of object: PHObject, in range: Range<Int>) -> Int? {
        objects[range].firstIndex(of: object)
    }
    func countOfAssets(with mediaType: PHAssetMediaType) -> Int { 0 }
}
