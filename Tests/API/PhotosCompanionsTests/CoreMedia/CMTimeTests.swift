import Foundation
import PhotosCompanions
import SamplePhotos
import TestSupport
import Testing

/// Times compared with exact fractions, and invalid times.
@Suite(.timeLimit(.minutes(2))) struct CMTimeTests {
    /// A fraction of 128-bit numbers with the value of a time.
    private struct Fraction: Equatable {
        var top: Int128
        var bottom: Int128

        init(_ top: Int128, _ bottom: Int128) {
            self.top = top
            self.bottom = bottom
        }

        init(_ time: CMTime) {
            self.init(Int128(time.value), Int128(time.timescale))
        }

        static func == (one: Fraction, other: Fraction) -> Bool {
            one.top * other.bottom == other.top * one.bottom
        }

        /// Returns the distance to a time, in the time's units.
        func distance(to time: CMTime) -> Double {
            let here = Double(top) / Double(bottom)
            return abs(here - time.seconds) * Double(time.timescale)
        }
    }

    private func times(_ count: Int, _ random: inout SeededGenerator) -> [CMTime] {
        let scales: [Int32] = [1, 2, 3, 24, 25, 30, 48, 600, 1001, 24_000, 30_000, 44_100, 90_000]
        return (0..<count).map { _ in
            CMTime(
                value: Int64.random(in: -1_000_000...1_000_000, using: &random),
                timescale: scales.randomElement(using: &random) ?? 1
            )
        }
    }

    @Test func sumsAreThoseOfFractions() {
        let seed = TestSeed()
        var random = seed.generator
        for _ in 0..<2000 {
            let pair = times(2, &random)
            let (one, other) = (Fraction(pair[0]), Fraction(pair[1]))
            let bottom = one.bottom * other.bottom
            let (left, right) = (one.top * other.bottom, other.top * one.bottom)
            for (result, top) in [
                (pair[0] + pair[1], left + right), (pair[0] - pair[1], left - right),
            ] {
                let exact = Fraction(top, bottom)
                #expect(
                    result.hasBeenRounded
                        ? exact.distance(to: result) <= 0.51 : exact == Fraction(result),
                    "\(pair), \(seed)"
                )
            }
            #expect((pair[0] < pair[1]) == (left < right))
            #expect((pair[0] == pair[1]) == (left == right))
            #expect(CMTimeCompare(pair[0], pair[1]) == (left < right ? -1 : left == right ? 0 : 1))
        }
    }

    @Test func productsAreThoseOfFractions() {
        let seed = TestSeed()
        var random = seed.generator
        for time in times(500, &random) {
            let factor = Int32.random(in: -5000...5000, using: &random)
            let divisor = Int32.random(in: 1...500, using: &random)
            let exact = Fraction(Fraction(time).top * Int128(factor), Int128(time.timescale))
            #expect(Fraction(CMTimeMultiply(time, multiplier: factor)) == exact)
            let ratio = CMTimeMultiplyByRatio(time, multiplier: factor, divisor: divisor)
            let part = Fraction(exact.top, exact.bottom * Int128(divisor))
            #expect(
                ratio.hasBeenRounded ? part.distance(to: ratio) <= 0.51 : part == Fraction(ratio)
            )
            let float = CMTimeMultiplyByFloat64(time, multiplier: 0.5)
            #expect(abs(float.seconds - time.seconds / 2) <= 0.501 / Double(float.timescale))
        }
    }

    @Test(arguments: [
        (CMTimeRoundingMethod.roundHalfAwayFromZero, [2, -2, 1, -1, 1, -1]),
        (.roundTowardZero, [1, -1, 1, -1, 0, 0]),
        (.roundAwayFromZero, [2, -2, 2, -2, 1, -1]),
        (.roundTowardPositiveInfinity, [2, -1, 2, -1, 1, 0]),
        (.roundTowardNegativeInfinity, [1, -2, 1, -2, 0, -1]),
        // Conversions to a coarser scale round toward zero, but never a negative time to zero.
        (.quickTime, [1, -1, 1, -1, 0, -1]),
    ])
    func scalesRoundAsAsked(_ row: (CMTimeRoundingMethod, [Int64])) {
        let values: [Int64] = [150, -150, 130, -130, 50, -50]
        for (value, expected) in zip(values, row.1) {
            let time = CMTime(value: value, timescale: 100).convertScale(1, method: row.0)
            #expect(time.value == expected && time.timescale == 1, "\(value) \(row.0)")
            #expect(time.hasBeenRounded)
        }
        let same = CMTime(value: 3, timescale: 2).convertScale(600, method: row.0)
        #expect(same.value == 900 && !same.hasBeenRounded)
        #expect(same == CMTime(value: 3, timescale: 2))
        #expect(same.hashValue == CMTime(value: 3, timescale: 2).hashValue)
    }

    @Test func secondsBecomeTimes() {
        let third = CMTimeMakeWithSeconds(1.0 / 3, preferredTimescale: 600)
        #expect(third.value == 200 && third.timescale == 600)
        #expect(CMTimeMakeWithSeconds(2.5, preferredTimescale: 600).value == 1500)
        #expect(!CMTimeMakeWithSeconds(2.5, preferredTimescale: 600).hasBeenRounded)
        #expect(CMTimeMakeWithSeconds(0.001, preferredTimescale: 30).hasBeenRounded)
        #expect(!CMTimeMakeWithSeconds(1, preferredTimescale: 0).isValid)
        #expect(!CMTime(seconds: .nan, preferredTimescale: 600).isValid)
        #expect(CMTime(seconds: .infinity, preferredTimescale: 600) == .positiveInfinity)
        #expect(CMTime(seconds: -1e30, preferredTimescale: 600) == .negativeInfinity)
        // Halved until it fits.
        let long = CMTime(seconds: 1e16, preferredTimescale: 600_000)
        #expect(long.isNumeric && long.timescale < 600_000 && long.seconds == 1e16)
        #expect(CMTimeGetSeconds(CMTimeMake(value: 1, timescale: 4)) == 0.25)
        #expect(CMTimeGetSeconds(.invalid).isNaN && CMTimeGetSeconds(.indefinite).isNaN)
        #expect(!CMTimeMake(value: 1, timescale: 0).isValid)
    }

    @Test func overflowHalvesAndThenIsInfinite() {
        let most = CMTime(value: .max, timescale: 600)
        let sum = most + CMTime(value: .max - 1, timescale: 600)
        #expect(sum.isNumeric && sum.timescale < 600 && sum.hasBeenRounded)
        #expect(!(most + most).hasBeenRounded)
        #expect(abs(sum.seconds / (most.seconds * 2) - 1) < 1e-9)
        let whole = CMTime(value: .max, timescale: 1)
        #expect((whole + whole).isPositiveInfinity)
        #expect((CMTime(value: .min, timescale: 1) - whole).isNegativeInfinity)
        #expect(CMTimeMultiply(whole, multiplier: -2).isNegativeInfinity)
        #expect(CMTimeAbsoluteValue(CMTime(value: .min, timescale: 2)).isNumeric)
        #expect(CMTimeMultiplyByFloat64(whole, multiplier: 1e300).isPositiveInfinity)
        #expect(whole.convertScale(600, method: .default).isPositiveInfinity)
        let odd = CMTime(value: 1, timescale: .max) + CMTime(value: 1, timescale: .max - 1)
        #expect(odd.timescale == .max && odd.hasBeenRounded)
    }

    @Test func whatIsNoNumberHasItsPlace() {
        let ordered: [CMTime] = [
            .negativeInfinity, CMTime(value: -1, timescale: 1), .zero,
            CMTime(value: 1, timescale: 600), .indefinite, .positiveInfinity, .invalid,
        ]
        for (left, one) in ordered.enumerated() {
            for (right, other) in ordered.enumerated() {
                #expect((one < other) == (left < right) && (one == other) == (left == right))
                #expect(CMTimeMinimum(one, other) == ordered[min(left, right)])
                #expect(CMTimeMaximum(one, other) == ordered[max(left, right)])
            }
        }
        #expect((CMTime.zero + .invalid) == .invalid)
        #expect((CMTime.zero + .indefinite) == .indefinite)
        #expect((CMTime.indefinite + .positiveInfinity) == .positiveInfinity)
        #expect((CMTime.positiveInfinity - .positiveInfinity) == .invalid)
        #expect((CMTime.positiveInfinity + .positiveInfinity) == .positiveInfinity)
        #expect((CMTime.zero - .positiveInfinity) == .negativeInfinity)
        #expect(CMTimeMultiply(.negativeInfinity, multiplier: -1) == .positiveInfinity)
        #expect(CMTimeMultiplyByRatio(.zero, multiplier: 1, divisor: 0) == .invalid)
        #expect(CMTIME_IS_INVALID(.invalid) && CMTIME_IS_NUMERIC(.zero))
    }

    @Test func epochsAreTimelines() {
        let early = CMTimeMakeWithEpoch(value: 9, timescale: 1, epoch: 1)
        let late = CMTimeMakeWithEpoch(value: 1, timescale: 1, epoch: 2)
        #expect(early < late && !(early + late).isValid)
        #expect((early - early).epoch == 0)
        #expect((early + CMTime(value: 1, timescale: 1)).epoch == 1)
    }

    @Test func rangesHoldWhatIsInThem() {
        let second = CMTime(value: 1, timescale: 1)
        let range = CMTimeRangeMake(start: second, duration: CMTime(value: 3, timescale: 1))
        #expect(range.end == CMTime(value: 4, timescale: 1))
        #expect(range.containsTime(second) && !range.containsTime(range.end))
        let late = CMTimeRange(
            start: CMTime(value: 3, timescale: 1),
            end: CMTime(value: 9, timescale: 1)
        )
        #expect(range.intersection(late) == CMTimeRange(start: late.start, end: range.end))
        #expect(range.union(late) == CMTimeRange(start: second, end: late.end))
        #expect(!range.containsTimeRange(late))
        #expect(range.containsTimeRange(range.intersection(late)))
        let apart = CMTimeRange(start: late.end, duration: second)
        #expect(range.intersection(apart) == .zero && CMTimeRange.zero.isEmpty)
        let all = CMTimeRange(start: .zero, duration: .positiveInfinity)
        #expect(all.isValid && all.containsTime(late.end) && all.intersection(range) == range)
        #expect(!CMTimeRange.invalid.isValid)
        #expect(!CMTimeRange(start: late.end, end: .zero).isValid)
    }

    @Test func specialTimesScaleBySign() {
        for (factor, positive, negative) in [
            (2.5, CMTime.positiveInfinity, CMTime.negativeInfinity),
            (-2.5, .negativeInfinity, .positiveInfinity), (0, .invalid, .invalid),
        ] {
            #expect(CMTimeMultiplyByFloat64(.positiveInfinity, multiplier: factor) == positive)
            #expect(CMTimeMultiplyByFloat64(.negativeInfinity, multiplier: factor) == negative)
        }
        #expect(CMTimeMultiplyByFloat64(.indefinite, multiplier: 2) == .indefinite)
        #expect(CMTimeMultiplyByFloat64(.zero, multiplier: .nan) == .invalid)
        #expect(CMTimeMultiplyByRatio(.indefinite, multiplier: 1, divisor: 2) == .indefinite)
        let third = CMTimeMultiplyByRatio(
            CMTime(value: 1, timescale: 1),
            multiplier: -1,
            divisor: -3
        )
        #expect(third == CMTime(value: 1, timescale: 3) && !third.hasBeenRounded)
        let rounded = CMTimeMultiplyByFloat64(CMTime(value: 1, timescale: 3), multiplier: 0.1)
        #expect(rounded.hasBeenRounded && rounded.timescale >= 65_536)
        let doubled = CMTimeMultiplyByFloat64(rounded, multiplier: 2)
        #expect(doubled.hasBeenRounded && doubled.value == rounded.value * 2)
        #expect(CMTimeAbsoluteValue(.negativeInfinity) == .positiveInfinity)
        #expect(CMTimeAbsoluteValue(CMTime(value: -3, timescale: 2)).value == 3)
        #expect(CMTime.indefinite.convertScale(30, method: .default) == .indefinite)
        #expect(CMTime.zero.convertScale(0, method: .default) == .invalid)
    }

    @Test func functionsAnswerAsTheProperties() {
        let second = CMTimeMake(value: 1, timescale: 1)
        #expect(CMTIME_IS_VALID(.indefinite) && CMTIME_IS_INDEFINITE(.indefinite))
        #expect(!CMTIME_IS_NUMERIC(.indefinite) && !CMTIME_IS_INDEFINITE(second))
        #expect(CMTIME_IS_POSITIVE_INFINITY(.positiveInfinity))
        #expect(CMTIME_IS_NEGATIVE_INFINITY(.negativeInfinity))
        #expect(!CMTIME_IS_POSITIVE_INFINITY(.negativeInfinity))
        #expect(CMTimeConvertScale(second, timescale: 600, method: .default).value == 600)
        #expect(CMTimeAdd(second, second) == CMTimeMultiply(second, multiplier: 2))
        #expect(CMTimeSubtract(second, second) == .zero)
        #expect(CMTime.positiveInfinity.seconds == .infinity)
        #expect(CMTime.negativeInfinity.seconds == -.infinity)
        let range = CMTimeRangeFromTimeToTime(start: .zero, end: second)
        #expect(CMTimeRangeGetEnd(range) == second && CMTimeRangeContainsTime(range, time: .zero))
        let half = CMTimeRangeMake(start: .zero, duration: CMTimeMake(value: 1, timescale: 2))
        #expect(CMTimeRangeContainsTimeRange(range, otherRange: half))
        #expect(CMTimeRangeEqual(CMTimeRangeGetUnion(range, otherRange: half), range))
        #expect(CMTimeRangeEqual(CMTimeRangeGetIntersection(range, otherRange: half), half))
        let open = CMTimeRange(start: .zero, duration: .indefinite)
        #expect(open.isIndefinite && !range.isIndefinite)
        #expect(range.union(.invalid) == .invalid && range.intersection(.invalid) == .invalid)
    }

    @Test(arguments: [
        (CMTimeMake(value: 3, timescale: 2), "{3/2 = 1.5}"),
        (CMTimeMakeWithSeconds(0.26, preferredTimescale: 2), "{1/2 = 0.5, rounded}"),
        (.positiveInfinity, "{+INFINITY}"), (.negativeInfinity, "{-INFINITY}"),
        (.indefinite, "{INDEFINITE}"), (.invalid, "{INVALID}"),
    ])
    func descriptionsNameTheKind(_ row: (CMTime, String)) {
        #expect(row.0.description == row.1)
        let range = CMTimeRange(start: row.0, duration: row.0)
        #expect(range.description == "{\(row.1), \(row.1)}")
    }

    @Test func objectsKeepEveryBit() {
        let times = [
            CMTime(value: .min, timescale: .max, flags: [.valid, .hasBeenRounded], epoch: -7),
            .positiveInfinity, .invalid, CMTimeMake(value: 1, timescale: 600),
        ]
        for time in times {
            let found = NSValue(time: time).timeValue
            #expect(found.value == time.value && found.timescale == time.timescale)
            #expect(found.flags == time.flags && found.epoch == time.epoch)
        }
        let other = NSValue(rect: NSRect(x: 1, y: 2, width: 3, height: 4))
        #expect(!other.timeValue.isValid)
    }
}
