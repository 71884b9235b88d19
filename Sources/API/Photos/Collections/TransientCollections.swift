internal import Foundation
internal import LibraryService
internal import PhotoModel

/// The collections of a list that exists only in memory.
struct TransientCollections: Sendable {
    let localIdentifier = LocalIdentifier(new: .folder).description
    let title: String?
    private let collections: [PHCollection]

    /// Creates the list, with duplicate collections removed.
    init(_ collections: [PHCollection], title: String?) {
        var seen: Set<PHCollection> = []
        self.collections = collections.filter { seen.insert($0).inserted }
        self.title = title
    }

    /// Returns the collections that match the options, in the list's order.
    func fetch(_ options: PHFetchOptions?) -> PHFetchResult<PHCollection> {
        let connection = collections.lazy.compactMap(\.connection).first ?? .current
        let ids = collections.compactMap { collection in
            // The root folder has no row.
            collection.connection === connection && collection.rowID != CollectionRecord.root.id
                ? collection.rowID : nil
        }
        if ids.count == collections.count {
            return CollectionFetch(
                .rowIDs(RowIDBuffer(ids)),
                options: options,
                connection: connection
            ).result()
        }
        do throws(LibraryError) {
            return PHFetchResult(ListedObjects(try chosen(options, connection)))
        } catch {
            connection.reportUnlessUnavailable(error)
            return PHFetchResult()
        }
    }

    /// Filters, sorts and limits a list in which some collections are not in the library.
    ///
    /// SQLite filters and sorts such a list too. The request therefore contains the properties of
    /// all its collections.
    private func chosen(
        _ options: PHFetchOptions?,
        _ connection: LibraryConnection
    ) throws(LibraryError) -> [PHCollection] {
        let limit = max(0, options?.fetchLimit ?? 0)
        guard let options, options.predicate != nil || options.sortDescriptors?.isEmpty == false
        else { return limit > 0 ? Array(collections.prefix(limit)) : collections }
        guard collections.count <= CollectionFetchRequest.mostListed else {
            throw LibraryError(
                .unsupportedPredicate,
                "A list with \(collections.count) collections cannot be filtered or sorted.",
                reason: """
                    It contains collections that are not in the library. In such lists, at most \
                    \(CollectionFetchRequest.mostListed) can be compared.
                    """,
                recovery: "Fetch without a predicate and without sort descriptors."
            )
        }
        let members = collections.enumerated().map { index, collection in
            let id = collection.connection === connection ? collection.rowID : nil
            return (id: id ?? Self.firstID + Int64(index), collection: collection)
        }
        var request = CollectionFetchRequest(
            scope: .listed(members.map { $0.collection.listed(as: $0.id) })
        )
        request.sort = options.sortKeys
        request.limit = limit
        if let predicate = options.predicate {
            let plan = try PredicatePlan(predicate)
            let answers = plan.closures.map { closure in
                RowIDBuffer(
                    members.filter { closure.evaluate(with: $0.collection) }.map(\.id)
                )
            }
            request.predicate = try plan.node(answers: answers)
        }
        let byID = Dictionary(
            members.map { ($0.id, $0.collection) },
            uniquingKeysWith: { first, _ in first }
        )
        return try connection.service().fetchCollections(request).ids.compactMap { byID[$0] }
    }

    // Row ids count up from 1, and smart albums count down from -1, so these numbers do not
    // collide.
    private static let firstID: Int64 = 1 << 60
}

extension PHCollection {
    /// Returns a record of this collection under the given row id, as if the collection were in the
    /// library.
    fileprivate func listed(as id: Int64) -> CollectionRecord {
        var record =
            self.record
            ?? CollectionRecord(
                id: id,
                uuid: String(localIdentifier.prefix(36)),
                kind: canContainAssets ? .album : .folder,
                title: localizedTitle ?? "",
                parentID: CollectionRecord.root.id,
                position: 0,
                creationDate: Date(timeIntervalSinceReferenceDate: 0)
            )
        record.id = id
        if let album = self as? PHAssetCollection {
            record.assetCount = album.estimatedAssetCount
            record.startDate = album.startDate
            record.endDate = album.endDate
        }
        return record
    }
}

/// The objects of a fetch result that was not produced by a query, such as a list in memory.
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
