import PhotoModel
import TestSupport
import Testing

/// Times that only rise, whatever wall clocks and other devices say.
@Suite(.timeLimit(.minutes(1))) struct HybridClockTests {
    @Test func timesFollowTheWallClockOrCount() {
        var clock = HybridClock()
        #expect(clock.next(now: 5) == HybridTime(rawValue: 5 << 20))
        #expect(clock.next(now: 5) == HybridTime(rawValue: 5 << 20 + 1))
        #expect(clock.next(now: 3) == HybridTime(rawValue: 5 << 20 + 2))
        #expect(clock.next(now: 6) == HybridTime(rawValue: 6 << 20))
        #expect(clock.last == HybridTime(rawValue: 6 << 20))
    }

    @Test func whatWasSeenIsPast() {
        var clock = HybridClock()
        clock.observe(HybridTime(rawValue: 9 << 20 + 7))
        #expect(clock.next(now: 1) == HybridTime(rawValue: 9 << 20 + 8))
        clock.observe(HybridTime(rawValue: 2))
        #expect(clock.last == HybridTime(rawValue: 9 << 20 + 8))
        // The first invalid time and later ones are not those of a device.
        for invalid in [HybridTime.limit, HybridTime.limit + 1, UInt64.max] {
            clock.observe(HybridTime(rawValue: invalid))
            #expect(clock.last == HybridTime(rawValue: 9 << 20 + 8))
        }
        clock.observe(HybridTime(rawValue: HybridTime.limit - 1))
        #expect(clock.last == HybridTime(rawValue: HybridTime.limit - 1))
        #expect(clock.next(now: UInt64.max) < HybridTime(rawValue: HybridTime.limit))
    }

    @Test func wildClocksLeaveRoom() {
        var clock = HybridClock()
        let wild = clock.next(now: UInt64.max)
        #expect(wild == HybridTime(rawValue: HybridTime.wallLimit))
        #expect(clock.next(now: HybridTime.wallLimit >> 20) > wild)
        let seed = TestSeed()
        var generator = seed.generator
        var (last, other) = (clock.last, HybridClock(last: clock.last))
        for _ in 0..<500 {
            if Bool.random(using: &generator) {
                other.observe(
                    HybridTime(rawValue: UInt64.random(in: 0...UInt64.max, using: &generator))
                )
            }
            let next = other.next(now: UInt64.random(in: 0...UInt64.max, using: &generator))
            #expect(next >= last && next.rawValue < HybridTime.limit, seed.comment)
            last = next
        }
    }
}
