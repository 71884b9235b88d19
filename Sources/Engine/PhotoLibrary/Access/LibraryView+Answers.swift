internal import GRDB
internal import LibraryService
internal import PhotoModel

extension AdvanceRequest.Query {
    /// Converts the query to SQL that returns only objects that the client may see.
    func plan(_ reading: LibraryView.Reading) throws -> FetchPlan {
        switch self {
        case .assets(let request):
            try FetchPlan(
                request,
                access: reading.access,
                firstRecentDay: reading.firstRecentDay,
                moment: reading.momentRange(request)
            )
        case .collections(let request):
            try FetchPlan(
                request,
                access: reading.access,
                smartAlbums: reading.smartAlbums(request.smartAlbums),
                firstRecentDay: reading.firstRecentDay,
                moments: reading.momentAnswer(request)
            )
        }
    }
}

extension LibraryView {
    /// Returns the row ids that match a query in the snapshot being read.
    ///
    /// Uses the cached result if it is current. A slightly older cached result is advanced instead
    /// of being fetched again.
    func answer(
        to query: AdvanceRequest.Query,
        _ plan: FetchPlan,
        in reading: Reading
    ) throws -> RowIDBuffer {
        if let known = cache.answer(to: query), known.snapshot.epoch == reading.snapshot.epoch,
            known.snapshot.firstRecentDay == plan.firstRecentDay
        {
            if known.snapshot.version == reading.version { return known.ids }
            if let ids = try advanced(known, plan, in: reading) {
                keep(ids, to: query, plan, in: reading)
                return ids
            }
        }
        let ids = RowIDBuffer(try reading.database.rowIDs(plan.sql, plan.allArguments))
        keep(ids, to: query, plan, in: reading)
        return ids
    }

    /// Caches a result for the state being read.
    func keep(
        _ ids: RowIDBuffer,
        to query: AdvanceRequest.Query,
        _ plan: FetchPlan,
        in reading: Reading
    ) {
        cache.store(FetchCache.Answer(snapshot: reading.snapshot(of: plan), ids: ids), to: query)
    }

    private func advanced(
        _ known: FetchCache.Answer,
        _ plan: FetchPlan,
        in reading: Reading
    ) throws -> RowIDBuffer? {
        let touched = TouchedObjects(
            database: reading.database,
            since: known.snapshot.version,
            through: reading.version
        )
        // Stepping over hundreds of rows costs as much as placing one row.
        let limit = min(10_000, known.ids.count / 200)
        guard limit > 0, known.snapshot.version < reading.version, plan.canAdvance,
            try touched.isComplete(),
            let rows = try touched.rows(of: plan, limit: limit),
            let advance = try plan.advance(known.ids, touched: rows, in: reading.database)
        else { return nil }
        return advance.isEmpty ? known.ids : RowIDBuffer(advance.newIDs)
    }
}
