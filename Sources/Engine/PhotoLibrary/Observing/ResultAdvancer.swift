internal import GRDB
package import LibraryService
internal import PhotoModel

/// Determines changes of fetch results from the journal, without repeating the fetches.
///
/// Only fetches with a limit, fetches whose results depend on other rows, and fetches of a client
/// whose access changed are fetched again and compared. The results of a client's closures are
/// taken from the request: the client evaluates the closures again for touched objects.
package struct ResultAdvancer: Sendable {
    /// The maximum number of touched objects for which a reply contains changes instead of the
    /// whole result.
    static let mostTouched = 50_000
    /// The minimum size of a result that is sent as a whole if more than a quarter of it changed.
    static let largeResult = 10_000

    private let view: LibraryView
    /// The minimum number of matches for which repeating the fetch is considered; see
    /// `FetchPlan.advance`.
    private let manyMatches: Int

    package init(_ view: LibraryView) { self.init(view, manyMatches: FetchPlan.manyMatches) }

    init(_ view: LibraryView, manyMatches: Int) {
        self.view = view
        self.manyMatches = manyMatches
    }

    /// Returns the changes from an earlier result to the current one.
    ///
    /// - Throws: The errors of fetching.
    package func advance(_ request: AdvanceRequest) throws -> AdvanceReply {
        try view.read(pin: request.pin, hasPredicate: request.query.hasPredicate) { reading in
            let plan = try request.query.plan(reading)
            let (before, now) = (request.snapshot, reading.snapshot(of: plan))
            // A result of a later state than the one being read is not reverted. The version is 0
            // without access.
            guard
                now.version > before.version || now.epoch != before.epoch
                    || now.firstRecentDay > before.firstRecentDay,
                now.version >= before.version || reading.access.isNone
            else { return AdvanceReply(snapshot: before, outcome: .unchanged) }
            let outcome = try outcome(request, plan, reading)
            return AdvanceReply(snapshot: now, outcome: outcome)
        }
    }

    private func outcome(
        _ request: AdvanceRequest,
        _ plan: FetchPlan,
        _ reading: LibraryView.Reading
    ) throws -> AdvanceReply.Outcome {
        // A client without access learns nothing of the journal, not even where it begins.
        if reading.access.isNone { return try comparison(request, plan, nil, reading) }
        let touched = TouchedObjects(
            database: reading.database,
            since: request.snapshot.version,
            through: reading.version
        )
        guard try touched.isComplete() else {
            return .reload(try view.answer(to: request.query, plan, in: reading))
        }
        if request.snapshot.epoch == reading.snapshot.epoch,
            request.snapshot.firstRecentDay == plan.firstRecentDay, plan.canAdvance,
            let rows = try touched.rows(of: plan, limit: Self.mostTouched),
            let advance = try plan.advance(
                request.ids,
                touched: rows,
                many: manyMatches,
                in: reading.database
            )
        {
            return outcome(of: advance, request, plan, reading)
        }
        return try comparison(request, plan, touched, reading)
    }

    private func outcome(
        of advance: ListAdvance,
        _ request: AdvanceRequest,
        _ plan: FetchPlan,
        _ reading: LibraryView.Reading
    ) -> AdvanceReply.Outcome {
        guard !advance.isEmpty else {
            view.keep(request.ids, to: request.query, plan, in: reading)
            return .unchanged
        }
        let ids = RowIDBuffer(advance.newIDs)
        view.keep(ids, to: request.query, plan, in: reading)
        let most = max(advance.oldPlaces.count, advance.matches.count)
        guard request.wantsSteps, !Self.isTooMuch(most, in: request.ids) else {
            return .reload(ids)
        }
        return .steps(ids, advance.steps)
    }

    /// Fetches the result again, and compares it with the earlier one.
    ///
    /// Without touched objects, no object of both results counts as changed.
    private func comparison(
        _ request: AdvanceRequest,
        _ plan: FetchPlan,
        _ touched: TouchedObjects?,
        _ reading: LibraryView.Reading
    ) throws -> AdvanceReply.Outcome {
        let ids = try view.answer(to: request.query, plan, in: reading)
        var rows = try touched?.rows(of: plan, limit: .max) ?? []
        if plan.table == "collection", plan.firstRecentDay != request.snapshot.firstRecentDay {
            rows = ContiguousArray(
                Set(rows).union([SmartAlbum.recentlyAdded.rowID]).sorted()
            )
        }
        let filter = RowIDFilter(rows)
        let touchedBefore = filter.places(in: request.ids.ids)
        let touchedNow = filter.places(in: ids.ids)
        if touchedNow.isEmpty, touchedBefore.isEmpty, ids == request.ids { return .unchanged }
        guard request.wantsSteps, rows.count <= Self.mostTouched,
            !Self.isTooMuch(max(touchedBefore.count, touchedNow.count), in: request.ids)
        else { return .reload(ids) }
        let steps = ListSteps(
            from: request.ids,
            to: ids,
            changed: Set(touchedNow.map { ids[$0] })
        )
        let most = max(steps.removed.count, steps.inserted.count)
        return Self.isTooMuch(most, in: request.ids) ? .reload(ids) : .steps(ids, steps)
    }

    private static func isTooMuch(_ count: Int, in result: RowIDBuffer) -> Bool {
        count > mostTouched || (result.count >= largeResult && count > result.count / 4)
    }
}
