internal import LibraryService
internal import PhotoModel
internal import Synchronization

/// The assets of a fetch: row ids in one flat buffer, and the records around the places last looked at.
///
/// An asset costs 8 bytes as long as nobody looks at it. Records are loaded by the batch and only a few
/// batches are kept, so going through a million assets does not fill the memory.
final class FetchedAssets: FetchedObjects {
    /// How many records are loaded at once.
    static let batchSize = 256
    /// How many batches are kept: enough for a screen of a grid and the places around it.
    private static let batchLimit = 8

    private struct Cache {
        var batches: [Int: [PHAsset]] = [:]
        /// The batch used last is at the end.
        var order: [Int] = []
        var counts: [MediaType: Int]?
    }

    private let ids: RowIDBuffer
    private let connection: LibraryConnection
    private let answered: FetchTrack
    // Never held while records are loaded, nor while client code runs.
    private let cache = Mutex(Cache())

    /// The assets of an answer.
    ///
    /// - Parameters:
    ///   - answer: What was asked, and what came of it.
    ///   - wantsSteps: Whether changes are wanted in detail.
    ///   - connection: The library that was asked.
    init(_ answer: FetchTrack.Answer, wantsSteps: Bool, connection: LibraryConnection) {
        ids = answer.ids
        self.connection = connection
        answered = FetchTrack(connection: connection, answer: answer, wantsSteps: wantsSteps)
    }

    var track: FetchTrack? { answered }

    func successor(with answer: FetchTrack.Answer) -> any FetchedObjects {
        FetchedAssets(answer, wantsSteps: answered.wantsSteps, connection: connection)
    }

    var count: Int { ids.count }

    func object(at index: Int) -> PHObject {
        let batch = index / Self.batchSize
        let offset = index % Self.batchSize
        let cached = cache.withLock { cache -> PHAsset? in
            guard let assets = cache.batches[batch] else { return nil }
            if cache.order.last != batch, let place = cache.order.firstIndex(of: batch) {
                cache.order.remove(at: place)
                cache.order.append(batch)
            }
            return assets[offset]
        }
        if let cached { return cached }
        let loaded = load(batch)
        return cache.withLock { cache in
            // Another thread may have been quicker: one object per place while a batch is kept.
            if let assets = cache.batches[batch] { return assets[offset] }
            if cache.order.count >= Self.batchLimit {
                cache.batches[cache.order.removeFirst()] = nil
            }
            cache.batches[batch] = loaded
            cache.order.append(batch)
            return loaded[offset]
        }
    }

    /// The assets of a batch.
    ///
    /// One whose row is gone, or cannot be read, has no values.
    private func load(_ batch: Int) -> [PHAsset] {
        let start = batch * Self.batchSize
        let wanted = ids.ids[start..<min(start + Self.batchSize, ids.count)]
        var records: ArraySlice<AssetRecord> = []
        var version = answered.own.snapshot.version
        do throws(LibraryError) {
            let request = AssetLoadRequest(ids: RowIDBuffer(wanted))
            let reply = try connection.service().loadAssets(request)
            (records, version) = (reply.assets[...], reply.version)
        } catch {
            connection.reportUnlessUnavailable(error)
        }
        let together = ObjectBatch(
            connection: connection,
            kind: .asset,
            ids: RowIDBuffer(wanted),
            version: version
        )
        // Records come in the order asked for, those without a row left out.
        return wanted.map { id in
            let record = records.first?.id == id ? records.popFirst() : nil
            return PHAsset(record: record, batch: together)
        }
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

    /// The row id of an object in this library; that of another one is looked up by its identifier.
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
        if let counts = cache.withLock({ $0.counts }) { return counts[wanted] ?? 0 }
        do throws(LibraryError) {
            let counts = try connection.service().countAssets(AssetCountRequest(ids: ids)).counts
            cache.withLock { $0.counts = counts }
            return counts[wanted] ?? 0
        } catch {
            connection.reportUnlessUnavailable(error)
            return 0
        }
    }
}
