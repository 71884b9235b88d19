package import LibraryService
package import PhotoModel

/// The daemon's end of a session, which holds the large results that it delivered.
///
/// A client requests the changes of a result by its digest, and receives a patch from the old
/// result to the new one. So a single change among a million assets takes some hundred bytes
/// instead of 16 MB.
package final class HoldingSession: CallingLibrary, MemoryReleasing {
    private let base: any LibraryService
    private let held: HeldResults
    private let smallest: Int

    /// Creates a session that holds the results of another session.
    ///
    /// - Parameters:
    ///   - base: The session at this end.
    ///   - smallest: The number of row ids from which a result is held.
    package init(_ base: any LibraryService, smallest: Int = HeldResults.smallest) {
        self.base = base
        self.smallest = smallest
        held = HeldResults(smallest: smallest)
    }

    package func close() { base.close() }

    package func releaseMemory() {
        held.releaseMemory()
        (base as? any MemoryReleasing)?.releaseMemory()
    }

    package func openSession(_ request: SessionRequest) throws(LibraryError) -> any LibraryService {
        HoldingSession(try base.openSession(request), smallest: smallest)
    }

    package func perform<Request, Reply>(
        _ call: Call<Request, Reply>,
        _ request: Request,
        descriptors: [Descriptor]
    ) throws(LibraryError) -> (reply: Reply, descriptors: [Descriptor]) {
        try call.perform(with: base, request, descriptors: descriptors)
    }

    package func fetch(_ request: AssetFetchRequest) throws(LibraryError) -> AssetFetchReply {
        let reply = try base.fetch(request)
        held.insert(reply.ids)
        return reply
    }

    package func fetchCollections(_ request: CollectionFetchRequest) throws(LibraryError)
        -> CollectionFetchReply
    {
        let reply = try base.fetchCollections(request)
        held.insert(reply.ids)
        return reply
    }

    package func advance(_ request: AdvanceRequest) throws(LibraryError) -> AdvanceReply {
        let reply = try base.advance(request)
        // The client has its result, too, and names it next time if nothing changed.
        held.insert(reply.newIDs ?? request.ids)
        return reply
    }

    package func advanceHeld(_ request: HeldAdvanceRequest) throws(LibraryError)
        -> HeldAdvanceReply
    {
        guard let ids = held.result(request.result) else { return .unknown }
        let reply = try base.advance(request.holding(ids))
        if let ids = reply.newIDs { held.insert(ids) }
        guard case .steps(let new, let steps) = reply.outcome,
            let patch = ListPatch(steps, to: new)
        else { return .whole(reply) }
        return .patch(reply.snapshot, patch, steps)
    }
}

extension AdvanceReply {
    /// The row ids of the new result; nil if the result did not change.
    fileprivate var newIDs: RowIDBuffer? {
        switch outcome {
        case .unchanged: nil
        case .steps(let ids, _), .reload(let ids): ids
        }
    }
}

extension CallingLibrary {
    /// Requests the changes of a result that the request identifies by digest.
    ///
    /// If the result is small, or the other side no longer holds it, the whole result is sent.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - smallest: The number of row ids from which the other side holds results.
    /// - Returns: The reply to the request.
    /// - Throws: The error of the call, or of the connection.
    func advanceByName(
        _ request: AdvanceRequest,
        smallest: Int = HeldResults.smallest
    ) throws(LibraryError) -> AdvanceReply {
        guard request.ids.count >= smallest else {
            return try send(table.advance, request)
        }
        switch try send(table.advanceHeld, HeldAdvanceRequest(request)) {
        case .unknown: break
        case .whole(let reply): return reply
        case .patch(let snapshot, let patch, let steps):
            guard let ids = patch.applied(to: request.ids) else { break }
            return AdvanceReply(snapshot: snapshot, outcome: .steps(ids, steps))
        }
        return try send(table.advance, request)
    }
}
