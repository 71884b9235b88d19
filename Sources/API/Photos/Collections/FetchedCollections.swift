internal import LibraryService
internal import PhotoModel

/// The albums and folders of a fetch: row ids, and the records around the places last looked at.
final class FetchedCollections: FetchedObjects {
    private let ids: RowIDBuffer
    private let connection: LibraryConnection
    private let answered: FetchTrack
    /// What an object is that has no row any more.
    private let kind: ObjectKind
    private let cache = BatchCache<PHCollection>()

    /// The collections of an answer.
    ///
    /// - Parameters:
    ///   - answer: What was asked, and what came of it.
    ///   - wantsSteps: Whether changes are wanted in detail.
    ///   - connection: The library that was asked.
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

    /// The collections of a batch.
    ///
    /// One that was deleted is what it was then; one that cannot be read has no values.
    private func load(_ range: Range<Int>) -> [PHCollection] {
        let wanted = RowIDBuffer(ids.ids[range])
        var records: ArraySlice<CollectionRecord> = []
        var version = answered.own.snapshot.version
        do throws(LibraryError) {
            let request = CollectionLoadRequest(ids: wanted, includesFormer: true)
            let reply = try connection.service().loadCollections(request)
            (records, version) = (reply.collections[...], reply.version)
        } catch {
            connection.reportUnlessUnavailable(error)
        }
        let together = ObjectBatch(
            connection: connection,
            kind: .album,
            ids: wanted,
            version: version
        )
        // Records come in the order asked for, those without a row left out.
        return wanted.map { id in
            if records.first?.id == id, let record = records.popFirst() {
                return PHCollection.loaded(record, batch: together)
            }
            return kind == .folder
                ? PHCollectionList(record: nil, batch: together)
                : PHAssetCollection(record: nil, batch: together)
        }
    }

    func index(of object: PHObject, in range: Range<Int>) -> Int? {
        guard let id = rowID(of: object) else { return nil }
        return ids.ids[range].firstIndex(of: id)
    }

    /// The row id of an object in this library; that of another one is looked up by its identifier.
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
