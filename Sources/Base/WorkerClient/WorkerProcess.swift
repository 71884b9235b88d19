internal import CLinuxShim
internal import Dispatch
internal import Glibc
internal import PhotoModel
internal import WorkerProtocol

/// A running worker and the socket to it.
///
/// The unchecked conformance is safe because the pool gives a worker to one thread at a time.
final class WorkerProcess: @unchecked Sendable {
    /// The result of a request.
    enum Outcome {
        case answered(WorkerReply, memory: Int32?)
        /// The worker is no longer usable.
        case lost(WorkerLoss)
    }

    let processIdentifier: pid_t
    let report: SandboxReport
    let connection: MessageConnection
    let limits: WorkerLimits
    /// The process identifier of the fork server that created the worker; nil if none was used.
    let forkServer: pid_t?
    private var isReaped = false
    private(set) var requestCount = 0
    /// The total size in bytes of all answers without a known maximum length.
    ///
    /// A compromised worker may have retained these bytes.
    private(set) var unboundedBytes = 0

    /// Starts a worker and exchanges the opening messages.
    ///
    /// `mode` is the argument that decides which requests the worker answers.
    convenience init(
        path: String,
        limits: WorkerLimits,
        timeLimit: Duration,
        mode: String = "--serve"
    ) throws(WorkerError) {
        var host: Int32 = -1
        var worker: Int32 = -1
        guard cphotos_socket_pair(&host, &worker) == 0 else {
            let number = errno
            throw WorkerError.tooManyOpenFiles(number)
                ?? WorkerError.notStarted(path, reason: String(cString: strerror(number)))
        }
        var process: pid_t = -1
        let code = CompanionProgram.start(path, mode, socket: worker, process: &process)
        close(worker)
        guard code == 0 else {
            close(host)
            throw WorkerError.tooManyOpenFiles(code)
                ?? WorkerError.notStarted(path, reason: String(cString: strerror(code)))
        }
        try self.init(
            process,
            connection: MessageConnection(socket: host),
            path: path,
            limits: limits,
            timeLimit: timeLimit
        )
    }

    /// Takes over a child process and the socket to it, and exchanges the opening messages.
    ///
    /// After an error the process has ended and the socket is closed.
    init(
        _ process: pid_t,
        connection: MessageConnection,
        path: String,
        limits: WorkerLimits,
        timeLimit: Duration,
        forkServer: pid_t? = nil
    ) throws(WorkerError) {
        var end: Int32?
        do {
            self.report = try Self.greet(
                connection,
                path: path,
                limits: limits,
                timeLimit: timeLimit,
                process: process,
                end: &end
            )
        } catch {
            close(connection.socket)
            if end == nil { Self.end(process) }
            throw error
        }
        self.connection = connection
        self.processIdentifier = process
        self.limits = limits
        self.forkServer = forkServer
    }

    deinit {
        // The worker exits when its peer closes the socket; killing it lets it be reaped at once.
        close(connection.socket)
        if !isReaped { Self.end(processIdentifier) }
    }

    /// Kills a worker that is no longer used, without waiting until it has ended.
    ///
    /// The worker can finish a system call that it is in, such as writing to its output.
    ///
    /// - Parameter didEnd: Runs on another thread when the worker has ended.
    func endWithoutWaiting(_ didEnd: @escaping @Sendable () -> Void) {
        guard !isReaped else { return didEnd() }
        isReaped = true
        let process = processIdentifier
        kill(process, SIGKILL)
        // A serial queue, because a conversion may wait until this one's worker has ended, while
        // blocks of the program that wait for the conversion occupy the threads of a global queue.
        DispatchQueue(label: "photos.workers.ending", qos: .utility)
            .async {
                Self.wait(for: process)
                didEnd()
            }
    }

    /// Indicates whether the worker still accepts requests.
    ///
    /// Costs one system call.
    var isAlive: Bool {
        var entry = pollfd(fd: connection.socket, events: Int16(POLLIN), revents: 0)
        // An idle worker sends nothing, so readable data means an exit or a protocol error.
        return poll(&entry, 1, 0) == 0
    }

