import CloudSync
import PhotoModel
import Testing

@Suite(.timeLimit(.minutes(1))) struct HybridClockTests {
    @Test func timesIncreaseWhenTheWallClockDoesNot() {
        var clock = HybridClock()
        let first = clock.next(now: 1_700_000_000_000)
        #expect(clock.next(now: 1_700_000_000_000) > first)
        #expect(clock.next(now: 5) > first)
        #expect(first.rawValue >> 20 == 1_700_000_000_000)
    }

    @Test func aChangeAfterAnotherOneWasSeenIsLater() {
        var slow = HybridClock()
        var fast = HybridClock()
        let seen = fast.next(now: 2_000_000_000_000)
        slow.observe(seen)
        #expect(slow.next(now: 1_000_000_000_000) > seen)
    }

    /// A clock in the far future leaves as many increments as it took.
    @Test func aWildClockIsLimited() {
        var clock = HybridClock()
        let wild = clock.next(now: UInt64.max)
        #expect(wild.rawValue == HybridTime.wallLimit)
        #expect(clock.next(now: UInt64.max).rawValue == HybridTime.wallLimit + 1)
        clock.observe(HybridTime(rawValue: UInt64.max))
        #expect(clock.last.rawValue == HybridTime.wallLimit + 1)
        clock.observe(HybridTime(rawValue: HybridTime.limit - 1))
        #expect(clock.next(now: 0).rawValue < HybridTime.limit)
    }
}
