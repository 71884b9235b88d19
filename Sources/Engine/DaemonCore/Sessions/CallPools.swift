internal import RemoteLibrary

/// The thread pools of a daemon, one for each class of calls.
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

    /// Indicates whether calls are queued in a pool other than those for questions and downloads.
    var hasQueuedCalls: Bool {
        pools.contains { callClass, pool in
            callClass != .question && callClass != .download && pool.hasQueuedCalls
        }
    }

    /// Queues the work of a call in the pool of its class.
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

    /// Removes the queued work of a client from all pools.
    func removeAll(of client: Int) {
        for pool in pools.values { pool.removeAll(of: client) }
    }

    /// Ends each thread after its current work.
    func stop() { for pool in pools.values { pool.stop() } }
}
