internal import LibraryService
internal import PhotoModel

/// A fetch whose result new objects can enter, and the newest object that was considered for it.
///
/// A program may copy the objects of a result and release the result, and still has to be notified
/// of new objects, so that it fetches again. Changes of the objects that it retains are found
/// through their batches.
struct OpenFetch: Sendable {
    let query: AdvanceRequest.Query
    /// The highest row id that was considered; later objects have higher row ids.
    private(set) var newest: Int64

    /// Creates the record of a fetch; nil if no new object can enter its result, or if its
    /// predicate contains closures.
    init?(_ answer: FetchTrack.Answer) {
        guard answer.closures == nil, answer.query.admitsNewObjects else { return nil }
        query = answer.query
        newest = max(0, answer.ids.ids.max() ?? 0)
    }

    /// Considers an object, and all that are older.
    mutating func consider(_ id: Int64) { newest = max(newest, id) }

    /// Returns the objects among the changed ones that have not been considered yet.
    func newObjects(in touched: TouchedReply) -> RowIDBuffer {
        let ids = query.objects(of: touched)
        // In ascending order, so most changes of older objects end here.
        guard let last = ids.last, last > newest else { return RowIDBuffer() }
        return RowIDBuffer(ids.ids.filter { $0 > newest })
    }
}

/// The most recent different fetches of a program, of which at most `limit` are kept.
struct OpenFetchList {
    private static let limit = 16

    private(set) var fetches: [OpenFetch] = []

    /// Adds a fetch; a repeated fetch replaces the earlier one.
    mutating func add(_ fetch: OpenFetch) {
        var fetch = fetch
        if let place = fetches.firstIndex(where: { $0.query == fetch.query }) {
            fetch.consider(fetches.remove(at: place).newest)
        } else if fetches.count == Self.limit {
            fetches.removeFirst()
        }
        fetches.append(fetch)
    }

    /// Considers the objects that a change touched, so that later changes of them are not taken for
    /// new objects.
    mutating func consider(_ touched: TouchedReply) {
        for place in fetches.indices {
            guard let last = fetches[place].query.objects(of: touched).last else { continue }
            fetches[place].consider(last)
        }
    }
}

extension AdvanceRequest.Query {
    /// Indicates whether an object that is new to the library can be part of the result.
    fileprivate var admitsNewObjects: Bool {
        switch self {
        case .assets(let request):
            return request.scope == .library || request.smartAlbum != nil
        case .collections(let request):
            switch request.scope {
            case .library, .children: return true
            default: return false
            }
        }
    }

    /// Returns a query for those of some objects that are part of the result.
    ///
    /// With a limit, the result may contain other objects, too.
    func among(_ ids: RowIDBuffer) -> AdvanceRequest.Query {
        guard limit == 0 else { return self }
        var query = withoutOrder
        query.predicate = .and((predicate.map { [$0] } ?? []) + [.rowIDs(ids)])
        return query
    }

    private var limit: Int {
        switch self {
        case .assets(let request): request.limit
        case .collections(let request): request.limit
        }
    }
}
