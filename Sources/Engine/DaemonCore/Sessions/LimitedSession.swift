internal import LibraryService
internal import PhotoModel
internal import RemoteLibrary
internal import Synchronization

/// A session that enforces the limits on pins, staged files and predicates.
///
/// `CallUsage` limits the number of its calls in the pools.
final class LimitedSession: CallingLibrary, MemoryReleasing {
    /// The time after which the engine releases a pin.
    private static let pinDuration = Duration.seconds(10)

    private let base: any LibraryService
    private let limits: DaemonLimits
    private let statistics: DaemonStatistics
    /// The expiration times of the unreleased pins, by pin.
    private let pins = Mutex<[Int64: SuspendingClock.Instant]>([:])
    private let staged: StagedUsage

    init(_ base: any LibraryService, _ limits: DaemonLimits, _ statistics: DaemonStatistics) {
        self.base = base
        self.limits = limits
        self.statistics = statistics
        staged = StagedUsage(limits)
    }

    func close() {
        base.close()
        statistics.removePins(
            pins.withLock { pins in
                defer { pins = [:] }
                return pins.count
            }
        )
    }

    func releaseMemory() { (base as? any MemoryReleasing)?.releaseMemory() }

    func openSession(_ request: SessionRequest) throws(LibraryError) -> any LibraryService {
        LimitedSession(try base.openSession(request), limits, statistics)
    }

    func pin() throws(LibraryError) -> PinReply {
        // The reply has the number, so a negative one reserves the place until then.
        let place = try reservePin()
        let result = Result { () throws(LibraryError) in try base.pin() }
        pins.withLock { pins in
            pins[place] = nil
            if let reply = try? result.get() { pins[reply.pin] = .now + Self.pinDuration }
        }
        if case .failure = result { statistics.removePins(1) }
        return try result.get()
    }

    private func reservePin() throws(LibraryError) -> Int64 {
        let now = SuspendingClock.now
        let place = pins.withLock { pins -> Int64? in
            let expired = pins.filter { $0.value <= now }
            for pin in expired.keys { pins[pin] = nil }
            statistics.removePins(expired.count)
            guard pins.count < limits.pinsPerConnection, statistics.addPin() else { return nil }
            let place = (pins.keys.min().map { min($0, 0) } ?? 0) - 1
            pins[place] = .now + .seconds(3_600)
            return place
        }
        guard let place else { throw .exceeded("pins") }
        return place
    }

    func unpin(_ request: UnpinRequest) throws(LibraryError) {
        let isKnown = pins.withLock { $0.removeValue(forKey: request.pin) != nil }
        if isKnown { statistics.removePins(1) }
        try base.unpin(request)
    }

    func stage(_ request: StageRequest, file: Descriptor) throws(LibraryError) -> StageReply {
        let size = file.size
        try staged.reserve(size)
        do throws(LibraryError) {
            let reply = try base.stage(request, file: file)
            staged.add(reply, reserved: size)
            return reply
        } catch {
            staged.cancel(size)
            throw error
        }
    }

    func releaseTokens(_ request: ReleaseTokensRequest) throws(LibraryError) {
        try base.releaseTokens(request)
        staged.remove(request.tokens)
    }

    func commit(_ request: CommitRequest) throws(LibraryError) -> CommitReply {
        // Its tokens end, whether it succeeds or not.
        defer { staged.remove(request.changes.resources.map(\.file)) }
        return try base.commit(request)
    }

    func perform<Request, Reply>(
        _ call: Call<Request, Reply>,
        _ request: Request,
        descriptors: [Descriptor]
    ) throws(LibraryError) -> (reply: Reply, descriptors: [Descriptor]) {
        if let predicate = Self.predicate(of: request),
            !predicate.hasAtMost(limits.predicateNodes)
        {
            throw .exceeded("predicateNodes")
        }
        return try call.perform(with: base, request, descriptors: descriptors)
    }

    private static func predicate(of request: Any) -> PredicateNode? {
        switch request {
        case let request as AssetFetchRequest: request.predicate
        case let request as CollectionFetchRequest: request.predicate
        case let request as AdvanceRequest: request.query.predicate
        case let request as HeldAdvanceRequest: request.query.predicate
        default: nil
        }
    }
}

extension AdvanceRequest.Query {
    fileprivate var predicate: PredicateNode? {
        switch self {
        case .assets(let query): query.predicate
        case .collections(let query): query.predicate
        }
    }
}

extension PredicateNode {
    /// Returns whether the predicate has at most `limit` nodes.
    ///
    /// The method is not recursive, so a deep predicate does not overflow the stack.
    func hasAtMost(_ limit: Int) -> Bool {
        var stack = [self]
        var count = 0
        while let node = stack.popLast() {
            count += 1
            guard count + stack.count <= limit else { return false }
            switch node {
            case .and(let nodes), .or(let nodes): stack += nodes
            case .not(let node): stack.append(node)
            case .constant, .comparison, .rowIDs: break
            }
        }
        return true
    }
}
