internal import CSandboxShim
internal import Glibc
internal import WorkerProtocol

/// Reports a conversion's progress to the host and checks for cancellation.
///
/// Each progress report renews the limit of processor time, so the kernel terminates only a
/// conversion without progress.
final class ProgressReporter {
    /// The minimum interval between reports.
    private static let interval = Duration.milliseconds(100)

    private let connection: MessageConnection
    private let processorSeconds: UInt64
    private var told = 0.0
    private var time = SuspendingClock.now
    private var isStopped = false

    init(connection: MessageConnection, processorSeconds: UInt64) {
        self.connection = connection
        self.processorSeconds = processorSeconds
    }

    /// Reports the progress to the host; returns true if the conversion must stop.
    func advance(to done: Double) -> Bool {
        guard !isStopped else { return true }
        // Any message that the host sends before the answer is a cancellation.
        var entry = pollfd(fd: connection.socket, events: Int16(POLLIN), revents: 0)
        if poll(&entry, 1, 0) > 0 {
            isStopped = true
            return true
        }
        let now = SuspendingClock.now
        guard done > told, done >= 1 || now - time >= Self.interval else { return false }
        (told, time) = (done, now)
        _ = cphotos_limit_processor_time(processorSeconds)
        do {
            try connection.send(WorkerReply.progress(done))
        } catch {
            isStopped = true
        }
        return isStopped
    }
}
