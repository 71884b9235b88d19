import PhotosManagement
import Testing

@testable import PhotosGallery

/// The progress, the rate and the remaining time of imports.
@Suite(.timeLimit(.minutes(1))) struct ImportMeterTests {
    private let start = ContinuousClock.now

    private func progress(_ files: Int, _ bytes: Int64, of total: Int, _ totalBytes: Int64)
        -> ImportProgress
    {
        var progress = ImportProgress()
        (progress.files, progress.bytes) = (files, bytes)
        (progress.totalFiles, progress.totalBytes) = (total, totalBytes)
        return progress
    }

    @Test func nothingIsKnownAtTheBeginning() {
        var meter = ImportMeter()
        #expect(meter.fraction == nil && meter.rate == nil && meter.secondsLeft == nil)
        meter.beginFiles(at: start)
        #expect(meter.fraction == nil && meter.rate == nil && meter.secondsLeft == nil)
        #expect(meter.done == 0 && meter.total == 0 && meter.unit == .files)
    }

    @Test func rateAndTimeFollowTheBytes() {
        var meter = ImportMeter()
        meter.beginFiles(at: start)
        var half = progress(1, 50_000_000, of: 10, 200_000_000)
        meter.advance(half, at: start + .seconds(10))
        // The total is still being counted.
        #expect(meter.fraction == nil && meter.secondsLeft == nil && meter.rate == 5_000_000)
        half.isTotalKnown = true
        meter.advance(half, at: start + .seconds(10))
        #expect(meter.fraction == 0.25 && meter.rate == 5_000_000 && meter.secondsLeft == 30)
        #expect(meter.done == 1 && meter.total == 10)
    }

    @Test func firstSecondHasNoEstimate() {
        var meter = ImportMeter()
        meter.beginFiles(at: start)
        var early = progress(1, 1_000, of: 2, 2_000)
        early.isTotalKnown = true
        meter.advance(early, at: start + .milliseconds(900))
        #expect(meter.fraction == 0.5 && meter.rate == nil && meter.secondsLeft == nil)
    }

    @Test func filesCountWhereNoBytesAreKnown() {
        var meter = ImportMeter()
        meter.beginFiles(at: start)
        var empty = progress(3, 0, of: 4, 0)
        empty.isTotalKnown = true
        meter.advance(empty, at: start + .seconds(3))
        #expect(meter.fraction == 0.75 && meter.rate == nil && meter.secondsLeft == 1)
    }

    @Test func shareIsAtMostTheWhole() {
        var meter = ImportMeter()
        meter.beginFiles(at: start)
        // Files were added after they were counted.
        var more = progress(5, 500, of: 4, 400)
        more.isTotalKnown = true
        meter.advance(more, at: start + .seconds(2))
        #expect(meter.fraction == 1 && meter.total == 5 && meter.secondsLeft == 0)
    }
}
