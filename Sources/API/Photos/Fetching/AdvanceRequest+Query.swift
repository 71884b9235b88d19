internal import Foundation
internal import LibraryService
internal import PhotoModel

/// The operations that asset and collection fetches share.
extension AdvanceRequest.Query {
    /// The predicate that the objects must match, or nil for no filter.
    var predicate: PredicateNode? {
        get {
            switch self {
            case .assets(let request): request.predicate
            case .collections(let request): request.predicate
            }
        }
        set {
            switch self {
            case .assets(var request):
                request.predicate = newValue
                self = .assets(request)
            case .collections(var request):
                request.predicate = newValue
                self = .collections(request)
            }
        }
    }

    /// The same query without its sort order and limit.
    var withoutOrder: AdvanceRequest.Query {
        switch self {
        case .assets(var request):
            request.sort = []
            request.limit = 0
            return .assets(request)
        case .collections(var request):
            request.sort = []
            request.limit = 0
            return .collections(request)
        }
    }

    /// Returns the row ids of the changed assets or collections, depending on what the query
    /// fetches.
    func objects(of touched: TouchedReply) -> RowIDBuffer {
        switch self {
        case .assets: touched.assets
        case .collections: touched.collections
        }
    }

    /// Indicates whether the query is limited to members of an album or a moment, which can change
    /// without a change of the objects themselves.
    ///
    /// Membership in a smart album depends on the asset only.
    var hasMembers: Bool {
        guard case .assets(let request) = self else { return false }
        switch request.scope {
        case .album(let uuid): return SmartAlbum(uuid: uuid) == nil
        case .moment: return true
        default: return false
        }
    }

    /// Returns whether objects that were not changed themselves may be new members of the query's
    /// album or moment.
    ///
    /// A change of an album's members is recorded for the album. A moment may take over the assets
    /// of another one when any asset changes.
    func mayHaveNewMembers(after touched: TouchedReply) -> Bool {
        guard hasMembers, case .assets(let request) = self else { return false }
        if case .moment = request.scope, !touched.assets.isEmpty { return true }
        return !touched.collections.isEmpty
    }

    /// Runs the query in a library, and returns the row ids and the snapshot.
    func answer(of service: any LibraryService) throws(LibraryError) -> (
        ids: RowIDBuffer, snapshot: LibrarySnapshot
    ) {
        switch self {
        case .assets(let request):
            let reply = try service.fetch(request)
            return (reply.ids, reply.snapshot)
        case .collections(let request):
            let reply = try service.fetchCollections(request)
            return (reply.ids, reply.snapshot)
        }
    }
}

extension FetchTrack.Answer {
    /// Creates the answer to a query by running the query in a library.
    ///
    /// - Parameters:
    ///   - query: The query, without the predicate.
    ///   - predicate: The client's predicate, with or without closures.
    ///   - connection: The library.
    /// - Throws: The reason that part of the request is unsupported, or that the library cannot be
    ///   read.
    init(
        _ query: AdvanceRequest.Query,
        where predicate: NSPredicate?,
        of connection: LibraryConnection
    ) throws(LibraryError) {
        let service = try connection.service()
        var query = query
        var closures: ClosureFilter?
        if let predicate {
            let plan = try PredicatePlan(predicate)
            if plan.closures.isEmpty {
                query.predicate = try plan.node(answers: [])
            } else {
                let filter = try ClosureFilter(plan, of: query, connection)
                query = try filter.query()
                closures = filter
            }
        }
        let answer = try query.answer(of: service)
        self.init(
            query: query,
            closures: closures,
            ids: answer.ids,
            // Changes committed after the closures ran must count as not yet evaluated.
            snapshot: closures?.snapshot ?? answer.snapshot
        )
    }
}
