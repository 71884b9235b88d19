internal import LibraryService
internal import PhotoModel
internal import Synchronization

/// The transition of a library from one state to a later state, used by `PHChange` to compute
/// change details.
///
/// 1. Details always start at the snapshot of the result, or at the version of the object, in
///    question, never at `from`. They therefore fit even if the client missed changes.
/// 2. Details lead to `to`, which is pinned. The engine releases a pin after some seconds. After
///    that they lead to the present state, and the client's new result carries that state's
///    snapshot.
/// 3. Repeated queries for the same result return the same outcome.
final class ChangeState: Sendable {
    /// The effect of a library change on the result of a fetch.
    enum Outcome {
        /// An unchanged result: the same objects in the same order, none of them modified.
        case unchanged(FetchTrack.Answer)
        /// A changed result, with the incremental steps that lead to it if they are known.
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
        // Retained so that its identity is not reused.
        let track: FetchTrack
        let outcome: Outcome
    }

    let connection: LibraryConnection
    let service: any LibraryService
    /// The state that observers were last notified of.
    let from: LibrarySnapshot
    let to: LibrarySnapshot
    /// The identifier of the pin on the library snapshot `to`, with which queries read that
    /// snapshot.
    let pin: Int64
    /// The objects that changed between the two states, or nil if they cannot be determined.
    ///
    /// They cannot if the journal does not go back far enough, or if the program's permission
    /// changed.
    let touched: TouchedReply?
    // The lock is never held while the library is queried.
    private let known = Mutex<[ObjectIdentifier: Known]>([:])

    /// Creates a transition to a pinned state, and takes ownership of the pin.
    ///
    /// The pin is released together with the transition.
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
        // A pin expires by itself, so a failure has no consequence.
        _ = try? service.unpin(UnpinRequest(pin: pin))
    }

    private static func touched(
        _ service: any LibraryService,
        since: LibrarySnapshot,
        through: LibrarySnapshot
    ) throws(LibraryError) -> TouchedReply? {
        // The journal does not record changes of the client's permission.
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

    /// Returns the effect of the change on a fetch result.
    func outcome(for track: FetchTrack) throws(LibraryError) -> Outcome {
        let name = ObjectIdentifier(track)
        if let known = known.withLock({ $0[name] }) { return known.outcome }
        let outcome = try advanced(track.own, wantsSteps: track.wantsSteps)
        return known.withLock { known in
            // Another thread may have been faster; both then return the same outcome.
            if let other = known[name] { return other.outcome }
            known[name] = Known(track: track, outcome: outcome)
            return outcome
        }
    }

    /// Returns how the changes from an answer's snapshot to the state `to` affect the answer.
    ///
    /// The outcome contains the updated answer and, if known, the incremental steps.
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
        // Closures were evaluated at the state `to`, so later objects have not been evaluated.
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

    /// Returns the objects that changed from the state `since` to the state `to`, or nil if they
    /// cannot be determined.
    private func touched(since: LibrarySnapshot) throws(LibraryError) -> TouchedReply? {
        since == from ? touched : try Self.touched(service, since: since, through: to)
    }

    /// Returns whether the change may affect the result of a query.
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

    // MARK: - Live objects and results

    /// Returns whether any object or result that the program holds has changed, or whether a result
    /// that it released would contain a new object.
    func concerns(_ register: LiveRegister) -> Bool {
        register.batches.contains(where: concerns) || register.tracks.contains(where: concerns)
            || register.openFetches.contains(where: concerns)
    }

    /// Returns whether the library has new objects that are part of a fetch's result.
    ///
    /// The query returns only objects that the program may see.
    private func concerns(_ fetch: OpenFetch) -> Bool {
        guard let touched else { return false }
        let new = fetch.newObjects(in: touched)
        guard !new.isEmpty else { return false }
        do throws(LibraryError) {
            return try fetch.query.among(new).answer(of: service).ids.contains { new.holds($0) }
        } catch {
            connection.reportUnlessUnavailable(error)
            return false
        }
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
            // A spurious notification is better than a missed one.
            connection.reportUnlessUnavailable(error)
            return true
        }
    }

    /// Records the query result at the state `to` for every fetch result that the program holds.
    ///
    /// The next change is then compared with this state, and the objects of this one are not new
    /// any more.
    func catchUp(_ register: LiveRegister) {
        if let touched { register.consider(touched) }
        for track in register.tracks {
            do throws(LibraryError) {
                guard let outcome = try presentOutcome(for: track) else { continue }
                // Observers are yet to be notified of what changed after the state `to`.
                guard !outcome.answer.snapshot.isLater(than: to) else { continue }
                track.advance(to: outcome.answer, isSame: outcome.isUnchanged)
            } catch {
                connection.reportUnlessUnavailable(error)
            }
        }
    }

    /// Returns how a fetch result changes between the state that observers were last notified of
    /// and the state `to`.
    ///
    /// It returns nil if `to` is not later than that state.
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
