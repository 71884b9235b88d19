import Foundation
import Testing

@testable import PhotosCompanions

/// The intervals between the states of an export.
@Suite(.timeLimit(.minutes(1))) struct ExportWatcherTests {
    /// Returns the progress that a subscriber is told of three steps without a pause.
    private func progress(interval: TimeInterval) async -> [Double] {
        let (states, continuation) = AsyncStream.makeStream(of: AVAssetExportSession.State.self)
        var watcher = ExportWatcher(continuation: continuation, interval: interval)
        watcher.notify(.exporting, 0, isNews: true)
        watcher.notify(.exporting, 0.25, isNews: false)
        watcher.notify(.exporting, 0.5, isNews: false)
        continuation.finish()
        var list: [Double] = []
        for await state in states {
            if case .exporting(let progress) = state { list.append(progress.fractionCompleted) }
        }
        return list
    }

    @Test func withoutAnIntervalEveryStepIsTold() async {
        for interval: TimeInterval in [0, -1, -.greatestFiniteMagnitude] {
            let told = await progress(interval: interval)
            #expect(told == [0, 0.25, 0.5], "\(interval)")
        }
    }

    @Test func longIntervalsLeaveTheFirstStep() async {
        for interval: TimeInterval in [60, 1e21, .greatestFiniteMagnitude, .infinity, .nan] {
            let told = await progress(interval: interval)
            #expect(told == [0], "\(interval)")
        }
    }
}
