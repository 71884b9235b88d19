internal import Glibc
internal import WorkerProtocol

/// The unexpected end of a worker process, with its cause.
struct WorkerLoss: Hashable, Sendable {
    /// The cause of a loss.
    enum Blame: Hashable, Sendable {
        /// The content of the requested file, or of a file that the worker read before it.
        case file
        /// The content of a file, which caused a system call that no decoder makes.
        case forbiddenCall
        /// The system, which terminated the worker or failed to deliver messages.
        case system
    }

    /// The reason as a sentence that refers to the file as “it”.
    var reason: String
    var blame: Blame
    /// Indicates whether this process killed the worker while it was still running.
    var isKill = false

    /// Creates the loss of a worker whose connection failed.
    ///
    /// - Parameters:
    ///   - error: The connection's error.
    ///   - status: The wait status of a worker that exited by itself.
    ///   - limits: The worker's limits.
    ///   - timeLimit: The time limit of the request.
    ///   - work: The worker's activity, such as "Reading".
    init(
        _ error: ConnectionError,
        status: Int32?,
        limits: WorkerLimits,
        timeLimit: Duration,
        doing work: String
    ) {
        if error == .closed, let status {
            self.init(status: status, limits: limits, doing: work)
            return
        }
        var blame = Blame.file
        let reason: String
        switch error {
        case .closed:
            reason = "\(work) it failed: the worker closed its connection."
        case .timedOut:
            reason =
                "\(work) it took longer than \(timeLimit.components.seconds) seconds and "
                + "was stopped."
        case .tooLong(let length):
            reason = "The worker replied with \(length) bytes, which exceeds the limit."
        case .malformed(let words):
            reason = "The worker's reply is invalid: \(words)"
        case .system(let number):
            blame = .system
            reason = "Communication with the worker failed: \(String(cString: strerror(number)))."
        }
        self.init(reason: reason, blame: blame)
    }

    private init(reason: String, blame: Blame) {
        self.reason = reason
        self.blame = blame
    }

    /// Creates the loss of a worker that reported its reason for exiting.
    init(clause: String, doing work: String) {
        blame = .system
        reason = "\(work) it failed: the worker stopped: \(clause)."
    }

    /// Creates the loss of a worker that exited without a report.
    private init(status: Int32, limits: WorkerLimits, doing work: String) {
        blame = .file
        let signal = status & 0x7f
        guard signal != 0 else {
            reason = "\(work) it failed: the worker exited (exit code \(status >> 8 & 0xff))."
            return
        }
        switch signal {
        case SIGXCPU:
            reason =
                "\(work) it took more than \(limits.maximumProcessorSeconds) seconds of "
                + "processor time."
        case SIGBUS:
            reason =
                "\(work) it failed (SIGBUS): the file was truncated while it was read, or its "
                + "volume is faulty."
        case SIGSYS:
            blame = .forbiddenCall
            reason =
                "\(work) it failed: the worker made a forbidden system call (SIGSYS). The file is "
                + "malicious."
        case _ where Self.isFromOutside(signal):
            blame = .system
            reason =
                "\(work) it failed: the worker was ended by the system or another program "
                + "(\(Self.name(ofSignal: signal))), not by the file. \(Self.advice)"
        default:
            reason =
                "\(work) it crashed the worker (\(Self.name(ofSignal: signal))). The file is "
                + "damaged or malicious."
        }
    }

    /// The recovery suggestion for workers that the system terminates.
    static let advice = "The most common cause is low memory: quit other programs and try again."

    /// Returns whether a signal usually comes from the system or another program.
    static func isFromOutside(_ signal: Int32) -> Bool {
        [SIGKILL, SIGTERM, SIGINT, SIGHUP, SIGQUIT].contains(signal)
    }

    static func name(ofSignal signal: Int32) -> String {
        switch signal {
        case SIGSEGV: "SIGSEGV"
        case SIGABRT: "SIGABRT"
        case SIGILL: "SIGILL"
        case SIGFPE: "SIGFPE"
        case SIGTRAP: "SIGTRAP"
        case SIGKILL: "SIGKILL"
        case SIGTERM: "SIGTERM"
        case SIGINT: "SIGINT"
        case SIGHUP: "SIGHUP"
        case SIGQUIT: "SIGQUIT"
        default: "signal \(signal)"
        }
    }
}
