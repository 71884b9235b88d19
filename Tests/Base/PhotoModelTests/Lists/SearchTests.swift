import PhotoModel
import Testing

/// Binary searches, and the search for a longest increasing subsequence.
@Suite(.timeLimit(.minutes(1))) struct SearchTests {
    @Test func partitionsAreSearched() {
        for count in 0...20 {
            let list = Array(0..<count)
            for limit in 0...count { #expect(list.indexPast { $0 < limit } == limit) }
        }
        #expect([5, 6, 7][1...].indexPast { $0 < 7 } == 2)
    }

    @Test func longestRises() {
        #expect(LongestRise.members(of: []) == [])
        #expect(LongestRise.members(of: [1, 2, 3]) == [true, true, true])
        #expect(LongestRise.members(of: [3, 1, 2]) == [false, true, true])
        #expect(LongestRise.members(of: [2, 1, 4, 3, 5]).filter { $0 }.count == 3)
    }
}
