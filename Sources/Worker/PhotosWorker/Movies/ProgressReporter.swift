internal import CSandboxShim
internal import Glibc
internal import WorkerProtocol

/// Tells the host how far a conversion is, and asks it whether to go on.
///
/// What comes further gets more processor time; what does not is ended by the kernel.
final class ProgressReporter {
    /// So often at most.
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

    /// Notes how far it is; whether to stop.
    func advance(to done: Double) -> Bool {
        guard !isStopped else { return true }
        // Anything that the host says while it waits for an answer is that it waits no more.
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