    /// Sends a request with its sources and the memory for its answer, and waits for the answer.
    ///
    /// The memory with the answer's bytes is sealed, and the caller must close it.
    ///
    /// After a cancellation the worker receives `cancel` and has a short time to stop by itself. A
    /// worker whose decoder cannot be interrupted is killed.
    func run(
        _ request: WorkerRequest,
        descriptor: Int32?,
        sources: [Int32] = [],
        output: Int32? = nil,
        timeLimit: Duration,
        cancellation: WorkCancellation? = nil
    ) -> Outcome {
        requestCount += 1
        var cancelled: SuspendingClock.Instant?
        do {
            let memory = request.hasMemory ? try AnswerMemory(for: request) : nil
            try connection.send(request, descriptor: descriptor)
            for source in sources {
                try connection.send(WorkerRequest.source, descriptor: source)
            }
            if let memory {
                try connection.send(WorkerRequest.memory, descriptor: memory.descriptor)
            }
            if let output { try connection.send(WorkerRequest.output, descriptor: output) }
            let reply = try receive(
                before: .now + timeLimit,
                cancellation: cancellation,
                cancelled: &cancelled
            )
            if case .ended(let clause) = reply {
                reap()
                return .lost(WorkerLoss(clause: clause, doing: "Reading"))
            }
            let taken = try memory?.take(for: reply)
            if let memory, memory.isUnbounded {
                unboundedBytes += AnswerMemory.length(of: reply) ?? 0
            }
            return .answered(reply, memory: taken)
        } catch {
            return .lost(loss(error, timeLimit, cancelled != nil, doing: "Reading"))
        }
    }

    /// Sends messages with their descriptors, and waits for one reply, for which no answer memory
    /// is provided.
    func ask(
        _ messages: [(WorkerRequest, Int32?)],
        timeLimit: Duration
    ) -> Outcome {
        send(messages) ?? answer(timeLimit: timeLimit)
    }

    /// Sends messages without waiting for the reply, and returns an outcome only if sending fails.
    ///
    /// `answer` receives the reply.
    func send(_ messages: [(WorkerRequest, Int32?)]) -> Outcome? {
        requestCount += 1
        do {
            for (message, descriptor) in messages {
                try connection.send(message, descriptor: descriptor)
            }
            return nil
        } catch { return .lost(loss(error, .zero, false, doing: "Reading")) }
    }

    /// Receives the reply to messages that were sent.
    func answer(timeLimit: Duration) -> Outcome {
        var cancelled: SuspendingClock.Instant?
        do {
            let reply = try receive(
                before: .now + timeLimit,
                cancellation: nil,
                cancelled: &cancelled
            )
            if case .ended(let clause) = reply {
                reap()
                return .lost(WorkerLoss(clause: clause, doing: "Reading"))
            }
            return .answered(reply, memory: nil)
        } catch {
            return .lost(loss(error, timeLimit, false, doing: "Reading"))
        }
    }

    /// Converts a movie and reports the progress.
    ///
    /// The time limit applies to each progress step; the duration of `draw` does not count.
    func convert(
        _ conversion: MovieConversion,
        input: Int32,
        output: Int32,
        timeLimit: Duration,
        cancellation: WorkCancellation?,
        progress: (Double) -> Void,
        draw: FrameDrawing
    ) -> Outcome {
        requestCount += 1
        var cancelled: SuspendingClock.Instant?
        var done = -1.0
        do {
            try connection.send(WorkerRequest.convert(conversion), descriptor: input)
            try connection.send(WorkerRequest.output, descriptor: output)
            var deadline = SuspendingClock.now + timeLimit
            while true {
                let reply = try receive(
                    before: deadline,
                    cancellation: cancellation,
                    cancelled: &cancelled
                )
                switch reply {
                case .progress(let now):
                    guard now > done, now <= 1 else { continue }
                    done = now
                    deadline = .now + timeLimit
                    if cancelled == nil { progress(now) }
                case .frame(let facts):
                    // The worker has received `cancel` and stops by itself.
                    guard cancelled == nil else { continue }
                    let (end, isWanted) = try show(
                        facts,
                        before: deadline,
                        cancellation: cancellation,
                        cancelled: &cancelled,
                        draw: draw
                    )
                    if let end { return end }
                    if !isWanted, cancelled == nil {
                        cancelled = .now
                        try connection.send(WorkerRequest.cancel)
                    }
                    deadline = .now + timeLimit
                case .ended(let clause):
                    reap()
                    return .lost(WorkerLoss(clause: clause, doing: "Converting"))
                default:
                    return .answered(reply, memory: nil)
                }
            }
        } catch {
            return .lost(loss(error, timeLimit, cancelled != nil, doing: "Converting"))
        }
    }

    /// Waits for a reply, and sends `cancel` once if the work is canceled meanwhile.
    ///
    /// The worker is killed if it does not reply within `patience` after that. Replies carry no
    /// descriptor; an unexpected one is closed.
    func receive(
        before deadline: SuspendingClock.Instant,
        cancellation: WorkCancellation?,
        cancelled: inout SuspendingClock.Instant?
    ) throws(ConnectionError) -> WorkerReply {
        let connection = connection
        let process = processIdentifier
        var since = cancelled
        defer { cancelled = since }
        var meanwhile: (() -> Void)?
        if let cancellation {
            meanwhile = {
                guard cancellation.isCancelled else { return }
                guard let moment = since else {
                    since = .now
                    try? connection.send(WorkerRequest.cancel)
                    return
                }
                // Killing the worker closes the socket, which ends the wait.
                if .now - moment > Self.patience { kill(process, SIGKILL) }
            }
        }
        let answer = try connection.receive(
            WorkerReply.self,
            before: deadline,
            meanwhile: meanwhile
        )
        if let stray = answer.descriptor { close(stray) }
        return answer.message
    }

