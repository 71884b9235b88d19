import LibraryService
import PhotoModel

/// The result of a fetch, updated step by step like a program's fetch result.
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

    /// Advances to the current state.
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

    /// Returns whether steps, applied as a list view does, lead from one list to another.
    private static func leads(_ steps: ListSteps, from old: [Int64], to new: [Int64]) -> Bool {
        var list = old.map(Int64?.some)
        for index in steps.removed.reversed() { list.remove(at: index) }
        // The steps give only the positions of inserted objects.
        for index in steps.inserted { list.insert(nil, at: index) }
        for move in steps.moves { list.insert(list.remove(at: move.source), at: move.target) }
        let known = Set(old)
        return list.count == new.count
            && zip(list, new).allSatisfy { $0 == nil ? !known.contains($1) : $0 == $1 }
    }
}
