internal import Foundation
internal import Glibc
internal import Synchronization
package import WorkerProtocol

/// Worker processes, started when needed, kept warm, replaced after a crash.
///
/// Thread-safe. Calls block their thread until a worker is free and has answered.
package final class WorkerPool: Sendable {
    package struct Configuration: Sendable {
        /// Path of `photos-worker`; nil searches `$PHOTOS_WORKER`, beside the running program, and
        /// `<prefix>/libexec/swift-photos/`.
        package var executable: String?
        /// How many workers run at once at most: unless it says otherwise, one for each processor, two
        /// at least and eight at most.
        package var maximumWorkers: Int
        /// What each worker may use.
        ///
        /// Where the environment says `PHOTOS_WORKER_UNCONFINED=1`, a worker goes on even if the
        /// kernel can't confine it.
        package var limits: WorkerLimits
        /// Wall-clock time after which a silent worker is killed.
        package var timeLimit: Duration

        package static var standardWorkers: Int {
            min(max(2, ProcessInfo.processInfo.activeProcessorCount), 8)
        }

        package init(
            executable: String? = nil,
            maximumWorkers: Int = standardWorkers,
            limits: WorkerLimits = .standard,
            timeLimit: Duration = .seconds(120)
        ) {
            self.executable = executable
            self.maximumWorkers = maximumWorkers
            self.limits = limits
            self.timeLimit = timeLimit
        }
    }

    private struct State {
        var executable: String?
        var idle: [WorkerProcess] = []
        /// Files that ended a worker, and how.
        var losses = WorkerLossHistory()
        var startCount = 0
    }

    /// A worker that read so many files is replaced: what one of them may have left behind in it
    /// does not live for ever.
    private static let requestsPerWorker = 500
    /// Bytes of full-size pictures after which a worker is replaced, so that one that was taken over keeps no
    /// more: starting another costs a fraction of decoding them.
    private static let unboundedBytesPerWorker = 256 << 20
    /// Pixels of a rendition have no side longer than this, whatever a worker says.
    static let maximumRenditionSide = 8192

    static let confusion = "The worker's answer could not be understood."

    package let configuration: Configuration
    let limits: WorkerLimits
    private let semaphore: WorkerSemaphore
    /// Conversions have workers of their own: a long one keeps no picture waiting.
    let conversionSlots: DispatchSemaphore
    private let state = Mutex(State())

    package init(configuration: Configuration) {
        precondition(configuration.maximumWorkers > 0, "A pool needs at least one worker.")
        self.configuration = configuration
        var limits = configuration.limits
        if let value = getenv("PHOTOS_WORKER_UNCONFINED"), String(cString: value) == "1" {
            limits.allowsUnconfined = true
        }
        self.limits = limits
        self.semaphore = WorkerSemaphore(count: configuration.maximumWorkers)
        self.conversionSlots = DispatchSemaphore(value: configuration.maximumWorkers)
    }

    /// Reads the facts of the file behind `descriptor`, which stays the caller's and may be at any
    /// offset.
    ///
    /// - Throws: `WorkerError`, only when no worker could be had: missing, of another version, not to
    ///   be confined here. A file that crashes or hangs two workers is an answer (`failed`), and is
    ///   not tried again with this pool (it remembers device, inode, size and time).
    package func probe(_ request: ProbeRequest, descriptor: Int32) throws(WorkerError)
        -> ProbeAnswer
    {
        switch try run(
            .probe(request),
            on: descriptor,
            cancellation: nil,
            priority: .reading
        ) {
        case .failed(let reason): return .failed(reason: reason)
        case .cancelled: return .failed(reason: "It was cancelled.")
        case .replied(let reply, let memory):
            defer { if let memory { close(memory) } }
            return Self.answer(for: reply, to: request, memory: memory)
        }
    }

    /// What came of a request for a file.
    enum FileOutcome {
        /// The memory is the receiver's to close.
        case replied(WorkerReply, memory: Int32?)
        case failed(reason: String)
        case cancelled
    }

    /// Has a file read by a worker.
    ///
    /// One that ends a worker is tried once more in a fresh one; one that ended two, or made a
    /// forbidden system call, is not tried again.
    func run(
        _ request: WorkerRequest,
        on descriptor: Int32,
        cancellation: WorkCancellation?,
        priority: WorkPriority = .visible
    ) throws(WorkerError) -> FileOutcome {
        guard let identity = FileIdentity(descriptor: descriptor) else {
            return .failed(
                reason: "It could not be looked at: \(String(cString: strerror(errno)))."
            )
        }
        if let reason = lossReason(of: identity) { return .failed(reason: reason) }

        guard let readable = ReadOnlyDescriptor(descriptor) else {
            // Never the file's fault.
            if let error = WorkerError.tooManyOpenFiles(errno) { throw error }
            return .failed(
                reason: "It could not be opened for reading: \(String(cString: strerror(errno)))."
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

    /// Has a request answered by a worker.
    ///
    /// - Parameters:
    ///   - request: What is wanted.
    ///   - file: What comes beside it.
    ///   - sources: What comes after it.
    ///   - timeLimit: How long it may take.
    ///   - cancellation: Stops it from another thread.
    ///   - priority: How urgent it is where there is no `cancellation`.
    ///   - isGivenUp: Notes that what was sent ended so many workers, the last one in that way; whether
    ///     it is not tried again.
    /// - Returns: What came of it.
    /// - Throws: When no worker could be had.
    func run(
        _ request: WorkerRequest,
        on file: ReadOnlyDescriptor?,
        sources: [ReadOnlyDescriptor] = [],
        timeLimit: Duration,
        cancellation: WorkCancellation?,
        priority: WorkPriority,
        isGivenUp: (Int, WorkerLoss) -> Bool
    ) throws(WorkerError) -> FileOutcome {
        defer { withExtendedLifetime((file, sources)) {} }
        guard semaphore.wait(cancellation, priority: priority) else { return .cancelled }
        defer { semaphore.signal() }
        var lastReason = ""
        // A worker that read other files before may have died of one of those: what it was lost to
        // counts only when a fresh one is lost too.
        var suspicions = 0
        for isLastTry in [false, true] {
            if cancellation?.isCancelled == true { return .cancelled }
            let worker = try isLastTry ? startWorker() : takeWorker()
            let isFresh = worker.requestCount == 0
            switch worker.run(
                request,
                descriptor: file?.number,
                sources: sources.map(\.number),
                timeLimit: timeLimit,
                cancellation: cancellation
            ) {
            case .answered(let reply, let memory):
                if worker.requestCount < Self.requestsPerWorker,
                    worker.unboundedBytes < Self.unboundedBytesPerWorker
                {
                    state.withLock { $0.idle.append(worker) }
                }
                if case .cancelled = reply {
                    if let memory { close(memory) }
                    return .cancelled
                }
                return .replied(reply, memory: memory)
            case .lost where cancellation?.isCancelled == true:
                return .cancelled
            case .lost(let loss):
                lastReason = loss.reason
                if loss.blame == .system { continue }
                suspicions += 1
                guard isFresh || loss.blame == .forbiddenCall else { continue }
                if isGivenUp(suspicions, loss) { return .failed(reason: lastReason) }
                suspicions = 0
            }
        }
        return .failed(reason: lastReason)
    }

    /// How a file ended workers, if it did and is not tried again.
    func lossReason(of identity: FileIdentity) -> String? {
        state.withLock { $0.losses.reason(against: identity) }
    }

    /// How many workers were started so far.
    package var startCount: Int { state.withLock { $0.startCount } }

    /// How the kernel confines the workers, once one has been started and is idle.
    package var sandboxReport: SandboxReport? { state.withLock { $0.idle.last?.report } }

    // MARK: - Workers

    private func takeWorker() throws(WorkerError) -> WorkerProcess {
        // The one that was used last is the warmest.
        while let worker = state.withLock({ $0.idle.popLast() }) {
            if worker.isAlive { return worker }
        }
        return try startWorker()
    }

    /// Starts a worker; the pool's own limits where none are given.
    func startWorker(limits: WorkerLimits? = nil) throws(WorkerError) -> WorkerProcess {
        let known = state.withLock { $0.executable }
        let path: String
        if let known {
            path = known
        } else {
            path = try WorkerLocator.current().locate(configured: configuration.executable)
        }
        let worker = try startWorker(at: path, limits: limits ?? self.limits)
        state.withLock {
            $0.executable = path
            $0.startCount += 1
        }
        return worker
    }

    /// Starts a worker, and another one when the system ends the first before it is ready.
    private func startWorker(at path: String, limits: WorkerLimits) throws(WorkerError)
        -> WorkerProcess
    {
        let timeLimit = configuration.timeLimit
        do throws(WorkerError) {
            return try WorkerProcess(path: path, limits: limits, timeLimit: timeLimit)
        } catch {
            guard error.isWorthAnotherTry else { throw error }
            return try WorkerProcess(path: path, limits: limits, timeLimit: timeLimit)
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
            .progress, .frame, .frameWritten, .converted, .unwritable, .cancelled, .ended:
            return .failed(reason: Self.confusion)
        }
    }
}

/// What a probe gave.
package enum ProbeAnswer: Sendable {
    case facts(MediaFacts, firstRendition: PixelMemory?)
    case unsupported(reason: String)
    case failed(reason: String)
}
