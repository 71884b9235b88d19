internal import Foundation
internal import LibraryService
internal import PhotoModel

/// The part of an asset fetch that only the client's closures can answer, and what they said.
///
/// Their answers become lists of row ids, so that SQLite still does the rest of the comparing, the
/// sorting and the limiting. No lock is held while they run.
struct ClosureFilter: @unchecked Sendable {
    // Unchecked because predicates are not marked as Sendable: they never change, and who hands a
    // closure to a fetch promises that it may be called from any thread.

    /// The fetch without its predicate.
    private let base: AssetFetchRequest
    private let plan: PredicatePlan
    /// Per closure, the assets that it said yes to.
    private let answers: [RowIDBuffer]
    /// The state that the closures have seen.
    let snapshot: LibrarySnapshot

    private init(
        base: AssetFetchRequest,
        plan: PredicatePlan,
        answers: [RowIDBuffer],
        snapshot: LibrarySnapshot
    ) {
        self.base = base
        self.plan = plan
        self.answers = answers
        self.snapshot = snapshot
    }

    /// Asks the closures about every asset that can still match.
    init(
        _ plan: PredicatePlan,
        of base: AssetFetchRequest,
        _ connection: LibraryConnection
    ) throws(LibraryError) {
        let candidates = try connection.service().fetch(Self.candidates(plan, base))
        self.init(
            base: base,
            plan: plan,
            answers: try Self.ask(plan.closures, about: candidates.ids, at: nil, connection),
            snapshot: candidates.snapshot
        )
    }

    /// The same fetch with the answers in the places of the closures.
    func request() throws(LibraryError) -> AssetFetchRequest {
        var request = base
        request.predicate = try plan.node(answers: answers)
        return request
    }

    /// Asks the closures about everything again.
    func evaluatedAgain(_ connection: LibraryConnection) throws(LibraryError) -> ClosureFilter {
        try ClosureFilter(plan, of: base, connection)
    }

    /// Asks the closures about assets that changed; what they said of others stays.
    ///
    /// - Parameters:
    ///   - touched: The assets that changed, ascending.
    ///   - pin: The state to ask about.
    ///   - connection: The library.
    func advanced(
        over touched: RowIDBuffer,
        at pin: Int64,
        _ connection: LibraryConnection
    ) throws(LibraryError) -> ClosureFilter {
        guard !touched.isEmpty else { return self }
        let request = Self.candidates(plan, base, among: touched)
        let candidates = try connection.service().fetch(request).ids
        let news = try Self.ask(plan.closures, about: candidates, at: pin, connection)
        return ClosureFilter(
            base: base,
            plan: plan,
            answers: zip(answers, news).map { old, new in
                RowIDBuffer(old.ids.filter { !touched.holds($0) } + new.ids)
            },
            snapshot: snapshot
        )
    }

    /// What can still match, whatever the closures say.
    private static func candidates(
        _ plan: PredicatePlan,
        _ base: AssetFetchRequest,
        among ids: RowIDBuffer? = nil
    ) -> AssetFetchRequest {
        var request = base
        request.sort = []
        request.limit = 0
        let conditions = plan.guaranteed + (ids.map { [.rowIDs($0)] } ?? [])
        request.predicate = conditions.isEmpty ? nil : .and(conditions)
        return request
    }

    private static func ask(
        _ closures: [NSPredicate],
        about candidates: RowIDBuffer,
        at pin: Int64?,
        _ connection: LibraryConnection
    ) throws(LibraryError) -> [RowIDBuffer] {
        let service = try connection.service()
        var answers = [ContiguousArray<Int64>](repeating: [], count: closures.count)
        var start = 0
        while start < candidates.count {
            let ids = RowIDBuffer(
                candidates.ids[start..<min(start + FetchedAssets.batchSize, candidates.count)]
            )
            let reply = try service.loadAssets(AssetLoadRequest(ids: ids, pin: pin))
            let batch = ObjectBatch(
                connection: connection,
                kind: .asset,
                ids: ids,
                version: reply.version
            )
            for record in reply.assets {
                let asset = PHAsset(record: record, batch: batch)
                for (index, closure) in closures.enumerated()
                where closure.evaluate(with: asset) {
                    answers[index].append(record.id)
                }
            }
            start += ids.count
        }
        return answers.map { RowIDBuffer($0) }
    }
}
