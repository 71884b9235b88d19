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
        case answered(WorkerReply, descriptor: Int32?)
        /// The worker is no longer of use; why, in words about the file, and what is to blame.
        case lost(reason: String, blame: Blame)
    }

    /// What a worker was lost to.
    enum Blame {
        case file
        /// This file, or one that the worker read before.
        case thisOrAnEarlierFile
        /// The system could not carry the messages.
        case host
    }

    let processIdentifier: pid_t
    let report: SandboxReport
    let connection: MessageConnection
    let limits: WorkerLimits
    private var isReaped = false
    private(set) var requestCount = 0

    /// Starts a worker and greets it.
    init(path: String, limits: WorkerLimits, timeLimit: Duration) throws(WorkerError) {
        var host: Int32 = -1
        var worker: Int32 = -1
        guard ph_socket_pair(&host, &worker) == 0 else {
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
        do {
            self.report = try Self.greet(
                connection,
                path: path,
                limits: limits,
                timeLimit: timeLimit
            )
        } catch {
            close(host)
            _ = Self.end(process)
            throw error
        }
        self.connection = connection
        self.processIdentifier = process
        self.limits = limits
    }

    deinit {
        // The worker ends itself when its peer goes; killing it makes sure that it is reaped now.
        close(connection.socket)
        if !isReaped { _ = Self.end(processIdentifier) }
    }

    /// Whether the worker still listens.
    ///
    /// Costs one system call.
    var isAlive: Bool {
        var entry = pollfd(fd: connection.socket, events: Int16(POLLIN), revents: 0)
        // An idle worker has nothing to say; anything readable is an end or a confusion.
        return poll(&entry, 1, 0) == 0
    }

    /// Sends a request, and the sources of a recipe after it, and waits for its answer.
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
            try connection.send(request, descriptor: descriptor)
            for source in sources {
                try connection.send(WorkerRequest.source, descriptor: source)
            }
            let reply = try receive(
                before: .now + timeLimit,
                cancellation: cancellation,
                cancelled: &cancelled
            )
            return .answered(reply.message, descriptor: reply.descriptor)
        } catch {
            let reason = reason(for: error, timeLimit: timeLimit, doing: "Reading")
            return .lost(reason: reason, blame: cancelled == nil ? Self.blame(for: error) : .host)
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
                switch reply.message {
                case .progress(let now):
                    if let stray = reply.descriptor { close(stray) }
                    guard now > done, now <= 1 else { continue }
                    done = now
                    deadline = .now + timeLimit
                    if cancelled == nil { progress(now) }
                case .frame(let facts):
                    if let stray = reply.descriptor { close(stray) }
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
                default:
                    return .answered(reply.message, descriptor: reply.descriptor)
                }
            }
        } catch {
            let reason = reason(for: error, timeLimit: timeLimit, doing: "Converting")
            return .lost(reason: reason, blame: cancelled == nil ? Self.blame(for: error) : .host)
        }
    }

    /// Receives an answer, and tells the worker once it is not wanted any more.
    func receive(
        before deadline: SuspendingClock.Instant,
        cancellation: WorkCancellation?,
        cancelled: inout SuspendingClock.Instant?
    ) throws(ConnectionError) -> (message: WorkerReply, descriptor: Int32?) {
        guard let cancellation else {
            return try connection.receive(WorkerReply.self, before: deadline)
        }
        let connection = connection
        let process = processIdentifier
        var since = cancelled
        defer { cancelled = since }
        return try connection.receive(WorkerReply.self, before: deadline) {
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

    /// How long a cancelled worker may take to notice.
    private static let patience = Duration.milliseconds(300)

    // MARK: - Ends

    private static func blame(for error: ConnectionError) -> Blame {
        switch error {
        case .closed: .thisOrAnEarlierFile
        case .timedOut, .tooLong, .malformed: .file
        case .system: .host
        }
    }

    private func reason(
        for error: ConnectionError,
        timeLimit: Duration,
        doing work: String
    ) -> String {
        switch error {
        case .closed:
            // The socket closes as the process ends, so there is hardly anything to wait for.
            return Self.words(for: reap(), limits: limits, doing: work)
        case .timedOut:
            _ = reap()
            return "\(work) it took longer than \(timeLimit.components.seconds) seconds; it was "
                + "given up."
        case .tooLong(let length):
            _ = reap()
            return "The worker answered with \(length) bytes, more than is allowed."
        case .malformed(let words):
            _ = reap()
            return "The worker's answer could not be understood: \(words)"
        case .system(let number):
            _ = reap()
            return "Talking to the worker failed: \(String(cString: strerror(number)))."
        }
    }

    /// Ends the process if it has not ended, and collects its status.
    private func reap() -> Int32 {
        isReaped = true
        return Self.end(processIdentifier)
    }

    /// Kills a process, unless it is ending by itself, and gives its wait status.
    ///
    /// The kernel closes a dying process's descriptors shortly before it can be waited for: killing
    /// it in between does no harm, since its status stays the first one.
    private static func end(_ process: pid_t) -> Int32 {
        var status: Int32 = 0
        kill(process, SIGKILL)
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status
    }

    private static func words(
        for status: Int32,
        limits: WorkerLimits,
        doing work: String
    ) -> String {
        let signal = status & 0x7f
        guard signal != 0 else {
            return "\(work) it ended the worker (exit code \(status >> 8 & 0xff))."
        }
        switch signal {
        case SIGXCPU:
            return "\(work) it took more than \(limits.maximumProcessorSeconds) seconds of "
                + "processor time."
        case SIGBUS:
            return "\(work) it failed (SIGBUS): the file became shorter while it was read, or its "
                + "volume has a fault."
        default:
            return "\(work) it crashed the worker (\(name(ofSignal: signal))); the file is damaged "
                + "or hostile."
        }
    }

    private static func name(ofSignal signal: Int32) -> String {
        switch signal {
        case SIGSEGV: "SIGSEGV"
        case SIGABRT: "SIGABRT"
        case SIGILL: "SIGILL"
        case SIGFPE: "SIGFPE"
        case SIGTRAP: "SIGTRAP"
        case SIGKILL: "SIGKILL"
        case SIGSYS: "SIGSYS"
        case SIGTERM: "SIGTERM"
        default: "signal \(signal)"
        }
    }

    // MARK: - Starting

    private static func greet(
        _ connection: MessageConnection,
        path: String,
        limits: WorkerLimits,
        timeLimit: Duration
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
            case .closed: throw .notStarted(path, reason: "it ended at once")
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
        case .probed, .unsupported, .decoded, .encoded, .adjustments, .movieFacts, .progress,
            .frame, .frameWritten, .converted, .rendered, .failedSource, .unwritable, .cancelled:
            throw .notStarted(path, reason: "it is not a photos-worker of this version")
        }
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
        return ph_spawn(path, &arguments, &environment, socket, &process)
    }
}
