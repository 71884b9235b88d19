internal import GRDB
package import LibraryService
internal import PhotoModel

/// Tells how the answers to fetches changed: from the journal, not by fetching again.
///
/// Fetched again, and compared, are only fetches with a limit, those whose answer other rows decide
/// about, and those of a client whose access changed. What a client's closures said is taken as the
/// request has it: the client asks them again for what was touched.
package struct ResultAdvancer: Sendable {
    /// More touched objects than these make a reload.
    static let mostTouched = 50_000
    /// In a result of at least as many, more touched than a quarter of it make a reload.
    static let largeResult = 10_000

    private let view: LibraryView
    /// From how many matches on everything may be fetched again; see `FetchPlan.advance`.
    private let manyMatches: Int

    package init(_ view: LibraryView) { self.init(view, manyMatches: FetchPlan.manyMatches) }

    init(_ view: LibraryView, manyMatches: Int) {
        self.view = view
        self.manyMatches = manyMatches
    }

    /// How an answer became another.
    ///
    /// - Throws: What fetching throws.
    package func advance(_ request: AdvanceRequest) throws -> AdvanceReply {
        try view.read(pin: request.pin, hasPredicate: request.query.hasPredicate) { reading in
            let plan = try request.query.plan(reading)
            let (before, now) = (request.snapshot, reading.snapshot(of: plan))
            // An answer of a later state than the one asked about is not taken back.
            guard
                now.version > before.version || now.epoch > before.epoch
                    || now.firstRecentDay > before.firstRecentDay,
                now.version >= before.version
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

    /// Fetches again and compares.
    private func comparison(
        _ request: AdvanceRequest,
        _ plan: FetchPlan,
        _ touched: TouchedObjects,
        _ reading: LibraryView.Reading
    ) throws -> AdvanceReply.Outcome {
        let ids = try view.answer(to: request.query, plan, in: reading)
        var rows = try touched.rows(of: plan, limit: .max) ?? []
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
