internal import LibraryService
internal import PhotoModel

/// The albums and folders in a fetch result: their row ids, and a cache of recently used records.
final class FetchedCollections: FetchedObjects {
    private let ids: RowIDBuffer
    private let connection: LibraryConnection
    private let answered: FetchTrack
    /// The kind of empty collection to return for a row id whose record cannot be loaded.
    private let kind: ObjectKind
    private let cache = BatchCache<PHCollection>()

    /// Creates the storage of a fetch result from the collections that a query returned.
    ///
    /// - Parameters:
    ///   - answer: The query and its result.
    ///   - wantsSteps: Whether to compute incremental change details.
    ///   - connection: The library that ran the query.
    init(_ answer: FetchTrack.Answer, wantsSteps: Bool, connection: LibraryConnection) {
        ids = answer.ids
        self.connection = connection
        if case .collections(let request) = answer.query {
            kind = request.kind ?? .album
        } else {
            kind = .album
        }
        answered = FetchTrack(connection: connection, answer: answer, wantsSteps: wantsSteps)
    }

    var track: FetchTrack? { answered }

    func successor(with answer: FetchTrack.Answer) -> any FetchedObjects {
        FetchedCollections(answer, wantsSteps: answered.wantsSteps, connection: connection)
    }

    var count: Int { ids.count }

    func object(at index: Int) -> PHObject {
        cache.object(at: index, of: ids.count, load: load)
    }

    /// Loads the collections of a batch.
    ///
    /// A deleted collection keeps the values that it had when it was deleted. A collection that
    /// cannot be read has no values.
    private func load(_ range: Range<Int>) -> BatchCache<PHCollection>.Batch {
        let wanted = RowIDBuffer(ids.ids[range])
        var records: ArraySlice<CollectionRecord> = []
        var version = answered.own.snapshot.version
        var isLoaded = true
        do throws(LibraryError) {
            let request = CollectionLoadRequest(ids: wanted, includesFormer: true)
            let reply = try connection.service().loadCollections(request)
            (records, version) = (reply.collections[...], reply.version)
        } catch {
            isLoaded = false
            connection.reportUnlessUnavailable(error)
        }
        let together = ObjectBatch(
            connection: connection,
            kind: .album,
            ids: wanted,
            version: version
        )
        // The reply keeps the order of the request and leaves out ids without a row.
        let objects = wanted.map { id -> PHCollection in
            if records.first?.id == id, let record = records.popFirst() {
                return PHCollection.loaded(record, batch: together)
            }
            return kind == .folder
                ? PHCollectionList(record: nil, batch: together)
                : PHAssetCollection(record: nil, batch: together)
        }
        return BatchCache<PHCollection>.Batch(objects: objects, isLoaded: isLoaded)
    }

    func index(of object: PHObject, in range: Range<Int>) -> Int? {
        guard let id = rowID(of: object) else { return nil }
        return ids.ids[range].firstIndex(of: id)
    }

    /// Returns an object's row id in this library, or nil if the library does not contain the
    /// object.
    ///
    /// An object from another connection is looked up by its local identifier.
    private func rowID(of object: PHObject) -> Int64? {
        if object.batch?.connection === connection, object is PHCollection { return object.rowID }
        let identifier = object.localIdentifier
        guard !identifier.isEmpty else { return nil }
        do throws(LibraryError) {
            let request = CollectionFetchRequest(scope: .identifiers([identifier]))
            return try connection.service().fetchCollections(request).ids.first
        } catch {
            connection.reportUnlessUnavailable(error)
            return nil
        }
    }

    func countOfAssets(with mediaType: PHAssetMediaType) -> Int { 0 }
}
