internal import Foundation

/// A subscriber to the states of an export session.
struct ExportWatcher {
    /// About 30 years.
    private static let longestInterval: TimeInterval = 1e9

    let continuation: AsyncStream<AVAssetExportSession.State>.Continuation
    let interval: TimeInterval
    private var last: ContinuousClock.Instant?

    init(
        continuation: AsyncStream<AVAssetExportSession.State>.Continuation,
        interval: TimeInterval
    ) {
        self.continuation = continuation
        self.interval = interval
    }

    mutating func notify(
        _ status: AVAssetExportSession.Status,
        _ done: Float,
        isNews: Bool
    ) {
        let now = ContinuousClock.now
        if !isNews, let last {
            // A Duration cannot hold every number of seconds.
            let seconds = min(max(0, interval), Self.longestInterval)
            guard interval.isFinite, now - last >= .seconds(seconds) else { return }
        }
        last = now
        switch status {
        case .unknown: continuation.yield(.pending)
        case .waiting: continuation.yield(.waiting)
        case .exporting:
            let progress = Progress.discreteProgress(totalUnitCount: 1000)
            progress.completedUnitCount = Int64(done * 1000)
            continuation.yield(.exporting(progress: progress))
        case .completed, .failed, .cancelled: break
        }
    }
}
