internal import LibraryService
internal import PhotoModel
internal import Synchronization

/// The way of a library from one state to a later one: what a `PHChange` answers from.
///
/// 1. Details always start at the snapshot of the result, or the version of the object, that is asked
///    about, never at `from`: so they fit, whatever the client has missed.
/// 2. They lead to `to`, which is pinned. The engine lets go of a pin after some seconds; then they
///    lead to the present state, and what the client gets carries that state's snapshot.
/// 3. What was answered once for a result is answered the same way again.
final class ChangeState: Sendable {
    /// What became of a fetch's answer.
    enum Outcome {
        /// The same objects in the same order, none of them changed.
        case unchanged(FetchTrack.Answer)
        /// Another answer, and the steps that lead there, if those are known.
        case changed(FetchTrack.Answer, steps: ListSteps?)

        var answer: FetchTrack.Answer {
            switch self {
            case .unchanged(let answer), .changed(let answer, _): answer
            }
        }

        var isUnchanged: Bool {
            if case .unchanged = self { true } else { false }
        }
    }

    private struct Known {
        // Held, so that its identity is not used again.
        let track: FetchTrack
        let outcome: Outcome
    }

    let connection: LibraryConnection
    let service: any LibraryService
    /// What observers heard of before.
    let from: LibrarySnapshot
    let to: LibrarySnapshot
    /// Names the pinned state `to`.
    let pin: Int64
    /// What changed between the two; nil when the journal does not say.
    let touched: TouchedReply?
    // Never held while the library is asked.
    private let known = Mutex<[ObjectIdentifier: Known]>([:])

    /// Takes over a pin, and lets go of it in the end.
    init(
        connection: LibraryConnection,
        service: any LibraryService,
        from: LibrarySnapshot,
        pin: PinReply
    ) throws(LibraryError) {
        self.connection = connection
        self.service = service
        self.from = from
        self.to = pin.snapshot
        self.pin = pin.pin
        do throws(LibraryError) {
            touched = try Self.touched(service, since: from, through: pin.snapshot)
        } catch {
            Self.letGo(of: pin.pin, service)
            throw error
        }
    }

    deinit { Self.letGo(of: pin, service) }

    private static func letGo(of pin: Int64, _ service: any LibraryService) {
        // It goes by itself in any case; a failure has no consequence.
        _ = try? service.unpin(UnpinRequest(pin: pin))
    }

    private static func touched(
        _ service: any LibraryService,
        since: LibrarySnapshot,
        through: LibrarySnapshot
    ) throws(LibraryError) -> TouchedReply? {
        // What a client is permitted to see is not in the journal.
        guard since.epoch == through.epoch else { return nil }
        guard since.version < through.version else {
            return TouchedReply(assets: RowIDBuffer(), collections: RowIDBuffer())
        }
        do throws(LibraryError) {
            return try service.touched(
                TouchedRequest(since: since.version, through: through.version)
            )
        } catch {
            guard error.code == .historyExpired else { throw error }
            return nil
        }
    }

    // MARK: - Results

    /// What became of the answer that a result holds.
    func outcome(for track: FetchTrack) throws(LibraryError) -> Outcome {
        let name = ObjectIdentifier(track)
        if let known = known.withLock({ $0[name] }) { return known.outcome }
        let outcome = try advanced(track.own, wantsSteps: track.wantsSteps)
        return known.withLock { known in
            // Another thread may have been quicker: both get the same.
            if let other = known[name] { return other.outcome }
            known[name] = Known(track: track, outcome: outcome)
            return outcome
        }
    }

    /// What becomes of an answer on the way to `to`.
    func advanced(
        _ answer: FetchTrack.Answer,
        wantsSteps: Bool
    ) throws(LibraryError) -> Outcome {
        var next = answer
        var isWhole = false
        if let closures = answer.closures {
            if let touched = try touched(since: answer.snapshot) {
                next.closures = try closures.advanced(over: touched, at: pin, connection)
            } else {
                next.closures = try closures.evaluatedAgain(connection)
                isWhole = true
            }
            if let query = try next.closures?.query() { next.query = query }
        }
        let reply = try service.advance(
            AdvanceRequest(
                query: next.query,
                ids: answer.ids,
                snapshot: answer.snapshot,
                pin: pin,
                wantsSteps: wantsSteps && !isWhole
            )
        )
        next.snapshot = reply.snapshot
        // Closures were asked about the state `to`; what came later they have not seen.
        if next.closures != nil, reply.snapshot.isLater(than: to) { next.snapshot = to }
        switch reply.outcome {
        case .unchanged:
            return .unchanged(next)
        case .steps(let ids, let steps):
            next.ids = ids
            return .changed(next, steps: steps)
        case .reload(let ids):
            next.ids = ids
            return .changed(next, steps: nil)
        }
    }

    /// What changed after a state; nil when the journal does not say.
    private func touched(since: LibrarySnapshot) throws(LibraryError) -> TouchedReply? {
        since == from ? touched : try Self.touched(service, since: since, through: to)
    }

    /// Whether the answer to a query can be another one now.
    private func mayConcern(_ query: AdvanceRequest.Query) -> Bool {
        guard let touched else { return true }
        switch query {
        case .assets(let request):
            if case .album = request.scope, !touched.collections.isEmpty { return true }
            return !touched.assets.isEmpty
        case .collections:
            return !touched.collections.isEmpty
        }
    }

    // MARK: - What a program has

    /// Whether anything changed that a program has fetched.
    func concerns(_ register: LiveRegister) -> Bool {
        register.batches.contains(where: concerns) || register.tracks.contains(where: concerns)
    }

    private func concerns(_ batch: ObjectBatch) -> Bool {
        guard let touched else { return true }
        let ids = batch.kind == .asset ? touched.assets : touched.collections
        return !ids.isEmpty && batch.ids.contains { ids.holds($0) }
    }

    private func concerns(_ track: FetchTrack) -> Bool {
        do throws(LibraryError) {
            guard let outcome = try presentOutcome(for: track) else { return false }
            if outcome.isUnchanged { track.advance(to: outcome.answer, isSame: true) }
            return !outcome.isUnchanged
        } catch {
            // Better one call too many than one too few.
            connection.reportUnlessUnavailable(error)
            return true
        }
    }

    /// Brings the results that a program still has to this state, so that the next change is compared
    /// with it.
    func catchUp(_ register: LiveRegister) {
        for track in register.tracks {
            do throws(LibraryError) {
                guard let outcome = try presentOutcome(for: track) else { continue }
                track.advance(to: outcome.answer, isSame: outcome.isUnchanged)
            } catch {
                connection.reportUnlessUnavailable(error)
            }
        }
    }

    /// What became of the answer that observers heard of last; nil when this state is no news to it.
    private func presentOutcome(for track: FetchTrack) throws(LibraryError) -> Outcome? {
        var (present, isOwn) = track.present
        guard to.isLater(than: present.snapshot) else { return nil }
        if present.snapshot == from, !mayConcern(present.query) {
            present.snapshot = to
            return .unchanged(present)
        }
        return isOwn ? try outcome(for: track) : try advanced(present, wantsSteps: false)
    }
}
