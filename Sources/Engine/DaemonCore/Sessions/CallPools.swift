internal import RemoteLibrary

/// The pools of a daemon, one for each class of calls.
final class CallPools: Sendable {
    private let pools: [CallClass: CallPool]

    init(_ limits: DaemonLimits) {
        pools = [
            .short: CallPool(name: "photos-short", width: limits.shortThreads),
            .write: CallPool(name: "photos-write", width: limits.writeThreads),
            .staging: CallPool(name: "photos-staging", width: limits.stagingThreads),
            .pixels: CallPool(name: "photos-pixels", width: limits.pixelThreads),
            .bulk: CallPool(name: "photos-bulk", width: limits.bulkThreads),
            .question: CallPool(name: "photos-question", width: limits.questionThreads),
            .download: CallPool(name: "photos-download", width: limits.downloadThreads),
        ]
    }

    /// Indicates whether calls wait for a thread, other than those that wait for a person or a
    /// download anyway.
    var hasQueuedCalls: Bool {
        pools.contains { callClass, pool in
            callClass != .question && callClass != .download && pool.hasQueuedCalls
        }
    }

    /// Adds the work of a call.
    ///
    /// - Returns: False if there is no thread for it.
    func submit(
        _ callClass: CallClass,
        for client: Int,
        _ work: @escaping @Sendable () -> Void
    ) -> Bool {
        guard let pool = pools[callClass] else { return false }
        return pool.submit(for: client, work)
    }

    /// Removes the work of a client that has not started.
    func removeAll(of client: Int) {
        for pool in pools.values { pool.removeAll(of: client) }
    }

    /// Ends the threads after their present work.
    func stop() { for pool in pools.values { pool.stop() } }
}
