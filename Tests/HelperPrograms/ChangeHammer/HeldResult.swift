import LibraryService
import PhotoModel

/// The answer to a fetch, kept up to date step by step as a program's fetch result is.
struct HeldResult {
    let query: AdvanceRequest.Query
    private(set) var ids: RowIDBuffer
    private var snapshot: LibrarySnapshot

    init(_ query: AdvanceRequest.Query, in library: any LibraryService) throws {
        self.query = query
        switch query {
        case .assets(let request):
            let reply = try library.fetch(request)
            (ids, snapshot) = (reply.ids, reply.snapshot)
        case .collections(let request):
            let reply = try library.fetchCollections(request)
            (ids, snapshot) = (reply.ids, reply.snapshot)
        }
    }

    /// Goes to the present state.
    mutating func advance(in library: any LibraryService) throws {
        let reply = try library.advance(
            AdvanceRequest(query: query, ids: ids, snapshot: snapshot)
        )
        switch reply.outcome {
        case .unchanged: break
        case .reload(let new): ids = new
        case .steps(let new, let steps):
            guard Self.leads(steps, from: Array(ids), to: Array(new)) else {
                throw HammerError("The steps \(steps) do not lead to the new result.")
            }
            ids = new
        }
        snapshot = reply.snapshot
    }

    /// Whether steps, applied as a list view does, make one list of another.
    private static func leads(_ steps: ListSteps, from old: [Int64], to new: [Int64]) -> Bool {
        var list = old.map(Int64?.some)
        for index in steps.removed.reversed() { list.remove(at: index) }
        // What comes in is not told, only where.
        for index in steps.inserted { list.insert(nil, at: index) }
        for move in steps.moves { list.insert(list.remove(at: move.source), at: move.target) }
        let known = Set(old)
        return list.count == new.count
            && zip(list, new).allSatisfy { $0 == nil ? !known.contains($1) : $0 == $1 }
    }
}
