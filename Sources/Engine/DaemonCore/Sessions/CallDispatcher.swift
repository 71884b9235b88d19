internal import BinaryCoding
internal import FoundationEssentials
internal import LibraryService
internal import PhotoModel
internal import RemoteLibrary
internal import Synchronization

/// The dispatcher of one connection's calls.
///
///     receive ──▶ queued ──▶ running ──▶ answered ──sent──▶ gone
///        │          │ ▲         │
///        └─busy─────┴─┼─────────┴──▶ failed ──sent──▶ gone
///                     └── no credit, the same change is running, or too many fetches
///
/// 1. Each call ends once, with one reply or failure, unless the connection ends first.
/// 2. A call counts against the limits until its answer is handed to the socket.
/// 3. The connection's thread receives; the threads of the pools perform. None of them waits for
///    the socket.
/// 4. A change is performed only while no other connection performs the same one, and only if there
///    is no stored answer.
final class CallDispatcher: Sendable {
    /// A message to the client about a call: its end or its progress.
    enum Event: Sendable {
        case reply(UInt64, EncodedMessage)
        case failure(UInt64, LibraryError)
        case progress(UInt64, CallProgress)
    }

    /// The parts of a daemon that its connections share.
    struct Shared: Sendable {
        let limits: DaemonLimits
        let statistics: DaemonStatistics
        let pools: CallPools
        let changes: ChangesInProgress
        /// Returns the state of the daemon.
        let status: @Sendable () -> DaemonStatus
        /// Answers requests about cloud libraries; nil if the daemon has none.
        let cloud: (any CloudAnswering)?
        let quietWatch: QuietWatch?
    }

    private final class Job: Sendable {
        let number: UInt64
        let call: any AnyCall
        let message: EncodedMessage
        let change: UUID?
        let cost: CallCost
        let cancellation = CallCancellation()

        init(
            _ number: UInt64,
            _ call: any AnyCall,
            _ message: EncodedMessage,
            _ change: UUID?,
            _ cost: CallCost
        ) {
            self.number = number
            self.call = call
            self.message = message
            self.change = change
            self.cost = cost
        }
    }

    private struct State {
        var usage: CallUsage
        /// The calls whose answers have not been sent, whether or not they have ended.
        var jobs: [UInt64: Job] = [:]
        /// The calls that wait for credit, which the client grants by acknowledging replies.
        var waiting: [Job] = []
        /// The fetches that wait until their rate permits them, the oldest first.
        var delayed: [Job] = []
        /// The numbers of calls that were canceled before they arrived, the oldest first.
        var early: [UInt64] = []
        var runningCount = 0
        /// Indicates whether the client has acknowledged enough replies for calls to start.
        var hasCredit = true
        var hasEnded = false
        var fetches: RateLimit
    }

    private let client: Int
    private let shared: Shared
    private let session: OpenedSession
    private let limited: LimitedSession
    private let program: String
    private let coder: any WireCoder
    /// The name and version of the client's software, for error messages.
    private let peer: String
    private let clientHasEnded: @Sendable () -> Bool
    private let report: @Sendable (Event) -> Void
    private let monitor: Monitor<State>

    /// Creates the dispatcher of a connection.
    ///
    /// - Parameters:
    ///   - client: The number of the connection.
    ///   - session: The session.
    ///   - program: The identifier of the client's program.
    ///   - peer: The name and version of the client's software.
    ///   - coder: The coder of the connection.
    ///   - shared: The parts that connections share.
    ///   - clientHasEnded: Returns whether the client's process has ended.
    ///   - report: Receives events on any thread, never under a lock of the dispatcher.
    init(
        client: Int,
        session: OpenedSession,
        program: String,
        peer: String,
        coder: any WireCoder,
        shared: Shared,
        clientHasEnded: @escaping @Sendable () -> Bool,
        report: @escaping @Sendable (Event) -> Void
    ) {
        self.client = client
        self.session = session
        self.program = program
        self.peer = peer
        self.coder = coder
        self.shared = shared
        self.clientHasEnded = clientHasEnded
        self.report = report
        limited = LimitedSession(HoldingSession(session.service), shared.limits, shared.statistics)
        monitor = Monitor(
            State(
                usage: CallUsage(shared.limits.calls),
                fetches: RateLimit(perSecond: shared.limits.fetchRate, at: .now)
            )
        )
    }

