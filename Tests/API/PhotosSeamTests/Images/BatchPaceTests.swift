import Photos
import Testing

/// The times at which requests for images depart together.
@Suite(.timeLimit(.minutes(1))) struct BatchPaceTests {
    private let start = BatchPace.Instant.now

    private func time(_ milliseconds: Double) -> BatchPace.Instant {
        start + .microseconds(Int(milliseconds * 1_000))
    }

    @Test func singleRequestDepartsAtOnce() {
        var pace = BatchPace()
        for turn in 0..<3 {
            let now = time(Double(turn))
            #expect(pace.step(at: now) == .rest)
            #expect(pace.add(at: now, inTurn: false) == .send)
            #expect(pace.end(at: now) == .rest)
        }
    }

    @Test func requestsThatFindABatchDepartTogetherAfterIt() {
        var pace = BatchPace()
        #expect(pace.add(at: time(0), inTurn: false) == .send)
        for number in 0..<10 {
            #expect(pace.add(at: time(0.1 * Double(number)), inTurn: false) == .rest)
        }
        // The last one came long ago.
        #expect(pace.end(at: time(3)) == .send)
        #expect(pace.end(at: time(4)) == .rest)
    }

    @Test func seriesIsAwaited() {
        var pace = BatchPace()
        #expect(pace.add(at: time(0), inTurn: false) == .send)
        #expect(pace.add(at: time(1), inTurn: false) == .rest)
        #expect(pace.end(at: time(1.2)) == .wait(until: time(1.5)))
        #expect(pace.add(at: time(1.4), inTurn: false) == .wait(until: time(1.9)))
        #expect(pace.step(at: time(1.5)) == .wait(until: time(1.9)))
        #expect(pace.step(at: time(1.9)) == .send)
        // Another timer.
        #expect(pace.step(at: time(2)) == .rest)
    }

    @Test func seriesThatDoesNotEndIsDivided() {
        var pace = BatchPace()
        #expect(pace.add(at: time(0), inTurn: false) == .send)
        #expect(pace.add(at: time(1), inTurn: false) == .rest)
        #expect(pace.end(at: time(1.1)) == .wait(until: time(1.5)))
        let limit = time(1) + BatchPace.patience
        for tenth in 12..<50 {
            let now = time(Double(tenth) / 10)
            let due = min(now + BatchPace.lull, limit)
            #expect(pace.add(at: now, inTurn: false) == .wait(until: due))
        }
        #expect(pace.add(at: limit, inTurn: false) == .send)
    }

    @Test func requestsOfOneBlockDepartAtItsEnd() {
        var pace = BatchPace()
        let limit = time(0) + BatchPace.patience
        for number in 0..<10 {
            let now = time(0.1 * Double(number))
            #expect(pace.add(at: now, inTurn: true) == .wait(until: limit))
        }
        #expect(pace.endTurn(at: time(2)) == .send)
        #expect(pace.endTurn(at: time(2.1)) == .rest)
        #expect(pace.end(at: time(3)) == .rest)
    }

    @Test func longBlockDoesNotHoldRequests() {
        var pace = BatchPace()
        let limit = time(0) + BatchPace.patience
        #expect(pace.add(at: time(0), inTurn: true) == .wait(until: limit))
        #expect(pace.step(at: limit) == .send)
        #expect(pace.add(at: time(5), inTurn: true) == .rest)
        #expect(pace.end(at: time(6)) == .wait(until: time(5) + BatchPace.patience))
        #expect(pace.endTurn(at: time(6.5)) == .send)
    }

    @Test func mainQueueThatDoesNotRunHoldsNoOtherRequests() {
        var pace = BatchPace()
        let limit = time(0) + BatchPace.patience
        #expect(pace.add(at: time(0), inTurn: true) == .wait(until: limit))
        #expect(pace.step(at: limit) == .send)
        #expect(pace.end(at: time(5)) == .rest)
        #expect(pace.add(at: time(6), inTurn: false) == .send)
    }

    @Test func whatABatchLeavesDepartsNext() {
        var pace = BatchPace()
        #expect(pace.add(at: time(0), inTurn: false) == .send)
        #expect(pace.end(at: time(1), isPartial: true) == .send)
        #expect(pace.end(at: time(2)) == .rest)
    }
}
