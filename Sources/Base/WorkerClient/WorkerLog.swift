internal import Glibc
package import Logging

/// The log messages of a pool of workers.
///
/// No message names the file that a worker reads.
struct WorkerLog: Sendable {
    let logger: Logger

    func started(_ worker: WorkerProcess, since start: ContinuousClock.Instant) {
        let wait = Int((ContinuousClock.now - start) / .milliseconds(1))
        logger.debug(
            "A worker was started.",
            metadata: Self.identity(worker, with: ["worker.milliseconds": "\(wait)"])
        )
    }

    func startRetried(_ error: WorkerError) {
        logger.info(
            "A worker was terminated while it started; another one is started.",
            metadata: [
                "worker.reason": logger.logLevel <= .debug ? "\(error.message)" : "<private>"
            ]
        )
    }

    func forkServerFailed(_ reason: String) {
        logger.info(
            "The fork server failed; workers of conversions are started without it.",
            metadata: ["worker.reason": "\(reason)"]
        )
    }

    /// Logs the end of a worker that this process killed or that ended unexpectedly.
    func ended(_ worker: WorkerProcess, _ loss: WorkerLoss, isCancelled: Bool) {
        guard !isCancelled else {
            logger.debug(
                "A worker was killed because its request was canceled.",
                metadata: Self.identity(worker)
            )
            return
        }
        logger.info(
            loss.isKill ? "A worker was killed." : "A worker was lost.",
            metadata: Self.identity(
                worker,
                with: ["worker.blame": "\(loss.blame)", "worker.reason": "\(loss.reason)"]
            )
        )
    }

    func retried(after worker: WorkerProcess) {
        logger.info("A request is retried in a new worker.", metadata: Self.identity(worker))
    }

    func givenUp(_ loss: WorkerLoss) {
        logger.info(
            "A file is not read again, since it ended workers.",
            metadata: ["worker.blame": "\(loss.blame)"]
        )
    }

    func replaced(_ worker: WorkerProcess) {
        logger.debug(
            "A worker was retired.",
            metadata: Self.identity(worker, with: ["worker.requests": "\(worker.requestCount)"])
        )
    }

    private static func identity(
        _ worker: WorkerProcess,
        with others: Logger.Metadata = [:]
    ) -> Logger.Metadata {
        others.merging(["worker.process": "\(worker.processIdentifier)"]) { $1 }
    }
}

extension Logger {
    /// The logger for pools that are created without one; it discards all messages.
    package static let silentWorkers = Logger(label: "photos.workers") { _ in
        SwiftLogNoOpLogHandler()
    }
}