    /// The number of calls whose answers have not been sent.
    var count: Int { monitor.withLock(\.usage.count) }

    // MARK: - The connection's thread

    /// Receives a request and starts its call.
    ///
    /// - Throws: A violation of the protocol, and `closed` if the client's process ended before a
    ///   change. The errors of the call itself are reported.
    func receive(_ frame: Frame) throws(TransportError) {
        let number = frame.request
        let isNew = monitor.withLock { $0.jobs[number] == nil }
        guard number > 0, isNew else {
            throw TransportError(.malformed, "The number \(number) is that of another call.")
        }
        shared.statistics.count { $0.calls += 1 }
        let message = EncodedMessage(body: frame.body, descriptors: frame.descriptors)
        let job: Job
        do throws(LibraryError) {
            job = try self.job(number, message)
            try admit(job)
        } catch {
            shared.statistics.count { $0.failedCalls += 1 }
            report(.failure(number, error))
            return
        }
        if job.call.changesLibrary, clientHasEnded() {
            throw TransportError(.closed, "The client's process ended.")
        }
        if !delays(job) { start(job) }
    }

    private func job(
        _ number: UInt64,
        _ message: EncodedMessage
    ) throws(LibraryError) -> Job {
        let heading = try CallTable.heading(of: message, coder: coder, peer: peer)
        let call: any AnyCall =
            switch heading.call {
            case DaemonCalls.statistics.name: DaemonCalls.statistics
            case DaemonCalls.cloud.name: DaemonCalls.cloud
            default: try CallTable.call(named: heading.call, peer: peer)
            }
        let change = call.changesLibrary ? heading.change : nil
        return Job(number, call, message, change, CallCost(call, message))
    }

    private func admit(_ job: Job) throws(LibraryError) {
        let limit = monitor.withLock { state -> String? in
            if let limit = state.usage.admit(job.cost) { return limit.rawValue }
            guard shared.statistics.addDescriptors(job.cost.descriptors) else {
                state.usage.remove(job.cost)
                return "allDescriptors"
            }
            state.jobs[job.number] = job
            if let index = state.early.firstIndex(of: job.number) {
                state.early.remove(at: index)
                job.cancellation.cancel()
            }
            return nil
        }
        guard let limit else { return }
        shared.statistics.count { $0.busy[limit, default: 0] += 1 }
        throw .exceeded(limit)
    }

    /// Returns whether a call must wait because its client, which does not have full access, makes
    /// too many fetches; `startDelayedCalls` then starts it.
    private func delays(_ job: Job) -> Bool {
        guard ["fetch", "fetchCollections"].contains(job.call.name), !session.hasFullAccess(),
            !job.cancellation.isCancelled
        else { return false }
        return monitor.withLock { state in
            if state.delayed.isEmpty, state.fetches.admits(at: .now) { return false }
            state.delayed.append(job)
            return true
        }
    }

    /// Starts the fetches that their rate permits by now.
    ///
    /// - Returns: The time at which the rate permits the next one; nil if none waits.
    func startDelayedCalls() -> SuspendingClock.Instant? {
        let (jobs, next) = monitor.withLock { state -> ([Job], SuspendingClock.Instant?) in
            var jobs: [Job] = []
            while !state.delayed.isEmpty, state.fetches.admits(at: .now) {
                jobs.append(state.delayed.removeFirst())
            }
            return (jobs, state.delayed.isEmpty ? nil : state.fetches.next)
        }
        for job in jobs { start(job) }
        return next
    }

