internal import CLinuxShim
internal import Glibc
internal import PhotoModel
internal import WorkerProtocol

/// One running worker and the socket to it.
///
/// The pool hands it to one thread at a time, which is what makes the unchecked conformance right:
/// nothing here is touched by two threads at once.
final class WorkerProcess: @unchecked Sendable {
    /// What came of a request.
    enum Outcome {
        case answered(WorkerReply, memory: Int32?)
        /// The worker is no longer of use.
        case lost(WorkerLoss)
    }

    let processIdentifier: pid_t
    let report: SandboxReport
    let connection: MessageConnection
    let limits: WorkerLimits
    private var isReaped = false
    private(set) var requestCount = 0
    /// Bytes of answers whose length the files said: a worker that was taken over may have kept them.
    private(set) var unboundedBytes = 0

    /// Starts a worker and greets it.
    init(path: String, limits: WorkerLimits, timeLimit: Duration) throws(WorkerError) {
        var host: Int32 = -1
        var worker: Int32 = -1
        guard cphotos_socket_pair(&host, &worker) == 0 else {
            let number = errno
            throw WorkerError.tooManyOpenFiles(number)
                ?? WorkerError.notStarted(path, reason: String(cString: strerror(number)))
        }
        var process: pid_t = -1
        let code = Self.spawn(path, socket: worker, process: &process)
        close(worker)
        guard code == 0 else {
            close(host)
            throw WorkerError.tooManyOpenFiles(code)
                ?? WorkerError.notStarted(path, reason: String(cString: strerror(code)))
        }
        let connection = MessageConnection(socket: host)
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
            close(host)
            if end == nil { Self.end(process) }
            throw error
        }
        self.connection = connection
        self.processIdentifier = process
        self.limits = limits
    }

    deinit {
        // The worker ends itself when its peer goes; killing it makes sure that it is reaped now.
        close(connection.socket)
        if !isReaped { Self.end(processIdentifier) }
    }

    /// Whether the worker still listens.
    ///
    /// Costs one system call.
    var isAlive: Bool {
        var entry = pollfd(fd: connection.socket, events: Int16(POLLIN), revents: 0)
        // An idle worker has nothing to say; anything readable is an end or a confusion.
        return poll(&entry, 1, 0) == 0
    }

    /// Sends a request, the sources of a recipe and the memory for its answer, and waits for that.
    ///
    /// The memory with the answer's bytes is sealed and the caller's.
    ///
    /// Once it is cancelled the worker is told, and gets a moment to come to an end by itself: a
    /// decoder that can't be interrupted costs the worker.
    func run(
        _ request: WorkerRequest,
        descriptor: Int32?,
        sources: [Int32] = [],
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

    /// Has a movie converted, and tells how far that is.
    ///
    /// The time limit is for coming any further; how long `draw` takes does not count.
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
                    // It was told, and comes to an end by itself.
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

    /// Receives an answer, and tells the worker once it is not wanted any more.
    ///
    /// No answer has a descriptor beside it; one that comes is closed.
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
                // Its end closes the socket, which ends the waiting.
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

    /// How long a cancelled worker may take to notice.
    private static let patience = Duration.milliseconds(300)

    // MARK: - Ends

    /// Gives up a worker whose connection broke, and says why it did.
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
        if !isReaped { reap() }
        var loss = WorkerLoss(
            error,
            status: status,
            limits: limits,
            timeLimit: timeLimit,
            doing: work
        )
        if isCancelled { loss.blame = .system }
        return loss
    }

    /// Why a worker ended, if it said so before a message to it failed.
    private func lastWords() -> String? {
        guard let last = try? connection.receive(WorkerReply.self, before: .now + .milliseconds(1))
        else { return nil }
        if let stray = last.descriptor { close(stray) }
        guard case .ended(let clause) = last.message else { return nil }
        return clause
    }

    /// Ends the process and collects its status.
    private func reap() {
        isReaped = true
        Self.end(processIdentifier)
    }

    private static func end(_ process: pid_t) {
        kill(process, SIGKILL)
        while waitpid(process, nil, 0) < 0, errno == EINTR {}
    }

    /// The wait status of a process that closed its socket, collected; nil for one that goes on.
    ///
    /// The kernel closes a dying process's descriptors shortly before it can be waited for.
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

    /// Sends the limits, and receives how the worker is confined.
    ///
    /// `end` becomes the wait status of a worker that ended instead.
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
                throw .notStarted(path, reason: "it ended at once" + clause(forEnd: end))
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
                throw .notConfined("it says that it is not confined")
            }
            return report
        case .failed(let reason):
            throw .notConfined(reason)
        case .ended(let clause):
            throw .notStarted(path, reason: clause)
        case .probed, .unsupported, .decoded, .encoded, .adjustments, .movieFacts, .progress,
            .frame, .frameWritten, .converted, .rendered, .failedSource, .unwritable, .cancelled:
            throw .notStarted(path, reason: "it is not a photos-worker of this version")
        }
    }

    private static func clause(forEnd status: Int32?) -> String {
        guard let status else { return "" }
        let signal = status & 0x7f
        return signal == 0 ? " (exit code \(status >> 8 & 0xff))" : " (signal \(signal))"
    }

    private static func spawn(_ path: String, socket: Int32, process: inout pid_t) -> Int32 {
        var variables = ["LANG=C.UTF-8", "PATH=/usr/bin:/bin"]
        // Where the Swift runtime lies is the one thing that a worker may need from outside.
        if let libraries = getenv("LD_LIBRARY_PATH") {
            variables.append("LD_LIBRARY_PATH=\(String(cString: libraries))")
        }
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(path), strdup("--serve"), nil]
        var environment: [UnsafeMutablePointer<CChar>?] = variables.map { strdup($0) } + [nil]
        defer {
            for text in arguments + environment { free(text) }
        }
        return cphotos_spawn(path, &arguments, &environment, socket, &process)
    }
}
