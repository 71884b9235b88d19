internal import Foundation
internal import LibraryService
internal import PhotoModel

/// The closure predicates of a fetch and their results, evaluated in the client.
///
/// The results become lists of row ids, so SQLite still evaluates the rest of the predicate, sorts
/// and applies the limit. No lock is held while closures run.
struct ClosureFilter: @unchecked Sendable {
    // Unchecked because predicates are not marked as Sendable. They never change, and a client that
    // passes a closure to a fetch promises that any thread may call it.

    /// The fetch without its predicate.
    private let base: AdvanceRequest.Query
    private let plan: PredicatePlan
    /// The row ids of the objects that matched each closure.
    private let answers: [RowIDBuffer]
    /// The row ids of the objects that the closures were evaluated for, ascending; empty unless the
    /// query is limited to members of a collection.
    private let evaluated: RowIDBuffer
    /// The snapshot that the closures were evaluated against.
    let snapshot: LibrarySnapshot

    private init(
        base: AdvanceRequest.Query,
        plan: PredicatePlan,
        answers: [RowIDBuffer],
        evaluated: RowIDBuffer,
        snapshot: LibrarySnapshot
    ) {
        self.base = base
        self.plan = plan
        self.answers = answers
        self.evaluated = evaluated
        self.snapshot = snapshot
    }

    /// Creates a filter, and evaluates the closures for every candidate.
    ///
    /// A candidate satisfies the conditions that SQLite can evaluate and that every match must
    /// satisfy.
    init(
        _ plan: PredicatePlan,
        of base: AdvanceRequest.Query,
        _ connection: LibraryConnection
    ) throws(LibraryError) {
        let candidates = try Self.candidates(plan, base).answer(of: connection.service())
        self.init(
            base: base,
            plan: plan,
            answers: try base.ask(plan.closures, about: candidates.ids, at: nil, connection),
            evaluated: base.hasMembers ? candidates.ids.ascending : RowIDBuffer(),
            snapshot: candidates.snapshot
        )
    }

    /// Returns the fetch's query with each closure replaced by the objects that it matched.
    func query() throws(LibraryError) -> AdvanceRequest.Query {
        var query = base
        query.predicate = try plan.node(answers: answers)
        return query
    }

    /// Returns a new filter whose closures have been evaluated again for every candidate object.
    func evaluatedAgain(_ connection: LibraryConnection) throws(LibraryError) -> ClosureFilter {
        try ClosureFilter(plan, of: base, connection)
    }

    /// Returns a filter whose closures have been evaluated again for changed objects and for new
    /// members of the query's collection only.
    ///
    /// - Parameters:
    ///   - touched: The changed objects.
    ///   - pin: The pinned version to evaluate against.
    ///   - connection: The library.
    /// - Returns: The filter with the updated results.
    /// - Throws: The reason that the library cannot be read.
    func advanced(
        over touched: TouchedReply,
        at pin: Int64,
        _ connection: LibraryConnection
    ) throws(LibraryError) -> ClosureFilter {
        let changed = base.objects(of: touched)
        let mayHaveNewMembers = base.mayHaveNewMembers(after: touched)
        guard mayHaveNewMembers || !changed.isEmpty else { return self }
        let request = Self.candidates(plan, base, among: mayHaveNewMembers ? nil : changed)
        let present = try request.answer(of: connection.service()).ids.ascending
        // Other members have answers, which remain valid.
        let candidates = RowIDBuffer(
            present.ids.filter { changed.holds($0) || !evaluated.holds($0) || !mayHaveNewMembers }
        )
        let news = try base.ask(plan.closures, about: candidates, at: pin, connection)
        return ClosureFilter(
            base: base,
            plan: plan,
            answers: zip(answers, news).map { old, new in
                RowIDBuffer(
                    old.ids.filter { !changed.holds($0) && !candidates.holds($0) } + new.ids
                )
            },
            evaluated: mayHaveNewMembers ? present : allEvaluated(including: candidates),
            snapshot: snapshot
        )
    }

    /// Returns the objects that the closures were evaluated for, including further ones.
    private func allEvaluated(including more: RowIDBuffer) -> RowIDBuffer {
        let new = more.ids.filter { !evaluated.holds($0) }
        guard base.hasMembers, !new.isEmpty else { return evaluated }
        return RowIDBuffer((evaluated.ids + new).sorted())
    }

    /// Returns a query for the candidates: the objects that may match, depending on the closures.
    private static func candidates(
        _ plan: PredicatePlan,
        _ base: AdvanceRequest.Query,
        among ids: RowIDBuffer? = nil
    ) -> AdvanceRequest.Query {
        var query = base.withoutOrder
        let conditions = plan.guaranteed + (ids.map { [.rowIDs($0)] } ?? [])
        query.predicate = conditions.isEmpty ? nil : .and(conditions)
        return query
    }
}

extension RowIDBuffer {
    /// The same row ids in ascending order.
    fileprivate var ascending: RowIDBuffer { RowIDBuffer(ids.sorted()) }
}

extension AdvanceRequest.Query {
    /// Evaluates closures for objects of the kind that the query fetches, one batch at a time.
    ///
    /// - Returns: For each closure, the row ids of the objects that it matched.
    fileprivate func ask(
        _ closures: [NSPredicate],
        about candidates: RowIDBuffer,
        at pin: Int64?,
        _ connection: LibraryConnection
    ) throws(LibraryError) -> [RowIDBuffer] {
        var answers = [ContiguousArray<Int64>](repeating: [], count: closures.count)
        var start = 0
        while start < candidates.count {
            let end = min(start + FetchedAssets.batchSize, candidates.count)
            let ids = RowIDBuffer(candidates.ids[start..<end])
            for (id, object) in try load(ids, at: pin, connection) {
                for (index, closure) in closures.enumerated()
                where closure.evaluate(with: object) {
                    answers[index].append(id)
                }
            }
            start = end
        }
        return answers.map { RowIDBuffer($0) }
    }

    private func load(
        _ ids: RowIDBuffer,
        at pin: Int64?,
        _ connection: LibraryConnection
    ) throws(LibraryError) -> [(Int64, PHObject)] {
        let service = try connection.service()
        switch self {
        case .assets:
            let reply = try service.loadAssets(AssetLoadRequest(ids: ids, pin: pin))
            let batch = ObjectBatch(
                connection: connection,
                kind: .asset,
                ids: ids,
                version: reply.version
            )
            return reply.assets.map { ($0.id, PHAsset(record: $0, batch: batch)) }
        case .collections:
            let reply = try service.loadCollections(CollectionLoadRequest(ids: ids, pin: pin))
            let batch = ObjectBatch(
                connection: connection,
                kind: .album,
                ids: ids,
                version: reply.version
            )
            return reply.collections.map { ($0.id, PHCollection.loaded($0, batch: batch)) }
        }
    }
}