    /// Cancels a call, even before the call has arrived.
    func cancel(_ number: UInt64) {
        let (job, isDelayed) = monitor.withLock { state -> (Job?, Bool) in
            if let job = state.jobs[number] {
                let index = state.delayed.firstIndex { $0 === job }
                if let index { state.delayed.remove(at: index) }
                return (job, index != nil)
            }
            state.early.append(number)
            if state.early.count > shared.limits.earlyCancellations { state.early.removeFirst() }
            return (nil, false)
        }
        job?.cancellation.cancel()
        // It ends as soon as it starts.
        if let job, isDelayed { start(job) }
    }

    /// Permits or forbids calls to start, depending on the client's acknowledgments.
    ///
    /// Calls that already wait start with `startWaitingCalls`.
    func setCredit(_ hasCredit: Bool) { monitor.withLock { $0.hasCredit = hasCredit } }

    /// Starts the calls that waited for credit, if the client has granted credit since.
    func startWaitingCalls() {
        let jobs = monitor.withLock { state -> [Job] in
            guard state.hasCredit else { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for job in jobs { start(job) }
    }

    /// Removes a call whose answer was handed to the socket.
    func didSend(_ number: UInt64) {
        monitor.update { state in
            guard let job = state.jobs.removeValue(forKey: number) else { return }
            state.usage.remove(job.cost)
            shared.statistics.removeDescriptors(job.cost.descriptors)
        }
    }

    /// Drops the calls that have not started, and waits until the running calls have ended.
    ///
    /// - Parameter deadline: The time at which the running calls are canceled.
    func end(cancellingAt deadline: SuspendingClock.Instant) {
        let jobs = monitor.update { state in
            state.hasEnded = true
            state.waiting = []
            state.delayed = []
            return state.jobs.values.map(\.self)
        }
        shared.pools.removeAll(of: client)
        if monitor.wait(before: deadline, { $0.runningCount == 0 ? true : nil }) != nil { return }
        for job in jobs { job.cancellation.cancel() }
        _ = monitor.wait { $0.runningCount == 0 ? true : nil }
    }

    /// Frees the caches of the session.
    func releaseMemory() { limited.releaseMemory() }

    /// Closes the session; must be called after `end(cancellingAt:)`.
    func close() {
        limited.close()
        monitor.withLock { state in
            for job in state.jobs.values {
                shared.statistics.removeDescriptors(job.cost.descriptors)
            }
            state.jobs = [:]
        }
    }

    // MARK: - Performing

    private func start(_ job: Job) {
        let mayStart = monitor.withLock { state in
            if state.hasEnded { return false }
            if state.hasCredit { return true }
            state.waiting.append(job)
            return false
        }
        guard mayStart else { return }
        if job.cost.isImmediate { return run(job) }
        let isSubmitted = shared.pools.submit(job.call.callClass, for: client) { self.run(job) }
        if !isSubmitted {
            finish(job, .failure(LibraryError(.internalError, "No thread could be started.")))
        }
    }

    /// Performs a call on a thread of a pool.
    private func run(_ job: Job) {
        let runs = monitor.withLock { state in
            if state.hasEnded { return false }
            guard state.hasCredit else {
                state.waiting.append(job)
                return false
            }
            state.runningCount += 1
            return true
        }
        guard runs else { return }
        shared.quietWatch?.beginCall()
        defer {
            shared.quietWatch?.endCall()
            monitor.update { $0.runningCount -= 1 }
        }
        guard let change = job.change else { return finish(job, respond(to: job)) }
        let key = ChangesInProgress.Key(library: session.library, request: change)
        switch shared.changes.enter(key, program: program, whenLeft: { self.start(job) }) {
        case .waits: return
        case .isForeign: finish(job, .failure(.foreignRequest))
        case .runs:
            let result = answer(to: job, change)
            shared.changes.leave(key)
            finish(job, result)
        }
    }

    /// Performs a change, or returns the stored answer if it was performed before.
    private func answer(to job: Job, _ change: UUID) -> Result<EncodedMessage, LibraryError> {
        do throws(LibraryError) {
            if let stored = try session.answers.answer(to: change, of: program) {
                shared.statistics.count { $0.repeatedChanges += 1 }
                return .success(try job.call.reply(fromStored: stored, coder: coder))
            }
        } catch {
            return .failure(error)
        }
        let result = respond(to: job)
        if case .success(let reply) = result,
            let stored = try? job.call.storedReply(reply, coder: coder)
        {
            // The change is made, so its call succeeds.
            try? session.answers.store(stored, to: change, of: program)
        }
        return result
    }

    private func respond(to job: Job) -> Result<EncodedMessage, LibraryError> {
        if job.cancellation.isCancelled { return .failure(.cancelled) }
        let number = job.number
        let context = CallContext(
            cancellation: job.cancellation,
            progress: { self.report(.progress(number, $0)) },
            change: job.change
        )
        do throws(LibraryError) {
            let reply = try context.perform { () throws(LibraryError) in
                if job.call.name == DaemonCalls.statistics.name { return try status() }
                if job.call.name == DaemonCalls.cloud.name { return try cloud(job.message) }
                return try job.call.respond(
                    to: job.message,
                    with: limited,
                    coder: coder,
                    peer: peer
                )
            }
            return .success(try handOut(reply))
        } catch {
            return .failure(error)
        }
    }

    /// Replaces the descriptors of a reply by read-only views, if the client must not be able to
    /// change the files.
    private func handOut(_ reply: EncodedMessage) throws(LibraryError) -> EncodedMessage {
        guard let files = session.readOnlyFiles else { return reply }
        var reply = reply
        reply.descriptors = try reply.descriptors.map { file throws(LibraryError) in
            try files.view(of: file)
        }
        return reply
    }

    private func status() throws(LibraryError) -> EncodedMessage {
        guard session.isOwner else {
            throw LibraryError(
                .accessDenied,
                "Only the library's owner may see other clients.",
                recovery: "Ask as the user to whom the library belongs."
            )
        }
        do {
            let body = try coder.encode(shared.status())
            return EncodedMessage(body: body, descriptors: [])
        } catch {
            throw LibraryError(.internalError, "The state of the daemon cannot be sent.")
        }
    }

    private func cloud(_ message: EncodedMessage) throws(LibraryError) -> EncodedMessage {
        guard session.isOwner else {
            throw LibraryError(
                .accessDenied,
                "Only the library's owner may see its cloud library.",
                recovery: "Ask as the user to whom the library belongs."
            )
        }
        guard let cloud = shared.cloud else {
            throw LibraryError(
                .invalidRequest,
                "This daemon has no cloud libraries.",
                recovery: "Update swift-photos."
            )
        }
        let request = try DaemonCalls.cloud.request(in: message, coder: coder, peer: peer)
        let reply = try cloud.answer(request)
        do {
            return EncodedMessage(body: try coder.encode(reply), descriptors: [])
        } catch {
            throw LibraryError(.internalError, "The state of the cloud library cannot be sent.")
        }
    }

    private func finish(_ job: Job, _ result: Result<EncodedMessage, LibraryError>) {
        switch result {
        case .success(let reply) where reply.body.count <= OutgoingFrames.longestReply:
            report(.reply(job.number, reply))
        case .success(let reply):
            fail(
                job,
                LibraryError(
                    .internalError,
                    "The reply to “\(job.call.name)” has \(reply.body.count) bytes, too many."
                )
            )
        case .failure(let error): fail(job, error)
        }
    }

    private func fail(_ job: Job, _ error: LibraryError) {
        shared.statistics.count { counters in
            counters.failedCalls += 1
            if error.code == .cancelled { counters.cancelledCalls += 1 }
        }
        report(.failure(job.number, error))
    }
}
