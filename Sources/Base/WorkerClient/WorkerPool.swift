internal import Foundation
internal import Glibc
package import Logging
internal import Synchronization
package import WorkerProtocol

/// A pool of worker processes that are started on demand, reused, and replaced after a crash.
///
/// Thread-safe. Calls block their thread until a worker is free and has answered.
package final class WorkerPool: Sendable {
    package struct Configuration: Sendable {
        /// The path of `photos-worker`; if nil, `WorkerLocator` searches for it.
        ///
        /// The places include `$PHOTOS_WORKER`, the folder of the running program, and
        /// `<prefix>/libexec/swift-photos/`.
        package var executable: String?
        /// The maximum number of concurrent workers.
        ///
        /// The default is one per processor, at least two and at most eight.
        package var maximumWorkers: Int
        /// The limits of each worker.
        ///
        /// With `PHOTOS_WORKER_UNCONFINED=1` in the environment, a worker continues even if the
        /// kernel cannot sandbox it.
        package var limits: WorkerLimits
        /// The wall-clock time after which an unresponsive worker is killed.
        package var timeLimit: Duration
        /// The idle time after which the fork server for movie conversions ends.
        package var forkServerIdleTime: Duration

        package static var standardWorkers: Int {
            min(max(2, ProcessInfo.processInfo.activeProcessorCount), 8)
        }

        package init(
            executable: String? = nil,
            maximumWorkers: Int = standardWorkers,
            limits: WorkerLimits = .standard,
            timeLimit: Duration = .seconds(120),
            forkServerIdleTime: Duration = .seconds(30)
        ) {
            self.executable = executable
            self.maximumWorkers = maximumWorkers
            self.limits = limits
            self.timeLimit = timeLimit
            self.forkServerIdleTime = forkServerIdleTime
        }
    }

    private struct State {
        var executable: String?
        var idle: [WorkerProcess] = []
        /// The files that crashed a worker, with the reasons.
        var losses = WorkerLossHistory()
        var startCount = 0
    }

    /// The number of requests after which a worker is replaced.
    ///
    /// This limits the effect of state that a file leaves in the worker.
    private static let requestsPerWorker = 500
    /// The total size in bytes of full-size images after which a worker is replaced.
    ///
    /// This limits what a compromised worker can retain.
    ///
    /// A restart costs a fraction of decoding these images.
    private static let unboundedBytesPerWorker = 256 << 20
    /// The maximum side of a rendition, enforced regardless of a worker's reply.
    static let maximumRenditionSide = 8192

    static let confusion = "The worker's reply is invalid."

    package let configuration: Configuration
    let limits: WorkerLimits
    private let semaphore: WorkerSemaphore
    /// The semaphore for conversions, which run in dedicated workers.
    ///
    /// A long conversion therefore does not delay image requests.
    let conversionSlots: DispatchSemaphore
    /// The creator of workers for conversions, each of which converts one movie.
    let forkedWorkers: ForkedWorkers
    let log: WorkerLog
    private let state = Mutex(State())

    package init(configuration: Configuration, logger: Logger = .silentWorkers) {
        log = WorkerLog(logger: logger)
        precondition(configuration.maximumWorkers > 0, "A pool needs at least one worker.")
        self.configuration = configuration
        var limits = configuration.limits
        if let value = getenv("PHOTOS_WORKER_UNCONFINED"), String(cString: value) == "1" {
            limits.allowsUnconfined = true
        }
        self.limits = limits
        self.semaphore = WorkerSemaphore(count: configuration.maximumWorkers)
        self.conversionSlots = DispatchSemaphore(value: configuration.maximumWorkers)
        self.forkedWorkers = ForkedWorkers(
            idleTime: configuration.forkServerIdleTime,
            log: log
        )
    }

    /// Reads the metadata of the file behind `descriptor`, regardless of its file offset.
    ///
    /// The caller still owns the descriptor.
    ///
    /// - Throws: `WorkerError`, only when no worker is available: missing, of another version, or
    ///   impossible to sandbox. A file that crashes or hangs two workers is an answer (`failed`),
    ///   and this pool does not try it again (it remembers device, inode, size and time).
    package func probe(_ request: ProbeRequest, descriptor: Int32) throws(WorkerError)
        -> ProbeAnswer
    {
        switch try run(
            .probe(request),
            on: descriptor,
            cancellation: nil,
            priority: .reading
        ) {
        case .failed(let reason, let isPassing):
            return .failed(reason: reason, isPassing: isPassing)
        case .cancelled: return .failed(reason: "It was canceled.")
        case .replied(let reply, let memory):
            defer { if let memory { close(memory) } }
            return Self.answer(for: reply, to: request, memory: memory)
        }
    }

    /// The result of a request that reads a file.
    enum FileOutcome {
        /// The worker's reply, and the descriptor of its memory, if any, which the receiver must
        /// close.
        case replied(WorkerReply, memory: Int32?)
        /// The request failed; `isPassing` indicates whether the last worker was lost for a reason
        /// that does not concern the file.
        case failed(reason: String, isPassing: Bool = false)
        case cancelled
    }

    /// Runs, in a worker, a request that reads a file.
    ///
    /// A file that crashes a worker is retried once in a new one. A file that crashed two workers,
    /// or caused a forbidden system call, is not tried again.
    func run(
        _ request: WorkerRequest,
        on descriptor: Int32,
        cancellation: WorkCancellation?,
        priority: WorkPriority = .visible
    ) throws(WorkerError) -> FileOutcome {
        guard let identity = FileIdentity(descriptor: descriptor) else {
            return .failed(
                reason: "It cannot be accessed: \(String(cString: strerror(errno)))."
            )
        }
        if let reason = lossReason(of: identity) { return .failed(reason: reason) }

        guard let readable = ReadOnlyDescriptor(descriptor) else {
            // A lack of descriptors is never the file's fault.
            if let error = WorkerError.tooManyOpenFiles(errno) { throw error }
            return .failed(
                reason: "It cannot be opened for reading: \(String(cString: strerror(errno)))."
            )
        }
        return try run(
            request,
            on: readable,
            timeLimit: configuration.timeLimit,
            cancellation: cancellation,
            priority: priority
        ) { count, loss in
            state.withLock {
                $0.losses.record(count, lostTo: identity, loss)
                return $0.losses.reason(against: identity) != nil
            }
        }
    }

    /// Runs a request in a worker.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - file: The file that the request message carries.
    ///   - sources: The files of the messages after it.
    ///   - output: The file that the worker writes; nil for none.
    ///   - limits: The limits of a dedicated worker; nil for any worker.
    ///   - timeLimit: The time limit of one attempt.
    ///   - cancellation: Cancels the request from another thread.
    ///   - priority: The priority without a `cancellation`.
    ///   - isGivenUp: Records the number of workers that the request crashed and the last loss;
    ///     returns true if it must not be retried.
    /// - Returns: The result of the request.
    /// - Throws: `WorkerError` when no worker is available.
    func run(
        _ request: WorkerRequest,
        on file: ReadOnlyDescriptor?,
        sources: [ReadOnlyDescriptor] = [],
        output: Int32? = nil,
        limits: WorkerLimits? = nil,
        timeLimit: Duration,
        cancellation: WorkCancellation?,
        priority: WorkPriority,
        isGivenUp: (Int, WorkerLoss) -> Bool
    ) throws(WorkerError) -> FileOutcome {
        defer { withExtendedLifetime((file, sources)) {} }
        guard semaphore.wait(cancellation, priority: priority) else { return .cancelled }
        defer { semaphore.signal() }
        var lastLoss: WorkerLoss?
        // A worker that read other files before may have crashed because of one of those. Its loss
        // counts only when a new worker is lost too.
        var suspicions = 0
        var lost: WorkerProcess?
        for isLastTry in [false, true] {
            if cancellation?.isCancelled == true { return .cancelled }
            if let lost { log.retried(after: lost) }
            let worker =
                try isLastTry || limits != nil ? startWorker(limits: limits) : takeWorker()
            let isFresh = worker.requestCount == 0
            switch worker.run(
                request,
                descriptor: file?.number,
                sources: sources.map(\.number),
                output: output,
                timeLimit: timeLimit,
                cancellation: cancellation
            ) {
            case .answered(let reply, let memory):
                if limits == nil, worker.requestCount < Self.requestsPerWorker,
                    worker.unboundedBytes < Self.unboundedBytesPerWorker
                {
                    state.withLock { $0.idle.append(worker) }
                } else {
                    log.replaced(worker)
                }
                if case .cancelled = reply {
                    if let memory { close(memory) }
                    return .cancelled
                }
                return .replied(reply, memory: memory)
            case .lost(let loss) where cancellation?.isCancelled == true:
                log.ended(worker, loss, isCancelled: true)
                return .cancelled
            case .lost(let loss):
                log.ended(worker, loss, isCancelled: false)
                lost = worker
                lastLoss = loss
                if loss.blame == .system { continue }
                suspicions += 1
                guard isFresh || loss.blame == .forbiddenCall else { continue }
                if isGivenUp(suspicions, loss) {
                    log.givenUp(loss)
                    return .failed(reason: loss.reason)
                }
                suspicions = 0
            }
        }
        return .failed(reason: lastLoss?.reason ?? "", isPassing: lastLoss?.blame == .system)
    }

    /// Returns the reason why a file that crashed workers is no longer tried; nil if it may be
    /// tried.
    func lossReason(of identity: FileIdentity) -> String? {
        state.withLock { $0.losses.reason(against: identity) }
    }

    /// The number of workers started so far.
    package var startCount: Int { state.withLock { $0.startCount } }

    /// The sandbox report of an idle worker; nil if no worker is idle.
    package var sandboxReport: SandboxReport? { state.withLock { $0.idle.last?.report } }

    // MARK: - Workers

    private func takeWorker() throws(WorkerError) -> WorkerProcess {
        // The most recently used worker has the warmest caches.
        while let worker = state.withLock({ $0.idle.popLast() }) {
            if worker.isAlive { return worker }
        }
        return try startWorker()
    }

    /// Starts a worker with the given limits, or with the pool's by default.
    func startWorker(limits: WorkerLimits? = nil, mode: String = "--serve") throws(WorkerError)
        -> WorkerProcess
    {
        let path = try executable()
        let start = ContinuousClock.now
        let worker = try startWorker(at: path, limits: limits ?? self.limits, mode: mode)
        record(worker, at: path, since: start)
        return worker
    }

    /// Starts a worker that converts one movie, as a copy of the fork server or, without a fork
    /// server, as a new process.
    func startConverter(limits: WorkerLimits) throws(WorkerError) -> WorkerProcess {
        let path = try executable()
        let start = ContinuousClock.now
        let timeLimit = configuration.timeLimit
        guard let worker = forkedWorkers.start(path, limits: limits, timeLimit: timeLimit) else {
            return try startWorker(limits: limits)
        }
        record(worker, at: path, since: start)
        return worker
    }

    /// Returns the path of `photos-worker`.
    ///
    /// Each call searches for the program until a worker has been started.
    private func executable() throws(WorkerError) -> String {
        if let known = state.withLock({ $0.executable }) { return known }
        return try WorkerLocator.current().locate(configured: configuration.executable)
    }

    private func record(
        _ worker: WorkerProcess,
        at path: String,
        since start: ContinuousClock.Instant
    ) {
        log.started(worker, since: start)
        state.withLock {
            $0.executable = path
            $0.startCount += 1
        }
    }

    /// Starts a worker that reads one library of another program.
    func startLibraryWorker() throws(WorkerError) -> WorkerProcess {
        try startWorker(limits: nil, mode: "--library")
    }

    /// Starts a worker, with one retry if the system terminates the first one during startup.
    private func startWorker(at path: String, limits: WorkerLimits, mode: String)
        throws(WorkerError) -> WorkerProcess
    {
        let timeLimit = configuration.timeLimit
        do throws(WorkerError) {
            return try WorkerProcess(
                path: path,
                limits: limits,
                timeLimit: timeLimit,
                mode: mode
            )
        } catch {
            guard error.isWorthAnotherTry else { throw error }
            log.startRetried(error)
            return try WorkerProcess(
                path: path,
                limits: limits,
                timeLimit: timeLimit,
                mode: mode
            )
        }
    }

    private static func answer(
        for reply: WorkerReply,
        to request: ProbeRequest,
        memory: Int32?
    ) -> ProbeAnswer {
        switch reply {
        case .probed(let facts, let description):
            var pixels: PixelMemory?
            if let description, let memory {
                pixels = PixelMemory(
                    description: description,
                    descriptor: memory,
                    maximumSide: min(request.renditionSide, maximumRenditionSide)
                )
            }
            return .facts(facts, firstRendition: pixels)
        case .unsupported(let reason):
            return .unsupported(reason: reason)
        case .failed(let reason):
            return .failed(reason: reason)
        case .hello, .decoded, .encoded, .adjustments, .rendered, .failedSource, .movieFacts,
            .progress, .frame, .frameWritten, .converted, .unwritable, .records, .archivePage,
            .extracted, .takeout, .cancelled, .ended:
            return .failed(reason: Self.confusion)
        }
    }
}

/// The result of a probe.
package enum ProbeAnswer: Sendable {
    case facts(MediaFacts, firstRendition: PixelMemory?)
    case unsupported(reason: String)
    /// The file could not be read; `isPassing` indicates whether its worker was lost for a reason
    /// that does not concern the file, such as that the system terminated it.
    case failed(reason: String, isPassing: Bool = false)
}
