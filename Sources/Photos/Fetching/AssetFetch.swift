internal import Foundation
internal import LibraryService
internal import PhotoModel

/// One fetch of assets: a client's options, turned into a request for the library.
struct AssetFetch {
    private var request: AssetFetchRequest
    private let predicate: NSPredicate?
    private let connection: LibraryConnection

    init(
        _ scope: AssetFetchRequest.Scope,
        mediaType: PHAssetMediaType? = nil,
        options: PHFetchOptions?,
        connection: LibraryConnection = .current
    ) {
        self.connection = connection
        predicate = options?.predicate
        request = AssetFetchRequest(scope: scope)
        request.mediaType = mediaType.flatMap { MediaType(rawValue: $0.rawValue) }
        guard let options else { return }
        request.sort = (options.sortDescriptors ?? []).map {
            AssetFetchRequest.SortKey($0.key ?? "\($0.keyPath)", ascending: $0.ascending)
        }
        request.limit = max(0, options.fetchLimit)
        request.includesHidden = options.includeHiddenAssets
        request.includesAllBurstMembers = options.includeAllBurstAssets
        request.sourceTypes = SourceTypes(rawValue: options.includeAssetSourceTypes.rawValue)
    }

    /// The result, empty and with a logged reason when there can be none.
    func result() -> PHFetchResult<PHAsset> {
        do throws(LibraryError) {
            return try checkedResult()
        } catch {
            connection.reportUnlessUnavailable(error)
            return PHFetchResult()
        }
    }

    /// The result, or why there can be none.
    func checkedResult() throws(LibraryError) -> PHFetchResult<PHAsset> {
        let service = try connection.service()
        var request = request
        if let predicate {
            let plan = try PredicatePlan(predicate)
            request.predicate = try plan.node(answers: answers(of: plan, from: service))
        }
        let reply = try service.fetch(request)
        return PHFetchResult(FetchedAssets(ids: reply.ids, connection: connection))
    }

    // MARK: - Closures

    /// Asks the client's closures about every asset that can still match.
    ///
    /// Their answers become lists of row ids, so that SQLite still does the rest of the comparing, the
    /// sorting and the limiting. No lock is held while they run.
    private func answers(
        of plan: PredicatePlan,
        from service: any LibraryService
    ) throws(LibraryError) -> [RowIDBuffer] {
        let closures = plan.closures
        guard !closures.isEmpty else { return [] }
        var request = request
        request.sort = []
        request.limit = 0
        request.predicate = plan.guaranteed.isEmpty ? nil : .and(plan.guaranteed)
        let candidates = try service.fetch(request).ids

        var answers = [ContiguousArray<Int64>](repeating: [], count: closures.count)
        var start = 0
        while start < candidates.count {
            let end = min(start + FetchedAssets.batchSize, candidates.count)
            let batch = AssetLoadRequest(ids: RowIDBuffer(candidates.ids[start..<end]))
            for record in try service.loadAssets(batch).assets {
                let asset = PHAsset(record: record, connection: connection)
                for (index, closure) in closures.enumerated()
                where closure.evaluate(with: asset) {
                    answers[index].append(record.id)
                }
            }
            start = end
        }
        return answers.map { RowIDBuffer($0) }
    }
}
