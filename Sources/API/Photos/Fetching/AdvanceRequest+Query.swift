internal import Foundation
internal import LibraryService
internal import PhotoModel

/// What a fetch asks for, of assets and of collections alike.
extension AdvanceRequest.Query {
    /// What has to be true of the objects.
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

    /// The same objects, all of them, in no order that costs anything.
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

    /// Of what changed, the objects of the fetch's kind.
    func objects(of touched: TouchedReply) -> RowIDBuffer {
        switch self {
        case .assets: touched.assets
        case .collections: touched.collections
        }
    }

    /// Asks the library.
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
    /// Fetches.
    ///
    /// - Parameters:
    ///   - query: What is asked for, without the predicate.
    ///   - predicate: A client's, with or without closures.
    ///   - connection: The library.
    /// - Throws: What in the request cannot be answered, or why the library cannot be read.
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
            // Closures may not have seen what came after they were asked.
            snapshot: closures?.snapshot ?? answer.snapshot
        )
    }
}
