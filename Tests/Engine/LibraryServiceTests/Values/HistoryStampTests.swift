import FoundationEssentials
import LibraryService
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct HistoryStampTests {
    @Test func timesDiffer() {
        let time = Date(timeIntervalSinceReferenceDate: 790_000_000)
        let next = Date(timeIntervalSinceReferenceDate: (790_000_000.0).nextUp)
        #expect(HistoryStamp(time) == HistoryStamp(time))
        #expect(HistoryStamp(time) != HistoryStamp(next))
    }

    @Test func textsAreReadAgain() {
        let seed = TestSeed()
        var generator = seed.generator
        for _ in 0..<200 {
            let time = Date(
                timeIntervalSinceReferenceDate: .random(in: -1e10...1e10, using: &generator)
            )
            let stamp = HistoryStamp(time)
            #expect(HistoryStamp(stamp.description) == stamp, seed.comment)
        }
        #expect(HistoryStamp(Date(timeIntervalSinceReferenceDate: 0)).description == "0")
        // The bit pattern of 1 by IEEE 754.
        let one = HistoryStamp(Date(timeIntervalSinceReferenceDate: 1))
        #expect(one.description == "3FF0000000000000")
        #expect(HistoryStamp("3ff0000000000000") == one)
    }

    @Test(arguments: ["", "+1", "-1", " 1", "1 ", "G", "0x1", "10000000000000000", "١"])
    func otherTextsAreNoStamps(_ text: String) { #expect(HistoryStamp(text) == nil) }
}
