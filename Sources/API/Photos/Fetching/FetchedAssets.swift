internal import LibraryService
internal import PhotoModel
internal import Synchronization

/// The assets in a fetch result: their row ids in one flat buffer, and a cache of recently used
/// records.
///
/// An asset that is not accessed costs 8 bytes. Records are loaded in batches, and only a few
/// batches are kept, so iterating over a million assets does not fill memory.
final class FetchedAssets: FetchedObjects {
    /// The number of records per batch.
    static let batchSize = 256
    private let ids: RowIDBuffer
    private let connection: LibraryConnection
    private let answered: FetchTrack
    private let cache = BatchCache<PHAsset>()
    private let counts = Mutex<[MediaType: Int]?>(nil)

    /// Creates the storage of a fetch result from the assets that a query returned.
    ///
    /// - Parameters:
    ///   - answer: The query and its result.
    ///   - wantsSteps: Whether to compute incremental change details.
    ///   - connection: The library that ran the query.
    init(_ answer: FetchTrack.Answer, wantsSteps: Bool, connection: LibraryConnection) {
        ids = answer.ids
        self.connection = connection
        answered = FetchTrack(connection: connection, answer: answer, wantsSteps: wantsSteps)
    }

    var track: FetchTrack? { answered }

    var rowIDs: (ids: RowIDBuffer, connection: LibraryConnection) { (ids, connection) }

    func successor(with answer: FetchTrack.Answer) -> any FetchedObjects {
        FetchedAssets(answer, wantsSteps: answered.wantsSteps, connection: connection)
    }

    var count: Int { ids.count }

    func object(at index: Int) -> PHObject {
        cache.object(at: index, of: ids.count, load: load)
    }

    /// Loads the assets of a batch.
    ///
    /// An asset that has since been deleted, or hidden from a program without permission to see
    /// hidden assets, keeps the values with which the program could last see it. An asset that
    /// cannot be read has no values.
    private func load(_ range: Range<Int>) -> BatchCache<PHAsset>.Batch {
        let wanted = RowIDBuffer(ids.ids[range])
        var records: ArraySlice<AssetRecord> = []
        var version = answered.own.snapshot.version
        var isLoaded = true
        do throws(LibraryError) {
            let request = AssetLoadRequest(ids: wanted, since: version)
            let reply = try connection.service().loadAssets(request)
            (records, version) = (reply.assets[...], reply.version)
        } catch {
            isLoaded = false
            connection.reportUnlessUnavailable(error)
        }
        let together = ObjectBatch(
            connection: connection,
            kind: .asset,
            ids: wanted,
            version: version
        )
        // The reply keeps the order of the request and leaves out ids without a row.
        let objects = wanted.map { id -> PHAsset in
            let record = records.first?.id == id ? records.popFirst() : nil
            return PHAsset(record: record, batch: together)
        }
        return BatchCache<PHAsset>.Batch(objects: objects, isLoaded: isLoaded)
    }

    func index(of object: PHObject, in range: Range<Int>) -> Int? {
        guard let id = rowID(of: object) else { return nil }
        return ids.ids.withUnsafeBufferPointer { buffer in
            var index = range.lowerBound
            while index < range.upperBound {
                if buffer[index] == id { return index }
                index += 1
            }
            return nil
        }
    }

    /// Returns an object's row id in this library, or nil if the library does not contain the
    /// object.
    ///
    /// An object from another connection is looked up by its local identifier.
    private func rowID(of object: PHObject) -> Int64? {
        if let asset = object as? PHAsset, asset.connection === connection, let id = asset.rowID {
            return id
        }
        let identifier = object.localIdentifier
        guard !identifier.isEmpty else { return nil }
        var request = AssetFetchRequest(scope: .identifiers([identifier]))
        request.includesHidden = true
        request.includesAllBurstMembers = true
        request.sourceTypes = [.userLibrary, .cloudShared, .computerSynced]
        do throws(LibraryError) {
            return try connection.service().fetch(request).ids.first
        } catch {
            connection.reportUnlessUnavailable(error)
            return nil
        }
    }

    func countOfAssets(with mediaType: PHAssetMediaType) -> Int {
        guard let wanted = MediaType(rawValue: mediaType.rawValue) else { return 0 }
        if let counts = counts.withLock(\.self) { return counts[wanted] ?? 0 }
        do throws(LibraryError) {
            let request = AssetCountRequest(ids: ids, since: answered.own.snapshot.version)
            let found = try connection.service().countAssets(request).counts
            counts.withLock { $0 = found }
            return found[wanted] ?? 0
        } catch {
            connection.reportUnlessUnavailable(error)
            return 0
        }
    }
}