    /// The time in which a canceled worker must stop.
    private static let patience = Duration.milliseconds(300)

    // MARK: - Termination

    /// Ends a worker whose connection failed, and determines the reason.
    private func loss(
        _ error: ConnectionError,
        _ timeLimit: Duration,
        _ isCancelled: Bool,
        doing work: String
    ) -> WorkerLoss {
        var status: Int32?
        if error == .closed, let clause = lastWords() {
            reap()
            return WorkerLoss(clause: clause, doing: work)
        }
        if error == .closed {
            status = Self.status(of: processIdentifier)
            isReaped = status != nil
        }
        let isKill = !isReaped
        if isKill { reap() }
        var loss = WorkerLoss(
            error,
            status: status,
            limits: limits,
            timeLimit: timeLimit,
            doing: work
        )
        if isCancelled { loss.blame = .system }
        loss.isKill = isKill
        return loss
    }

    /// Returns the reason for exiting that the worker sent before its connection closed; nil if it
    /// sent none.
    private func lastWords() -> String? {
        guard let last = try? connection.receive(WorkerReply.self, before: .now + .milliseconds(1))
        else { return nil }
        if let stray = last.descriptor { close(stray) }
        guard case .ended(let clause) = last.message else { return nil }
        return clause
    }

    /// Kills the process and collects its status.
    private func reap() {
        isReaped = true
        Self.end(processIdentifier)
    }

    /// Kills a child process and waits for its end.
    static func end(_ process: pid_t) {
        kill(process, SIGKILL)
        wait(for: process)
    }

    private static func wait(for process: pid_t) {
        while waitpid(process, nil, 0) < 0, errno == EINTR {}
    }

    /// Collects the wait status of a process that closed its socket; nil if it keeps running.
    ///
    /// The kernel closes an exiting process's descriptors shortly before its status is available.
    static func status(of process: pid_t) -> Int32? {
        var status: Int32 = 0
        for _ in 0..<1000 {
            let ended = waitpid(process, &status, WNOHANG)
            if ended == process { return status }
            if ended < 0, errno != EINTR { return nil }
            usleep(1000)
        }
        return nil
    }

    // MARK: - Starting

    /// Sends the limits and receives the worker's sandbox report.
    ///
    /// `end` is set to the wait status of a worker that exited instead.
    private static func greet(
        _ connection: MessageConnection,
        path: String,
        limits: WorkerLimits,
        timeLimit: Duration,
        process: pid_t,
        end: inout Int32?
    ) throws(WorkerError) -> SandboxReport {
        let reply: WorkerReply
        do {
            try connection.send(
                WorkerRequest.hello(version: WorkerProtocolVersion.current, limits: limits)
            )
            let answer = try connection.receive(WorkerReply.self, before: .now + timeLimit)
            if let stray = answer.descriptor { close(stray) }
            reply = answer.message
        } catch {
            switch error {
            case .closed:
                end = status(of: process)
                if let signal = end.map({ $0 & 0x7f }), WorkerLoss.isFromOutside(signal) {
                    throw .endedBySystem(path, signal: signal)
                }
                throw .notStarted(path, reason: "it exited immediately" + clause(forEnd: end))
            case .timedOut: throw .notStarted(path, reason: "it did not answer")
            case .system(let number):
                throw .notStarted(path, reason: String(cString: strerror(number)))
            case .tooLong, .malformed:
                throw .notStarted(path, reason: "it is not a photos-worker of this version")
            }
        }
        switch reply {
        case .hello(let version, let report):
            guard version == WorkerProtocolVersion.current else {
                throw .otherVersion(
                    path,
                    found: version,
                    wanted: WorkerProtocolVersion.current
                )
            }
            let isConfined = report.landlockABI > 0 && report.hasSeccomp
            guard isConfined || limits.allowsUnconfined else {
                throw .notConfined("it reports that it is not confined")
            }
            return report
        case .failed(let reason):
            throw .notConfined(reason)
        case .ended(let clause):
            throw .notStarted(path, reason: clause)
        case .probed, .unsupported, .decoded, .encoded, .adjustments, .movieFacts, .progress,
            .frame, .frameWritten, .converted, .rendered, .failedSource, .unwritable, .records,
            .archivePage, .extracted, .takeout, .cancelled:
            throw .notStarted(path, reason: "it is not a photos-worker of this version")
        }
    }

    private static func clause(forEnd status: Int32?) -> String {
        guard let status else { return "" }
        let signal = status & 0x7f
        return signal == 0 ? " (exit code \(status >> 8 & 0xff))" : " (signal \(signal))"
    }
}
